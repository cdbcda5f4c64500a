import type { SearchBudget } from "../routing/router.ts";

/** Bounds on one search besides the hops, which the operator sets. */
export const SEARCH_BUDGET: Pick<SearchBudget, "maxFills" | "maxSteps"> = { maxFills: 160, maxSteps: 4_000_000 };
