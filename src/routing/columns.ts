import { mostGained } from "./best-path.ts";
import { TRUSTED_DEPTHS } from "./depth.ts";
import type { Edge } from "./edges.ts";
import { type Layer, mark, pathTo, repeats } from "./layers.ts";
import type { Session } from "./session.ts";
import type { Settled } from "./settled.ts";
import type { Support } from "./support.ts";
import { leftBehind, placeOf, touchesOf } from "./touches.ts";

/** New edges from one token of a flow to another that earn something at the flow's own prices. */
export interface Column {
  readonly edges: readonly Edge[];
  /** The most that they earn at these prices, in bought units: at least what adding them to the flow can bring. */
  readonly profit: number;
  /** The same for no more than the flow has of the token that they begin with. */
  readonly gain: number;
  /** Logarithms of the prices of the tokens between, for the next solution to start from. */
  readonly logPrices: readonly (readonly [node: number, logPrice: number])[];
}

/** How closely the best amount of a column is found, as a part of it, and in how many halvings at most. */
const PRECISE = 2 ** -12;
const MOST_HALVINGS = 80;

/** Relative gain at which a column counts. */
const LEAST_GAIN = 1e-9;

/** Whether labels spread from all tokens of a flow at once, or from one after the other: dearer, but none hides another. */
export type Spreading = "together" | "apart";

/**
 * All ways off the flow and back onto it that beat the flow's own prices for a parcel worth `value` (bought units):
 * labels spread from the tokens of the flow, one label a token and layer, over pools that the flow does not touch.
 * `perTouch`: what a column has to earn for each of its pools, as a part of the parcel. Most profitable first.
 */
export function findColumns(
  session: Session,
  settled: Settled,
  value: number,
  spreading: Spreading,
  perTouch = 0,
): Column[] {
  const { support, logPrices } = settled;
  const { maxHops, sink, graph, endOf } = session;
  const { start, to, gain, rest, spot, depth } = graph;
  const used = new Set(support.edges.map((edge) => placeOf(session, edge)));
  const touched = new Set(support.edges.map(({ poolNumber }) => poolNumber));
  const left = session.revisits ? leftBehind(session, touchesOf(support, settled.sells)) : undefined;
  const prices = new Map<number, number>(support.order.map((node) => [node, Math.exp(logPrices.get(node) as number)]));
  /** What the flow has of each token. */
  const there = new Map<number, number>(
    support.order.map((node, at) => [
      node,
      (support.leaving[at] as readonly number[]).reduce((sum, i) => sum + (settled.sells[i] as number), 0),
    ]),
  );
  const { fits, longest } = fitter(session, support);
  const columns: Column[] = [];
  /** What a unit of value at rest is worth, in bought units, at the token of the flow where it is worth most. */
  let highest = 0;
  for (const node of support.order) highest = Math.max(highest, (prices.get(node) as number) / (rest[node] as number));
  const bonus = mostGained(session, (value * 0.5) / highest);
  if (spreading === "together") spread(support.order);
  else for (const node of support.order) if (node !== sink) spread([node]);
  return columns.sort((a, b) => b.gain - a.gain);

  function spread(origins: readonly number[]): void {
    const layers = session.layers.clear(maxHops, graph.size);
    const known = session.layers.most;
    const flow = layers[0] as Layer;
    for (const node of support.order) mark(flow, node, value / (prices.get(node) as number), undefined, node);
    for (let hop = 1; hop <= maxHops && !session.over(); hop++) {
      const last = layers[hop - 1] as Layer;
      const next = layers[hop] as Layer;
      /** What a parcel has to be worth at rest to be able to earn on its way back. */
      const worth = (value * (1 + hop * perTouch)) / (highest * bonus ** (maxHops - hop));
      const earning = 1 + Math.max(LEAST_GAIN, hop * perTouch);
      for (const node of hop === 1 ? origins : last.nodes) {
        if (node === sink) continue;
        const available = last.amount[node] as number;
        const origin = last.origin[node] as number;
        const enough = worth / (available * (rest[node] as number));
        const room = longest(origin);
        const end = endOf(node);
        session.steps += end - (start[node] as number);
        for (let slot = start[node] as number; slot < end; slot++) {
          const moved = left?.at(slot);
          if (moved === undefined && (gain[slot] as number) <= enough) continue;
          const target = to[slot] as number;
          const most = (moved === undefined ? (spot[slot] as number) : moved.spot) * available;
          const par = flow.amount[target] as number;
          const least = par > 0 ? par * earning : (known[target] as number);
          if (most <= least) continue;
          // What a hyperbola pays; NaN, any other curve, passes.
          const depths = moved === undefined ? available / (depth[slot] as number) : Number.NaN;
          const pays = most / (1 + depths);
          if (pays <= least || pays * (rest[target] as number) <= worth || !session.leadsOn(slot, node)) continue;
          const edge = moved ?? (graph.edges[slot] as Edge);
          if (par > 0) {
            if (!fits(origin, target, hop) || !session.allowsSlot(slot)) continue;
            if (!(depths <= TRUSTED_DEPTHS) && edge.curve.buyAmountFor(available) <= least) continue;
            if (touched.has(graph.pool[slot] as number) && used.has(placeOf(session, edge))) continue;
            if (repeats(layers, hop - 1, node, edge, session.revisits)) continue;
            const path = [...pathTo(layers, hop - 1, node), edge];
            const column = columnOf(session, path, prices, there.get(origin) as number);
            columns.push(left === undefined ? column : { ...column, edges: column.edges.map(left.original) });
          } else {
            if (hop >= room) continue;
            const paid = depths <= TRUSTED_DEPTHS ? pays : edge.curve.buyAmountFor(available);
            const amount = session.whole ? Math.floor(paid) : paid;
            if (amount <= least || !session.allowsSlot(slot)) continue;
            if (hop > 1 && repeats(layers, hop - 1, node, edge, session.revisits)) continue;
            mark(next, target, amount, edge, origin);
            known[target] = amount;
          }
        }
      }
    }
  }
}

