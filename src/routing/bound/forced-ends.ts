import type { SwapOrder } from "../../domain/order.ts";
import { curveOf, mathOf } from "../../pools/pool.ts";
import { isRejection } from "../../pools/pool-math.ts";
import type { Edge } from "../edges/edges.ts";
import { sellAmountFor } from "../plan/sell-amount.ts";
import type { Session } from "../session/session.ts";
import { FLOAT_ERROR } from "./certificate.ts";

/** What every route of a trade does before and after it has anything to choose. */
export interface ForcedEnds {
  /** The tokens between which routes differ: the same one where there is a single route. */
  readonly source: number;
  readonly sink: number;
  /** The pools that all that is sold passes first, one behind the other, and those that all that is bought has passed last. */
  readonly head: readonly Edge[];
  readonly tail: readonly Edge[];
}

/**
 * Follows a trade from its ends as long as there is one pool to go on with, of two tokens. At the end whose amount is only
 * bounded these are hyperbolas or concentrated: they pay no less for more, and parts of what a purchase sells take no less
 * than the whole.
 */
export function forcedEnds(session: Session, kind: SwapOrder["kind"]): ForcedEnds {
  const met = new Set([session.source, session.sink]);
  /** The pool of a slot where that is the only one and its pool does here. */
  const only = (slots: readonly number[], isGiven: boolean): Edge | undefined => {
    if (slots.length !== 1) return undefined;
    const edge = session.graph.edgeAt(slots[0] as number);
    const isPlain = edge.depth > 0 || curveOf(edge.pool).isMonotone === true;
    return edge.pool.tokens.length === 2 && (isGiven || isPlain) ? edge : undefined;
  };
  const head: Edge[] = [];
  let { source, sink } = session;
  while (source !== sink) {
    const edge = only(slotsAt(session, source, sink, met, false), kind === "exactIn");
    if (edge === undefined) break;
    head.push(edge);
    source = edge.to;
    met.add(source);
  }
  const tail: Edge[] = [];
  while (sink !== source) {
    const edge = only(slotsAt(session, sink, source, met, true), kind === "exactOut");
    if (edge === undefined) break;
    tail.unshift(edge);
    sink = edge.from;
    met.add(sink);
  }
  return { source, sink, head, tail };
}

/** The slots by which a route may pass from a token, or `isInto` to it, to others than those `met`, or to `end`: two at most. */
function slotsAt(
  session: Session,
  node: number,
  end: number,
  met: ReadonlySet<number>,
  isInto: boolean,
): readonly number[] {
  const { start, to, dead, twin } = session.graph;
  const slots: number[] = [];
  for (let at = start[node] as number; at < (start[node + 1] as number) && slots.length < 2; at++) {
    const other = to[at] as number;
    if (other !== end && (met.has(other) || dead[other] === 1)) continue;
    const slot = isInto ? (twin[at] as number) : at;
    const isUsable = isInto ? session.usable(other, node) : session.usable(node, other);
    if (isUsable && session.allowsSlot(slot)) slots.push(slot);
  }
  return slots;
}

/**
 * What pools pay one after the other for an amount; undefined where one of them does not take it. `isGiven`: whether it is an
 * amount that they are given; else it is the most that they may be, and what floats have them pay for it at most is told where
 * they are no hyperbolas, which may round otherwise in parts.
 */
export function paidThrough(
  { time }: Session,
  edges: readonly Edge[],
  sellAmount: bigint,
  isGiven: boolean,
): bigint | undefined {
  let amount = sellAmount;
  for (const { pool, direction, depth, curve } of edges) {
    if (!isGiven && !(depth > 0)) {
      const most = curve.buyAmountFor(Number(amount)) * (1 + FLOAT_ERROR);
      if (!Number.isFinite(most)) return undefined;
      amount = BigInt(Math.ceil(most));
      continue;
    }
    const quote = mathOf(pool).quoteExactIn(pool.state, direction, amount, time);
    if (isRejection(quote) || quote.unused !== undefined) return undefined;
    amount = quote.amount;
  }
  return amount;
}

/** What pools take one after the other to pay an amount, at the least; undefined where one of them does not pay it. */
export function takenThrough(
  { time }: Session,
  edges: readonly Edge[],
  buyAmount: bigint,
  isGiven: boolean,
): bigint | undefined {
  let amount = buyAmount;
  for (const edge of edges.toReversed()) {
    if (!isGiven && !(edge.depth > 0)) {
      const least = sellAmountFor(edge, Number(amount)) * (1 - FLOAT_ERROR);
      if (!Number.isFinite(least)) return undefined;
      amount = BigInt(Math.floor(least));
      continue;
    }
    const quote = mathOf(edge.pool).quoteExactOut(edge.pool.state, edge.direction, amount, time);
    if (isRejection(quote)) return undefined;
    amount = quote.amount;
  }
  return amount;
}
