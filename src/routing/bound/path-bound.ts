import type { SwapOrder } from "../../domain/order.ts";
import { type Goal, gasAtPrice, gasOfTrade, priceOf } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import { buyTokenOf, sellTokenOf } from "../plan/plan.ts";
import type { Session } from "../session/session.ts";
import { FLOAT_ERROR } from "./certificate.ts";
import { mostEarned, type Room } from "./most-earned.ts";
import { isCovered, type Label, NO_LABELS, withLabel } from "./path-label.ts";
import { type SteepestRates, steepestRates } from "./steepest-rates.ts";

/** Labels by node, for paths of at most so many pools. */
type Layer = Map<number, readonly Label[]>;

/** Room for rounding where labels are left out that are of no use. */
const ROUNDING = 1e-9;

/**
 * How gas counts. "by path": every pool pays its best rate, and a route the gas of one of its paths: tight where a trade is
 * worth little more than its gas. "by pool": what a pool can pay more than its gas counts alone: a pool has, for nothing,
 * the rate at which it would earn just its gas; tight where a trade is split over many pools.
 */
type GasCounts = "by path" | "by pool";

/**
 * The most that a route is worth by `netOf` in which no unit passes more than `maxHops` pools; undefined where the flow is no
 * such route itself.
 *
 * A concave pool pays no more for x than c + s * x, for any slope s, with c the most that it pays beyond s * x. So a route
 * makes of the sold amount no more than the product of s along the best of its paths, and of each c no more than the product
 * of s along the best path from there. Its paths are simple: none comes by a token twice (of cycles those of two pools are
 * ruled out here, which are all that four pools can pass on the way). Pools of the flow have the slope that they have after
 * it, where c is what they earn; others their best rate, where c is nothing, or the one at which c is worth their gas.
 * Needs no prices, and is not misled by arbitrage that is larger than the trade: a path passes it once.
 */
export function mostOverPaths(
  session: Session,
  goal: Goal,
  flow: Settled,
  room: Room,
  wrapping: Wrapping,
): number | undefined {
  if (longestChain(flow) > session.maxHops || flow.support.shared.size > 0) return undefined;
  const steepest = steepestRates(session, room);
  const tangents = tangentsOf(session, goal, flow, steepest);
  const sellPrice = priceOf(flow, session.source);
  const known = { session, goal, steepest, tangents, sellPrice, wrapping };
  return Math.min(mostWhere({ ...known, counts: "by path" }), mostWhere({ ...known, counts: "by pool" }));
}

/** What it takes to turn the native token into another form of it. */
export interface Wrapping {
  readonly order: SwapOrder;
  /** Gas of wrapping or unwrapping, at the least; 0 where nothing wraps. */
  readonly gas: number;
}

/** What a bound by paths is worked out of. */
interface Asked {
  readonly session: Session;
  readonly goal: Goal;
  readonly steepest: SteepestRates;
  /** The pools of the flow, by slot. */
  readonly tangents: ReadonlyMap<number, Tangent>;
  /** What a sold unit is worth in the flow, in bought units. */
  readonly sellPrice: number;
  readonly wrapping: Wrapping;
  readonly counts: GasCounts;
}

/** A pool of the flow at its slope after the flow. */
interface Tangent {
  readonly slope: number;
  /** What it pays beyond that, at most, with room for what floats do not tell. */
  readonly above: number;
  readonly gas: number;
  readonly to: number;
}

function mostWhere(asked: Asked): number {
  const { session, goal, tangents, sellPrice, counts } = asked;
  const { source, maxHops } = session;
  const layers = layersTo(asked);
  const bestRate = (node: number): number =>
    (layers[maxHops - 1]?.get(node) ?? []).reduce((most, { rate }) => Math.max(most, rate), 0);
  const paths = layers[maxHops]?.get(source) ?? [];
  const { amount } = goal;
  /** For what floats do not tell of the rate of a path, which is a product of so many. */
  const room = (1 + FLOAT_ERROR) ** (2 * maxHops);
  const perGas = gasAtPrice(goal, sellPrice);
  let extra = 0;
  for (const { above, gas, to } of tangents.values()) {
    const worth = above * bestRate(to);
    extra += room * Math.max(0, worth - (counts === "by pool" ? gas * perGas : 0));
  }
  if (goal.kind === "sell") {
    return extra + Math.max(...paths.map(({ rate, cost }) => room * amount * rate - cost));
  }
  return -Math.min(...paths.map(({ rate, cost }) => (amount - extra) / (room * rate) + cost));
}

/** The most pools that one unit passes in a flow. */
function longestChain({ support }: Settled): number {
  const far = support.order.map(() => 0);
  support.leaving.forEach((own, at) => {
    for (const i of own) {
      const to = support.to[i] as number;
      far[to] = Math.max(far[to] as number, (far[at] as number) + 1);
    }
  });
  return Math.max(...far);
}

