import { mostEarned, type Room } from "../edges/trade-at.ts";
import { gasOfTrade, priceOf } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { tokenPairOf } from "../plan/execution.ts";
import { type Goal, gasAtPrice, type Search } from "../session/search.ts";
import { ratesOfAnyLength } from "./any-length.ts";
import { FLOAT_ERROR } from "./measure.ts";
import { type SteepestRates, steepestRates } from "./steepest-rates.ts";

/** Labels by node, for paths of at most so many pools. */
type Layer = Map<number, readonly Label[]>;

/**
 * The most that a route is worth by `netOf`; undefined where that cannot be told, or is more than `limit`.
 *
 * A concave pool pays no more for x than c + s * x, for any slope s, with c the most that it pays beyond s * x. So a route
 * makes of the sold amount no more than the product of s along the best of its paths, and of each c no more than the product
 * of s along the best path from there. No path of a route comes to a token twice; of the cycles that this rules out those of two
 * pools are left out here, which are all that four pools can pass on the way. Pools of the flow have the slope that they have
 * after it, where c is what they earn. Of all others gas counts in one of two ways, and the lower bound is the answer.
 * By path: they have their best rate, and a route pays the gas of one of its paths; tight where a trade is worth little more
 * than its gas. By pool: they have the rate at which they would earn just their gas, for nothing; tight where a trade is split
 * over many. Needs no prices, and is not misled by arbitrage that is larger than the trade: a path passes it once.
 */
export function pathBound(search: Search, flow: Split, useful: Useful): number | undefined {
  if (flow.support.shared.size > 0) return undefined;
  const asked = askedOf(search, flow, useful);
  const byPool = mostByPool(asked);
  const most = byPool === undefined ? Number.POSITIVE_INFINITY : Math.min(byPool, mostByPath(asked));
  return most <= useful.limit ? most : undefined;
}

/** Inputs of a bound by paths that a flow does not tell, and what it may cost. */
export interface Useful {
  readonly room: Room;
  /** Gas of wrapping or unwrapping, at the least; 0 where nothing wraps. */
  readonly wrapGas: number;
  /** The largest bound that is still useful. */
  readonly limit: number;
  /** Slots that the best rates of all tokens may be looked for in. */
  readonly mostSteps: number;
}

/** With the pools of the flow by slot, and the price of a sold unit in it, in bought units. */
function askedOf(search: Search, flow: Split, useful: Useful) {
  const steepest = steepestRates(search, useful.room);
  const sellPrice = priceOf(flow, search.source);
  return { ...useful, search, steepest, tangents: tangentsOf(search, flow, steepest), sellPrice };
}

type Asked = ReturnType<typeof askedOf>;

/** A pool of the flow at its slope after the flow. */
interface Tangent {
  readonly slope: number;
  /** Upper limit of further payments, with a margin for float errors. */
  readonly above: number;
  readonly gas: number;
  readonly to: number;
}

/** Whether a rate over paths of so many pools is too much for a bound by path to be useful, whatever else is known. */
function isTooMuchByPath({ search, limit }: Asked, rate: number, pools: number): boolean {
  const { maxHops, maxFills } = search;
  // Paths of one pool more than `maxHops` count by the best rate of any length, which shorter ones have as well.
  return (
    maxFills > maxHops && worthOver(search, { rate, cost: leastCostOf(search, Math.max(pools, maxHops + 1)) }) > limit
  );
}

/** Least gas of so many pools, in the token that gas is measured in. */
function leastCostOf({ leastGas, costPerGas }: Search, pools: number): number {
  return pools * leastGas * costPerGas * (1 - FLOAT_ERROR);
}

/** The bound by path, infinite where it cannot be told: up to `maxHops` pools one by one, of longer paths by the best rates. */
function mostByPath(asked: Asked): number {
  const { search, tangents, limit, mostSteps } = asked;
  const { source, maxHops, maxFills } = search;
  const isTooMuch = (rate: number, pools: number) => isTooMuchByPath(asked, rate, pools);
  const worth = (slot: number, paid: number) => slopeAt(asked, slot) * paid;
  const found = ratesOfAnyLength(search, worth, { isFinal: false, isTooMuch, mostSteps });
  if (found === undefined) return Number.POSITIVE_INFINITY;
  const rateOver = (node: number, pools: number) =>
    (found.rates[node] as number) * found.growth ** Math.max(0, pools - found.pools);
  let extra = 0;
  for (const { above, to } of tangents.values()) extra += above * rateOver(to, maxFills);
  const longer: Path[] = [];
  for (let pools = maxHops + 1; pools <= maxFills; pools++)
    longer.push({ rate: rateOver(source, pools), cost: leastCostOf(search, pools) });
  const most = mostOf(asked, longer, extra);
  return most > limit ? most : Math.max(most, mostOf(asked, layersTo(asked)[maxHops]?.get(source) ?? [], extra));
}

