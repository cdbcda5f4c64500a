import { mostEarned } from "../bound/most-earned.ts";
import type { Edge } from "../edges/edges.ts";
import { descend } from "../flow/descent.ts";
import { gasAtPrice } from "../flow/goal.ts";
import { slotsAmong } from "../session/edges-among.ts";
import { gasDual, type Question } from "./gas-dual.ts";

/** Tokens whose prices are minimised over together. */
export const MAX_NODES = 160;
/** Part of the ratio of prices below which a pool's rate begins too low for the pool to be minimised over. */
const BAND = 0.9;
/** Shift of prices in a pool's favour within which it takes part in the minimisation, as a part of a rate. */
const NEAR = 0.8;
/** Promise of a further step at which prices are close enough: a part of the kinks' rounding, or of the trade. */
const CLOSE = 0.01;
const CLOSEST = 1e-8;

/** Prices that are minimised over, and what edges do at them if a part of a pool use costs a part of its gas. */
export interface GasFlow {
  /** Logarithms, in bought units. */
  readonly logPrices: ReadonlyMap<number, number>;
  readonly edges: readonly Edge[];
  /** Part of a pool use that is made of each edge, and what a whole pool use sells. */
  readonly parts: Float64Array;
  readonly sells: Float64Array;
}

/** Minimises the dual of a trade with gas over the tokens that have a price in `start`. */
export function gasFlow(question: Question, start: ReadonlyMap<number, number>, width: number): GasFlow {
  const { search } = question;
  const slots = slotsNear(question, start);
  const dual = gasDual(question, slots, Math.exp(start.get(search.source) as number), width);
  const { nodes, unit, parts, sells } = dual;
  const { at } = descend(
    {
      dual,
      isClose: (promise, at) => promise <= Math.max(CLOSEST * dual.worthAt(at), CLOSE * width * unit),
      over: search.over,
    },
    Float64Array.from(nodes, (node) => start.get(node) ?? 0),
  );
  const logPrices = new Map(start);
  nodes.forEach((node, i) => {
    logPrices.set(node, at[i] as number);
  });
  return { logPrices, edges: slots.map((slot) => search.graph.edgeAt(slot)), parts, sells };
}

/** The slots between the tokens that may be worth a pool use near these prices. */
function slotsNear({ search, room }: Question, start: ReadonlyMap<number, number>): number[] {
  const { graph, source, workspace } = search;
  const { from, to, spot, depth, deepest, gas, edgeAt } = graph;
  const { place } = workspace;
  const nodes = [...start.keys()];
  const slots = slotsAmong(search, start, nodes, BAND, () => true);
  const prices = nodes.map((node) => Math.exp(start.get(node) as number));
  const rooms = nodes.map(room);
  nodes.forEach((node, i) => {
    place[node] = i;
  });
  const perGas = gasAtPrice(search, prices[place[source] as number] as number);
  const isNear = (slot: number): boolean => {
    const best = spot[slot] as number;
    const isHyperbola = (depth[slot] as number) > 0;
    const curve = isHyperbola ? undefined : edgeAt(slot).curve;
    if (curve !== undefined && !(curve.ceiling ?? curve).concave) return false;
    const seller = place[from[slot] as number] as number;
    const buyer = place[to[slot] as number] as number;
    const sellPrice = NEAR * (prices[seller] as number);
    const buyPrice = prices[buyer] as number;
    const rate = sellPrice / buyPrice;
    if (!(best > rate)) return false;
    const least = (gas[slot] as number) * perGas;
    const fromRoom = rooms[seller] as number;
    const toRoom = rooms[buyer] as number;
    // At the best rate, the room earns no less than the edge does.
    if ((best * buyPrice - sellPrice) * Math.min(fromRoom, toRoom / best) <= least) return false;
    const short = 1 - Math.sqrt(rate / best);
    if (best * buyPrice * (deepest[slot] as number) * short * short <= least) return false;
    if (isHyperbola) return true;
    const { sellAmount, buyAmount } = mostEarned(edgeAt(slot), rate, fromRoom, toRoom);
    return buyAmount * buyPrice - sellAmount * sellPrice > least;
  };
  const found = slots.filter(isNear);
  for (const node of nodes) place[node] = -1;
  return found;
}