/** The pools of a flow by slot. */
function tangentsOf(
  { graph }: Session,
  goal: Goal,
  { support, logPrices }: Settled,
  steepest: SteepestRates,
): Asked["tangents"] {
  const { start, pool, to } = graph;
  const tangents = new Map<number, Tangent>();
  support.edges.forEach((edge) => {
    let slot = start[edge.from] as number;
    while (pool[slot] !== edge.poolNumber || to[slot] !== edge.to) slot++;
    // What other touches of its pool leave of it is not known.
    if (steepest(slot) !== undefined) return;
    const ratio = Math.exp((logPrices.get(edge.from) as number) - (logPrices.get(edge.to) as number));
    const slope = Math.min(ratio, edge.spot);
    const { sellAmount, buyAmount } = mostEarned(edge, slope, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    const above = Math.max(0, (1 + FLOAT_ERROR) * buyAmount - (1 - FLOAT_ERROR) * slope * sellAmount);
    tangents.set(slot, { slope, above, gas: gasOfTrade(goal, edge, 0), to: edge.to });
  });
  return tangents;
}

/** By number of pools the labels of all nodes that may lie so far before the bought token. */
function layersTo(asked: Asked): readonly Layer[] {
  const { session, goal, steepest, tangents, sellPrice, counts, wrapping } = asked;
  const { graph, source, sink, maxHops: levels } = session;
  const { order } = wrapping;
  const { start, to, twin, spot, deepest, gas, dead } = graph;
  const { costPerGas } = goal;
  const perGas = gasAtPrice(goal, sellPrice);
  const isUseful = usefulness(asked);
  const layers: Layer[] = [new Map([[sink, [{ rate: 1, cost: 0, next: -1 }]]])];
  for (let left = 1; left <= levels; left++) {
    const before = layers[left - 1] as Layer;
    const layer = new Map(before);
    for (const [node, labels] of before) {
      if (node === source) continue;
      const end = start[node + 1] as number;
      session.steps += end - (start[node] as number);
      const best = labels.reduce((most, { rate }) => Math.max(most, rate), 0);
      for (let back = start[node] as number; back < end; back++) {
        const from = to[back] as number;
        if (from === sink || (dead[from] === 1 && from !== source)) continue;
        if (left === levels && from !== source) continue;
        const slot = twin[back] as number;
        const moved = steepest(slot);
        const first = moved ?? (spot[slot] as number);
        const leastCost = counts === "by path" ? (1 - FLOAT_ERROR) * (gas[slot] as number) * costPerGas : 0;
        // Most pools lead nowhere that is worth it: told before anything else is looked at.
        if (!(first > 0) || !isUseful(from, first * best, leastCost, levels - left)) continue;
        if (left === levels - 1 && session.hopsFromSource(from) > 1) continue;
        const known = layer.get(from);
        const tangent = tangents.get(slot);
        if (known !== undefined && tangent === undefined && isCovered(known, first * best, leastCost, node)) continue;
        if (!session.allowsSlot(slot)) continue;
        const edge = graph.edgeAt(slot);
        const isWrapped =
          (node === sink && buyTokenOf(edge) !== order.buyToken) ||
          (from === source && sellTokenOf(edge) !== order.sellToken);
        const own = (1 - FLOAT_ERROR) * (gasOfTrade(goal, edge, 0) + (isWrapped ? wrapping.gas : 0)) * costPerGas;
        let all = known ?? NO_LABELS;
        for (const { rate, cost, next } of labels) {
          if (next === from) continue;
          // Of a curve that bends upwards, and has no ceiling, no best rate is known.
          let slope = (edge.curve.ceiling ?? edge.curve).concave ? (tangent?.slope ?? first) : Number.POSITIVE_INFINITY;
          if (tangent === undefined && moved === undefined && counts === "by pool" && perGas > 0)
            slope *= discount((gas[slot] as number) * perGas, first * rate * (deepest[slot] as number));
          const spent = counts === "by path" ? cost + own : cost;
          if (slope > 0 && isUseful(from, slope * rate, spent, levels - left))
            all = withLabel(all, slope * rate, spent, node);
        }
        if (all !== known && all.length > 0) layer.set(from, all);
      }
    }
    layers.push(layer);
  }
  return layers;
}

/** Whether a label can be of use: what it makes of a unit at a node, the gas of its path, and the pools that may come before. */
type IsUseful = (node: number, rate: number, cost: number, pools: number) => boolean;

/**
 * A label is of no use where it makes less of all that is sold, at prices at rest, than the flow's own pools do, net of the gas
 * of all of these. No pool makes more of a value at rest than the one that stands furthest off these prices.
 */
function usefulness({ session, goal, tangents, sellPrice, counts }: Asked): IsUseful {
  const { graph, source, restless, maxHops, workspace } = session;
  const { rest, gain } = graph;
  const spent =
    counts === "by path" ? [...tangents.values()].reduce((sum, { gas }) => sum + gas, 0) * goal.costPerGas : 0;
  // What a purchase sells by a path is not known yet, nor what pools pay before which other touches may come.
  if (goal.kind === "buy" ? spent > 0 : workspace.hasPoolsThatOthersMove(graph)) return () => true;
  const amount = goal.kind === "sell" ? goal.amount : 1;
  const net = (1 - ROUNDING) * amount * sellPrice - (1 + ROUNDING) * spent;
  const most = restless.reduce((all, slot) => Math.max(all, gain[slot] as number), 1 + ROUNDING);
  const sold = Array.from({ length: maxHops + 1 }, (_, pools) => amount * (rest[source] as number) * most ** pools);
  return (node, rate, cost, pools) => (rate * (sold[pools] as number)) / (rest[node] as number) - cost >= net;
}

/**
 * The part of its best rate that a hyperbola has for nothing: where what it earns is worth its gas. It earns
 * value * (1 - sqrt(part))^2, with `value` what its depth is worth at the best rate.
 */
function discount(gas: number, value: number): number {
  return value <= gas ? 0 : (1 - Math.sqrt(gas / value)) ** 2;
}
