import type { Room } from "../edges/trade-at.ts";
import { mostSoldFor } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { tokenPairOf } from "../plan/execution.ts";
import type { Goal, Search } from "../session/search.ts";
import { FLOAT_ERROR } from "./measure.ts";
import { type Gain, labelsTo, type Path } from "./path-labels.ts";
import { steepestRates } from "./steepest-rates.ts";

/** Inputs of a bound by paths that a flow does not tell, and what it may cost. */
export interface Useful {
  readonly room: Room;
  /** Gas of wrapping or unwrapping, at the least; 0 where nothing wraps. */
  readonly wrapGas: number;
  /** The largest bound that is still useful. */
  readonly limit: number;
  /** Slots and labels that may be looked at. */
  readonly mostSteps: number;
}

/**
 * The most that a route is worth by `netOf`; undefined where that cannot be told, or is more than `limit`.
 *
 * A concave pool pays no more for x than its best rate times x. So a route makes of the sold amount no more than the product of these
 * rates along the best of its paths, and pays the gas of one of them: tight where a trade is worth little more than its gas. Needs no
 * prices, and is not misled by arbitrage that is larger than the trade.
 */
export function pathBound(search: Search, flow: Split, useful: Useful): number | undefined {
  if (flow.support.shared.size > 0) return undefined;
  const { limit, mostSteps } = useful;
  const isTooMuch = (path: Path) => worthOver(search, path) > limit;
  const paths = labelsTo(search, { ...termsOf(search, flow, useful), isTooMuch, mostSteps })?.get(search.source);
  /** For what floats do not tell of the rate of a path, which is a product of so many. */
  const room = (1 + FLOAT_ERROR) ** (2 * search.maxFills);
  const most = paths && Math.max(...paths.map(({ rate, cost }) => worthOver(search, { rate: room * rate, cost })));
  return most !== undefined && most <= limit ? most : undefined;
}

/** Largest gas that a pool counts for, as a multiple of that of the dearest pool of the flow. */
const DEAREST = 1.5;

/** Terms of pools at their best rates, each with its gas. */
function termsOf(search: Search, flow: Split, { room, wrapGas, limit }: Useful) {
  const { side, source, sink, costPerGas, maxFills, request, graph } = search;
  const { from, to, gas, edgeAt } = graph;
  const steepest = steepestRates(search, room);
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

/** Value of the trade over one path, net of its gas. */
function worthOver({ side, amount }: Goal, { rate, cost }: Path): number {
  return side === "exactIn" ? amount * rate - cost : -(amount / rate + cost);
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
