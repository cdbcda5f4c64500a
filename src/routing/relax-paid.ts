import type { Edge } from "./edges.ts";
import { slotsAmong } from "./edges-among.ts";
import { solveFlow } from "./flow.ts";
import { problemOf } from "./flow-problem.ts";
import type { Room } from "./measure.ts";
import { paidEdge } from "./paid-edge.ts";
import type { Session } from "./session.ts";

/** Part of the ratio of prices below which a pool's rate begins too low for the pool to be minimised over. */
const BAND = 0.9;
/** The same for the rate at which a touch begins to pay. */
const NEAR = 0.8;
/**
 * What pools may sell here beyond their room, in widths for each hop from the sold token: slopes pay up to one more at
 * each, and where full pools could take no more than arrives, prices that sink together would cost nothing.
 */
const AMPLE = 2;
/** Hops from the sold token that are not counted any more. */
const FAR = 3;
/** How close the minimum of each round is, as a part of the trade's value. */
const CLOSE = 1e-7;

/** Prices, in the logarithm, and what the trade would sell to each edge if a part of a touch cost a part of its gas. */
export interface PaidFlow {
  readonly logPrices: ReadonlyMap<number, number>;
  readonly edges: readonly Edge[];
  readonly sells: readonly number[];
}

/** Minimises the dual of a trade with gas over the tokens that have a price in `start`. */
export function relaxPaid(
  session: Session,
  start: ReadonlyMap<number, number>,
  sellAmount: number,
  costPerGas: (sellPrice: number) => number,
  room: Room,
  width: number,
): PaidFlow {
  const { graph, source } = session;
  const priceOf = (node: number) => Math.exp(start.get(node) as number);
  const perGas = costPerGas(priceOf(source));
  const ample = new Map<number, number>();
  const ampleAt = (node: number): number => {
    const known =
      ample.get(node) ?? room(node) * (1 + AMPLE * width * (1 + Math.min(FAR, session.hopsFromSource(node))));
    ample.set(node, known);
    return known;
  };
  const real: Edge[] = [];
  const paid: Edge[] = [];
  for (const slot of slotsAmong(session, start, [...start.keys()], BAND, () => true)) {
    const edge = graph.edges[slot] as Edge;
    const [sellPrice, buyPrice] = [priceOf(edge.from), priceOf(edge.to)];
    const gas = (edge.gas * perGas) / buyPrice;
    if (highest(edge, gas) <= NEAR * (sellPrice / buyPrice)) continue;
    const one = paidEdge(edge, gas, ampleAt(edge.from), width, NEAR * (sellPrice / buyPrice));
    if (one === undefined) continue;
    real.push(edge);
    paid.push(one);
  }
  const flow = solveFlow(session, problemOf(paid), sellAmount, start, CLOSE);
  return { logPrices: new Map([...start, ...flow.logPrices]), edges: real, sells: [...flow.sells] };
}

/** A rate that no trade on an edge reaches once its gas is paid: of a hyperbola, the best that there is. */
function highest({ spot, depth }: Edge, gas: number): number {
  if (!(depth > 0)) return spot;
  const kept = 1 - Math.sqrt(gas / (spot * depth));
  return kept > 0 ? spot * kept * kept : 0;
}
