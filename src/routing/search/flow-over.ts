import type { Edge } from "../edges/edges.ts";
import { resize, settleGoal } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
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
): Settled | undefined {
  const { source, sink } = search;
  const fitting = connected(search, withoutCycles(edges, source, sink));
  const settled = settleGoal(search, fitting, sellAmount, start);
  return settled && resize(search, prune(search, resize(search, settled, 4)), 12);
}
