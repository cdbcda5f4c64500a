import type { Settled } from "../flow/settled.ts";
import { dealOut } from "./deal-out.ts";
import type { Want } from "./piece.ts";
import { type EdgeProducer, producersOf } from "./producers.ts";

/** What was counted before: a flow never changes, and is asked for this again and again. */
const counted = new WeakMap<Settled, number>();

/**
 * How often a flow touches pools where an amount is bought, as trees: each token is made in pieces, and each piece wants
 * the part of what its pool takes that it is of what that gives, about.
 */
export function treeTouches(flow: Settled): number {
  const known = counted.get(flow);
  if (known !== undefined) return known;
  const touches = countedAnew(flow);
  counted.set(flow, touches);
  return touches;
}

function countedAnew(flow: Settled): number {
  const producers = producersOf(flow);
  const wants: Want[][] = producers.map(() => []);
  wants.at(-1)?.push({ amount: Number.POSITIVE_INFINITY });
  let touches = 0;
  // The first place is that of the sold token.
  for (let at = producers.length - 1; at > 0; at--) {
    const pieces = dealOut(wants[at] as Want[], producers[at] as EdgeProducer[]);
    touches += pieces.length;
    for (const { producer, gives } of pieces)
      wants[producer.from]?.push({ amount: (producer.sell * gives) / producer.buys });
  }
  return touches;
}
