import type { Relaxed } from "../bound/relax.ts";
import type { Goal } from "../flow/goal.ts";

/** What a climb takes in. */
export interface Stage {
  /** Parcel sizes that columns are looked for with, as parts of the trade: large ones first, so that dust comes last. */
  readonly parcels: readonly number[];
  /** Progress at which it goes on, in multiples of what may be left open at all. */
  readonly tolerance: number;
}

const LARGE = 0.05;
const SMALL = 0.001;

/** All at once. */
export const WHOLE: Stage = { parcels: [LARGE, SMALL], tolerance: 1 };
/** What decides which flow it is to be, where each start ends at one of its own. */
export const ROUGH: Stage = { parcels: [LARGE], tolerance: 1000 };
/** What then joins the best of them. */
export const REST: Stage = { parcels: [SMALL], tolerance: 100 };
/** Once more from an answer. */
export const AGAIN: Stage = { parcels: [LARGE, SMALL], tolerance: 100 };

/**
 * What climbs from different flows take in before one of them is chosen. Where pools stand off each other those of a sale come
 * to flows that lie far apart, and dust changes little of that: it joins the best one alone. What a purchase takes is decided
 * by what is nearly free.
 */
export function stageOf({ kind }: Pick<Goal, "kind">, { hopeless }: Pick<Relaxed, "hopeless">): Stage {
  return hopeless && kind === "sell" ? ROUGH : WHOLE;
}