/** The bound by pool, infinite where it cannot be told; undefined where that by path is too much then as well. */
function mostByPool(asked: Asked): number | undefined {
  const { search, tangents, sellPrice, limit, mostSteps } = asked;
  const perGas = gasAtPrice(search, sellPrice);
  const worth = (slot: number, paid: number): number => {
    const made = slopeAt(asked, slot) * paid;
    const isFixed = tangents.has(slot) || asked.steepest(slot) !== undefined;
    const { gas, deepest } = search.graph;
    if (made === 0 || isFixed) return made;
    return made * partForNothing((gas[slot] as number) * perGas, made * (deepest[slot] as number));
  };
  let isHopeless = false;
  const isTooMuch = (rate: number, pools: number) => {
    // By path no pool has a lower rate.
    isHopeless = isTooMuchByPath(asked, rate, pools);
    return worthOver(search, { rate, cost: 0 }) > limit;
  };
  const found = ratesOfAnyLength(search, worth, { isFinal: true, isTooMuch, mostSteps });
  if (found === undefined) return isHopeless ? undefined : Number.POSITIVE_INFINITY;
  let extra = 0;
  for (const { above, gas, to } of tangents.values())
    extra += Math.max(0, above * (found.rates[to] as number) - gas * perGas);
  return mostOf(asked, [{ rate: found.rates[search.source] as number, cost: 0 }], extra);
}

/** Upper bound of the trade over the best of these paths, with `extra` paid by pools on top. */
function mostOf({ search }: Asked, paths: readonly Path[], extra: number): number {
  /** For what floats do not tell of the rate of a path, which is a product of so many. */
  const room = (1 + FLOAT_ERROR) ** (2 * search.maxFills);
  return Math.max(...paths.map(({ rate, cost }) => worthOver(search, { rate: room * rate, cost }, room * extra)));
}

type Path = Pick<Label, "rate" | "cost">;

/** Value of the trade over one path, net of its gas, with `extra` paid by pools on top. */
function worthOver({ side, amount }: Goal, { rate, cost }: Path, extra = 0): number {
  return side === "exactIn" ? amount * rate - cost + extra : -((amount - extra) / rate + cost);
}

/** Highest rate of the pool in a slot, beyond the amount that is counted separately. */
function slopeAt({ search, tangents, steepest }: Asked, slot: number): number {
  const known = tangents.get(slot);
  if (known !== undefined) return known.slope;
  const { depth, spot, edgeAt } = search.graph;
  // A curve that bends upwards, without a ceiling, has no known best rate.
  if (!((depth[slot] as number) > 0)) {
    const { curve } = edgeAt(slot);
    if (!(curve.ceiling ?? curve).concave) return Number.POSITIVE_INFINITY;
  }
  return steepest(slot) ?? (spot[slot] as number);
}

