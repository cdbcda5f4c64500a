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
  const { order } = support;
  const { maxHops, sink, graph, endOf } = session;
  const { start, to, gain, rest, spot, depth } = graph;
  const { place } = session.workspace;
  const used = new Set(support.edges.map((edge) => placeOf(session, edge)));
  const touched = new Set(support.edges.map(({ poolNumber }) => poolNumber));
  const left = session.revisits ? leftBehind(session, touchesOf(support, settled.sells)) : undefined;
  const prices = order.map((node) => Math.exp(logPrices.get(node) as number));
  /** What the parcel is of each token. */
  const parcels = Float64Array.from(prices, (price) => value / price);
  /** What the flow has of each token. */
  const there = support.leaving.map((leaving) => leaving.reduce((sum, i) => sum + (settled.sells[i] as number), 0));
  const { fits, longest } = fitter(session, support);
  const columns: Column[] = [];
  /** What a unit of value at rest is worth, in bought units, at the token of the flow where it is worth most. */
  let highest = 0;
  order.forEach((node, at) => {
    place[node] = at;
    highest = Math.max(highest, (prices[at] as number) / (rest[node] as number));
  });
  const bonus = mostGained(session, (value * 0.5) / highest);
  if (spreading === "together") spread(order);
  else for (const node of order) if (node !== sink) spread([node]);
  for (const node of order) place[node] = -1;
  return columns.sort((a, b) => b.gain - a.gain);

  function spread(origins: readonly number[]): void {
    const layers = session.layers.clear(maxHops, graph.size);
    const known = session.layers.most;
    for (const node of origins)
      mark(layers[0] as Layer, node, parcels[place[node] as number] as number, undefined, node);
    for (let hop = 1; hop <= maxHops && !session.over(); hop++) {
      const last = layers[hop - 1] as Layer;
      const next = layers[hop] as Layer;
      /** What a parcel has to be worth at rest to be able to earn on its way back. */
      const worth = (value * (1 + hop * perTouch)) / (highest * bonus ** (maxHops - hop));
      const earning = 1 + Math.max(LEAST_GAIN, hop * perTouch);
      for (const node of last.nodes) {
        if (node === sink) continue;
        const available = last.amount[node] as number;
        const origin = last.origin[node] as number;
        const first = place[origin] as number;
        const enough = worth / (available * (rest[node] as number));
        const isLast = hop >= longest(first);
        const end = endOf(node);
        session.steps += end - (start[node] as number);
        for (let slot = start[node] as number; slot < end; slot++) {
          const moved = left?.at(slot);
          if (moved === undefined && (gain[slot] as number) <= enough) continue;
          const target = to[slot] as number;
          const at = place[target] as number;
          if (at === -1 ? isLast : !fits(first, at, hop)) continue;
          const most = (moved === undefined ? (spot[slot] as number) : moved.spot) * available;
          const least = at === -1 ? (known[target] as number) : (parcels[at] as number) * earning;
          if (most <= least) continue;
          // What a hyperbola pays; NaN, any other curve, passes.
          const depths = moved === undefined ? available / (depth[slot] as number) : Number.NaN;
          const pays = most / (1 + depths);
          if (pays <= least || pays * (rest[target] as number) <= worth || !session.leadsOn(slot, node)) continue;
          const edge = moved ?? (graph.edges[slot] as Edge);
          const paid = depths <= TRUSTED_DEPTHS ? pays : edge.curve.buyAmountFor(available);
          const amount = session.whole && at === -1 ? Math.floor(paid) : paid;
          if (amount <= least || !session.allowsSlot(slot)) continue;
          if (hop > 1 && repeats(layers, hop - 1, node, edge, session.revisits)) continue;
          if (at === -1) {
            mark(next, target, amount, edge, origin);
            known[target] = amount;
          } else if (!touched.has(graph.pool[slot] as number) || !used.has(placeOf(session, edge))) {
            const path = [...pathTo(layers, hop - 1, node), edge];
            const [sellPrice, buyPrice] = [prices[first] as number, prices[at] as number];
            const column = columnOf(session, path, sellPrice, buyPrice, there[first] as number);
            columns.push(left === undefined ? column : { ...column, edges: column.edges.map(left.original) });
          }
        }
      }
    }
  }
}

/** Which new edges a flow has room for. */
interface Fitter {
  /** Whether new edges from one place in the flow to another close no cycle and make no path too long. */
  readonly fits: (origin: number, target: number, length: number) => boolean;
  /** The most new edges that can begin at a place in the flow. */
  readonly longest: (origin: number) => number;
}

function fitter(session: Session, { order, depth, height, to, leaving }: Support): Fitter {
  const { maxHops } = session;
  const count = order.length;
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
    longest: (origin) => maxHops - (before[origin] as number),
    fits: (origin, target, length) =>
      behind[origin * count + target] === 0 &&
      (after[target] as number) <= maxHops - length - (before[origin] as number),
  };
}

/** The best amount for a column and what it earns, by bisection on the product of the marginal rates. */
function columnOf(
  { whole }: Session,
  edges: readonly Edge[],
  sellPrice: number,
  buyPrice: number,
  most: number,
): Column {
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
