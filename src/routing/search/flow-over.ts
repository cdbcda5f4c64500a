import type { Edge } from "../edges/edges.ts";
import { resize, solveGoal } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { connected } from "../flow/support.ts";
import type { Search } from "../session/search.ts";
import { prune } from "./prune.ts";
import { withoutCycles } from "./without-cycles.ts";

/** The flow over as many of these edges as go together, the first ones first, pruned. */
export function flowOver(
  search: Search,
  sellAmount: number,
  edges: readonly Edge[],
  start: ReadonlyMap<number, number>,
): Split | undefined {
  const { source, sink } = search;
  const fitting = connected(search, withoutCycles(edges, source, sink));
  const solved = solveGoal(search, fitting, sellAmount, start);
  return solved && resize(search, prune(search, resize(search, solved, 4)), 12);
}