/** Which new edges a flow has room for. */
interface Fitter {
  /** Whether new edges from one token of the flow to another close no cycle and make no path too long. */
  readonly fits: (origin: number, target: number, length: number) => boolean;
  /** The most new edges that can begin at a token of the flow. */
  readonly longest: (origin: number) => number;
}

function fitter(session: Session, { order, depth, height, to, leaving }: Support): Fitter {
  const { maxHops } = session;
  const count = order.length;
  const place = new Map(order.map((node, i) => [node, i]));
  const at = (node: number) => place.get(node) as number;
  /** Row by row, for each node the nodes that no edge may lead to from there: itself and those before it. */
  const behind = new Uint8Array(count * count);
  /** Fewest pools from the sold token: a path over pools that the flow does not use is as good as the flow's. */
  const before = new Int32Array(count);
  /** The same to the bought token. */
  const after = new Int32Array(count);
  order.forEach((node, i) => {
    const hops = depth[i] as number;
    before[i] = hops > 1 ? Math.min(hops, session.hopsFromSource(node)) : hops;
    after[i] = Math.min(height[i] as number, session.hopsToSink(node));
    behind[i * count + i] = 1;
    behind[i * count] = 1;
    for (const edge of leaving[i] as readonly number[]) {
      const row = (to[edge] as number) * count;
      for (let j = 0; j <= i; j++) behind[row + j]! |= behind[i * count + j] as number;
    }
  });
  return {
    longest: (origin) => maxHops - (before[at(origin)] as number),
    fits: (origin, target, length) => {
      const [i, j] = [at(origin), at(target)];
      return behind[i * count + j] === 0 && (after[j] as number) <= maxHops - length - (before[i] as number);
    },
  };
}

/** The best amount for a column and what it earns, by bisection on the product of the marginal rates. */
function columnOf(
  { whole }: Session,
  edges: readonly Edge[],
  prices: ReadonlyMap<number, number>,
  most: number,
): Column {
  const sellPrice = prices.get((edges[0] as Edge).from) as number;
  const buyPrice = prices.get((edges[edges.length - 1] as Edge).to) as number;
  const earned = (sell: number) =>
    edges.reduce((amount, { curve }) => curve.buyAmountFor(amount), sell) * buyPrice - sell * sellPrice;
  const best = bestAmount(edges, sellPrice / buyPrice);
  const sell = Math.min(best, most);
  const logPrices: [number, number][] = [];
  const rates: number[] = [];
  let amount = sell;
  for (const edge of edges) {
    rates.push(edge.curve.marginalRate(amount));
    const pays = edge.curve.buyAmountFor(amount);
    amount = whole ? Math.floor(pays) : pays;
  }
  let logPrice = Math.log(buyPrice);
  for (let i = edges.length - 1; i > 0; i--) {
    logPrice += Math.log(rates[i] as number);
    logPrices.push([(edges[i] as Edge).from, logPrice]);
  }
  const gain = amount * buyPrice - sell * sellPrice;
  return { edges, profit: whole ? gain : earned(best), gain, logPrices };
}

/** The amount at which the marginal rate of a chain has fallen to `rate`. */
function bestAmount(edges: readonly Edge[], rate: number): number {
  const { curve } = edges[0] as Edge;
  if (edges.length === 1) return Math.min(curve.sellAmountAtRate(rate), curve.maxSell);
  const rest = edges.slice(1).reduce((product, edge) => product * edge.spot, 1);
  let high = Math.min(curve.sellAmountAtRate(rate / rest), curve.maxSell);
  let low = 0;
  // The first pool may be deeper than the others by far: then the way to the amount is long.
  for (let i = 0; i < MOST_HALVINGS && high - low > PRECISE * high; i++) {
    const middle = (low + high) / 2;
    let amount = middle;
    let marginal = 1;
    for (const edge of edges) {
      marginal *= edge.curve.marginalRate(amount);
      amount = edge.curve.buyAmountFor(amount);
    }
    if (marginal > rate) low = middle;
    else high = middle;
  }
  return low;
}
