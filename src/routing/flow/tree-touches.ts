import { dealOut } from "./deal-out.ts";
import type { Want } from "./piece.ts";
import { type EdgeProducer, producersOf } from "./producers.ts";
import type { Settled } from "./settled.ts";

/** A touch of a pool in trees. */
interface TreeTouch {
  /** The position of its edge in the flow. */
  readonly position: number;
  /** The number of the touch that it makes the input of; undefined for one that pays the taker. */
  readonly above: number | undefined;
}

/** One that wants a token: a touch, by its number, or the taker. */
interface NumberedWant extends Want {
  readonly above: number | undefined;
}

/** What was worked out before: a flow never changes, and is asked for this again and again. */
const known = new WeakMap<Settled, readonly TreeTouch[]>();

/**
 * The touches of pools that a flow makes where an amount is bought, as trees, each behind the one that it makes the input of:
 * each token is made in pieces, and each piece wants the part of what its pool takes that it is of what that gives, about.
 */
export function treeTouches(flow: Settled): readonly TreeTouch[] {
  const before = known.get(flow);
  if (before !== undefined) return before;
  const touches = workedOut(flow);
  known.set(flow, touches);
  return touches;
}

function workedOut(flow: Settled): TreeTouch[] {
  const producers = producersOf(flow);
  const wants: NumberedWant[][] = producers.map(() => []);
  wants.at(-1)?.push({ amount: Number.POSITIVE_INFINITY, above: undefined });
  const touches: TreeTouch[] = [];
  // The first place is that of the sold token.
  for (let at = producers.length - 1; at > 0; at--) {
    const pieces = dealOut(wants[at] as NumberedWant[], producers[at] as EdgeProducer[]);
    for (const { want, producer, gives } of pieces) {
      const above = touches.push({ position: producer.position, above: want.above }) - 1;
      wants[producer.from]?.push({ amount: (producer.sell * gives) / producer.buys, above });
    }
  }
  return touches;
}
