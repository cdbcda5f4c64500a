import { mostEarned, type Room } from "../edges/trade-at.ts";
import { gasOfTrade, mostSoldFor, priceOf } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { tokenPairOf } from "../plan/execution.ts";
import { type Goal, gasAtPrice, type Search } from "../session/search.ts";
import { FLOAT_ERROR } from "./measure.ts";
import { bestRate, type Gain, labelsTo, NO_LABELS, type Path, type PathTerms } from "./path-labels.ts";
import { type SteepestRates, steepestRates } from "./steepest-rates.ts";

/** Inputs of a bound by paths that a flow does not tell, and what it may cost. */
export interface Useful {
  readonly room: Room;
  /** Gas of wrapping or unwrapping, at the least; 0 where nothing wraps. */
  readonly wrapGas: number;
  /** Whether arbitrage between pools earns more than the trade: then gas counts by path alone, as pools by themselves prove nothing. */
  readonly hopeless: boolean;
  /** The largest bound that is still useful. */
  readonly limit: number;
  /** Slots and labels that may be looked at for either way to count gas. */
  readonly mostSteps: number;
}

/**
 * The most that a route is worth by `netOf`; undefined where that cannot be told, or is more than `limit`.
 *
 * A concave pool pays no more for x than c + s * x, for any slope s, with c the most that it pays beyond s * x. So a route
 * makes of the sold amount no more than the product of s along the best of its paths, and of each c no more than the product
 * of s along the best path from there. Gas counts in one of two ways, and the lower bound is the answer. By pool: pools of the
 * flow have the slope that they have after it, where c is what they earn, and all others the rate at which they would earn
 * just their gas; tight where a trade is split over many. By path: all pools have their best rate, and a route pays the gas of one
 * of its paths; tight where a trade is worth little more than its gas. Needs no prices, and is not misled by arbitrage that is
 * larger than the trade.
 */
export function pathBound(search: Search, flow: Split, useful: Useful): number | undefined {
  if (flow.support.shared.size > 0) return undefined;
  const { hopeless, limit, mostSteps } = useful;
  const { costPerGas } = search;
  const steepest = steepestRates(search, useful.room);
  const common = { isTooMuch: (path: Path) => worthOver(search, path) > limit, mostSteps };
  const byPool = hopeless && costPerGas > 0 ? Number.POSITIVE_INFINITY : mostByPool(search, flow, steepest, common);
  if (costPerGas === 0) return byPool <= limit ? byPool : undefined;
  const paths = labelsTo(search, { ...common, ...termsByPath(search, flow, steepest, useful) })?.get(search.source);
  const most = Math.min(byPool, mostOf(search, paths, 0));
  return most <= limit ? most : undefined;
}

/** The bound with the gas of each pool by itself; infinite where it cannot be told. */
function mostByPool(
  search: Search,
  flow: Split,
  steepest: SteepestRates,
  common: Pick<PathTerms, "isTooMuch" | "mostSteps">,
): number {
  const { gas, deepest } = search.graph;
  const perGas = gasAtPrice(search, priceOf(flow, search.source));
  const tangents = tangentsOf(search, flow, steepest);
  const worth = (slot: number, paid: number): number => {
    const known = tangents.get(slot)?.slope ?? steepest(slot);
    if (known !== undefined) return known * paid;
    const made = slopeAt(search, slot) * paid;
    return made * partForNothing((gas[slot] as number) * perGas, made * (deepest[slot] as number));
  };
  const gain: Gain = (rate, than) => rate - than;
  const labels = labelsTo(search, { ...common, worth, cost: () => 0, gain });
  let extra = 0;
  for (const { above, gas, to } of tangents.values())
    extra += Math.max(0, above * bestRate(labels?.get(to) ?? NO_LABELS) - gas * perGas);
  return mostOf(search, labels?.get(search.source), extra);
}

/** Largest gas that a pool counts for, as a multiple of that of the dearest pool of the flow. */
const DEAREST = 1.5;

/** Terms of the bound with the gas of one path. */
function termsByPath(search: Search, flow: Split, steepest: SteepestRates, { wrapGas, limit }: Useful) {
  const { side, source, sink, costPerGas, maxFills, request, graph } = search;
  const { from, to, gas, edgeAt } = graph;
  const mostSold = mostSoldFor(search, flow);
  /** No pool counts for more than so much, and so no path for more than `maxFills` of them. */
  const dearest = costPerGas * (wrapGas + DEAREST * Math.max(...flow.support.edges.map((edge) => edge.gas)));
  /** A path that makes more than this before gas is worth more than the limit, and so is what its labels give way to. */
  const most = limit + 2 * maxFills * dearest;
  const gain: Gain = (rate, than) => (side === "exactIn" ? most * (1 - than / rate) : mostSold * (rate / than - 1));
  const isWrapped = (slot: number): boolean => {
    const { sellToken, buyToken } = tokenPairOf(edgeAt(slot));
    const { order } = request;
    return (
      (to[slot] === sink && buyToken !== order.buyToken) || (from[slot] === source && sellToken !== order.sellToken)
    );
  };
  const cost = (slot: number): number => {
    const wrap = wrapGas > 0 && isWrapped(slot) ? wrapGas : 0;
    return (1 - FLOAT_ERROR) * Math.min(dearest, ((gas[slot] as number) + wrap) * costPerGas);
  };
  const worth = (slot: number, paid: number) => (steepest(slot) ?? slopeAt(search, slot)) * paid;
  return { worth, cost, gain };
}

/** Upper bound of the trade over the best of these paths, with `extra` paid by pools on top; infinite where they are not known. */
function mostOf(search: Search, paths: readonly Path[] | undefined, extra: number): number {
  if (paths === undefined) return Number.POSITIVE_INFINITY;
  /** For what floats do not tell of the rate of a path, which is a product of so many. */
  const room = (1 + FLOAT_ERROR) ** (2 * search.maxFills);
  return Math.max(...paths.map(({ rate, cost }) => worthOver(search, { rate: room * rate, cost }, room * extra)));
}

/** Value of the trade over one path, net of its gas, with `extra` paid by pools on top. */
function worthOver({ side, amount }: Goal, { rate, cost }: Path, extra = 0): number {
  return side === "exactIn" ? amount * rate - cost + extra : -((amount - extra) / rate + cost);
}

/** Best rate of the pool in a slot. */
function slopeAt({ graph: { depth, spot, edgeAt } }: Search, slot: number): number {
  // A curve that bends upwards, without a ceiling, has no known best rate.
  if (!((depth[slot] as number) > 0)) {
    const { curve } = edgeAt(slot);
    if (!(curve.ceiling ?? curve).concave) return Number.POSITIVE_INFINITY;
  }
  return spot[slot] as number;
}

/** A pool of the flow at its slope after the flow. */
interface Tangent {
  readonly slope: number;
  /** Upper limit of further payments, with a margin for float errors. */
  readonly above: number;
  readonly gas: number;
  readonly to: number;
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

/**
 * The part of its best rate that a hyperbola has for nothing: where what it earns is worth its gas. It earns
 * value * (1 - sqrt(part))^2, with `value` what its depth is worth at the best rate.
 */
function partForNothing(gas: number, value: number): number {
  return value <= gas ? 0 : (1 - Math.sqrt(gas / value)) ** 2;
}
