import type { PriceProof } from "../bound/measure.ts";
import type { Relaxed } from "../bound/relax.ts";
import type { Split } from "../flow/solve-split.ts";

/** Result of a search. */
export interface SearchOutcome {
  /** Flows worth evaluating in integers, the most promising last. The first is the best single path. */
  readonly found: readonly Split[];
  /** The trade without gas and without limits of shape. */
  readonly relaxed: Relaxed;
  /** Bound that the prices of that trade prove for this one. */
  readonly proof: PriceProof;
  /** It is proven that no route does the trade: `found` says what there is room for. */
  readonly isImpossible?: true;
}

/** A trade without gas and without limits of shape, and what prices prove of the trade that is asked for. */
export type Proven = Pick<SearchOutcome, "relaxed" | "proof">;
