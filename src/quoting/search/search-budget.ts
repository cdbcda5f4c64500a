import type { SearchBudget } from "../../routing/router.ts";

/** Bounds on one search besides the hops and fills that the operator sets: 128 fills fit into the gas that a transaction may have. */
export const SEARCH_BUDGET: Pick<SearchBudget, "maxFills" | "maxSteps"> = { maxFills: 128, maxSteps: 4_000_000 };
