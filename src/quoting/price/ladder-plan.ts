import { compare } from "../../math/full-math.ts";

/** Largest factor between two amounts that are searched in full, where those between them begin from both. */
const FACTOR = 4n;

/** Order in which the amounts of a ladder are searched. All numbers are places of amounts. */
export interface LadderPlan {
  /** Searched in full, as single prices are: the smallest amount, the largest, and one for each factor of four between. */
  readonly full: readonly number[];
  /** The others, each with those of the next smaller and the next larger amount that are searched in full. */
  readonly between: readonly { readonly place: number; readonly from: readonly [number, number] }[];
}

/** Plans by amounts alone, so that every process answers a ladder alike. Equal amounts have equal places in the plan. */
export function planLadder(amounts: readonly bigint[]): LadderPlan {
  const amountAt = (place: number) => amounts[place] as bigint;
  const places = [...amounts.keys()].sort((a, b) => compare(amountAt(a), amountAt(b)));
  const full: number[] = [];
  let waiting: number[] = [];
  const others: { place: number; from: readonly [number, number] }[] = [];
  for (const [rank, place] of places.entries()) {
    const last = full.at(-1);
    const next = places[rank + 1];
    const isEqual = last !== undefined && amountAt(last) === amountAt(place);
    const isLast = next === undefined;
    if (last !== undefined && !isEqual && !isLast && amountAt(next) <= FACTOR * amountAt(last)) {
      waiting.push(place);
      continue;
    }
    if (last !== undefined) for (const each of waiting) others.push({ place: each, from: [last, place] });
    waiting = [];
    full.push(place);
  }
  return { full, between: others };
}