/** The pools of a flow by slot. */
function tangentsOf(
  search: Search,
  { support, logPrices }: Split,
  steepest: SteepestRates,
): ReadonlyMap<number, Tangent> {
  const { start, pool, to, edgeAt } = search.graph;
  const tangents = new Map<number, Tangent>();
  for (const used of support.edges) {
    let slot = start[used.from] as number;
    while (pool[slot] !== used.poolNumber || to[slot] !== used.to) slot++;
    // The state in which other pool uses leave this pool is not known.
    if (steepest(slot) !== undefined) continue;
    // The flow's own edge may end at a tick, behind which other routes go on.
    const edge = edgeAt(slot);
    const ratio = Math.exp((logPrices.get(edge.from) as number) - (logPrices.get(edge.to) as number));
    const slope = Math.min(ratio, edge.spot);
    const { sellAmount, buyAmount } = mostEarned(edge, slope, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    const above = Math.max(0, (1 + FLOAT_ERROR) * buyAmount - (1 - FLOAT_ERROR) * slope * sellAmount);
    tangents.set(slot, { slope, above, gas: gasOfTrade(search, edge, 0), to: edge.to });
  }
  return tangents;
}

/** By number of pools the labels of all nodes that may lie so far before the bought token. */
function layersTo(asked: Asked): readonly Layer[] {
  const { search, steepest, tangents, wrapGas } = asked;
  const { graph, source, sink, maxHops } = search;
  const { order } = search.request;
  const { start, to, twin, spot, gas, dead } = graph;
  const { costPerGas } = search;
  const layers: Layer[] = [new Map([[sink, [{ rate: 1, cost: 0, next: -1 }]]])];
  for (let left = 1; left <= maxHops; left++) {
    const before = layers[left - 1] as Layer;
    const layer = new Map(before);
    for (const [node, labels] of before) {
      if (node === source) continue;
      const end = start[node + 1] as number;
      search.work.steps += end - (start[node] as number);
      const best = labels.reduce((most, { rate }) => Math.max(most, rate), 0);
      for (let back = start[node] as number; back < end; back++) {
        const from = to[back] as number;
        if (from === sink || (dead[from] === 1 && from !== source)) continue;
        if (left === maxHops && from !== source) continue;
        const slot = twin[back] as number;
        const first = steepest(slot) ?? (spot[slot] as number);
        const leastCost = (1 - FLOAT_ERROR) * (gas[slot] as number) * costPerGas;
        if (!(first > 0)) continue;
        if (left === maxHops - 1 && search.hopsFromSource(from) > 1) continue;
        const known = layer.get(from) ?? NO_LABELS;
        if (!tangents.has(slot) && isCovered(known, first * best, leastCost, node)) continue;
        if (!search.allowsSlot(slot)) continue;
        const edge = graph.edgeAt(slot);
        const { sellToken, buyToken } = tokenPairOf(edge);
        const isWrapped =
          (node === sink && buyToken !== order.buyToken) || (from === source && sellToken !== order.sellToken);
        const own = (1 - FLOAT_ERROR) * (gasOfTrade(search, edge, 0) + (isWrapped ? wrapGas : 0)) * costPerGas;
        const slope = slopeAt(asked, slot);
        let all = known;
        for (const { rate, cost, next } of labels)
          if (next !== from) all = withLabel(all, slope * rate, cost + own, node);
        if (all !== known) layer.set(from, all);
      }
    }
    layers.push(layer);
  }
  return layers;
}

/**
 * The part of its best rate that a hyperbola has for nothing: where what it earns is worth its gas. It earns
 * value * (1 - sqrt(part))^2, with `value` what its depth is worth at the best rate.
 */
function partForNothing(gas: number, value: number): number {
  return value <= gas ? 0 : (1 - Math.sqrt(gas / value)) ** 2;
}

/**
 * Most that a route can make of one unit of a token over a path to the bought token: bought units for one, the gas of the
 * path in base units of the token that gas is measured in, and the node that it leads to first.
 */
export interface Label {
  readonly rate: number;
  readonly cost: number;
  readonly next: number;
}

export const NO_LABELS: readonly Label[] = [];

/** Whether labels are as good in every respect: one that leads on as this one, or two that lead on otherwise. */
function isCovered(labels: readonly Label[], rate: number, cost: number, next: number): boolean {
  let others = 0;
  let other = -2;
  for (const label of labels) {
    if (label.rate < rate || label.cost > cost) continue;
    if (label.next === next) return true;
    if (label.next !== other) others++;
    other = label.next;
    if (others >= 2) return true;
  }
  return false;
}

/** Labels and one more, without those that it makes useless. */
export function withLabel(labels: readonly Label[], rate: number, cost: number, next: number): readonly Label[] {
  if (isCovered(labels, rate, cost, next)) return labels;
  let kept: readonly Label[] = [{ rate, cost, next }, ...labels];
  // One by one: labels that are as good as each other would all make each other useless.
  for (const label of labels) {
    const others = kept.filter((other) => other !== label);
    if (isCovered(others, label.rate, label.cost, label.next)) kept = others;
  }
  return kept;
}
