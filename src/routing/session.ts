import type { Pool } from "../pools/pool.ts";
import type { EdgeGraph } from "./edges.ts";

/** What one search works with, and what it has spent. */
export interface Session {
  readonly graph: EdgeGraph;
  readonly source: number;
  readonly sink: number;
  readonly maxHops: number;
  /** Asked once a pool, then remembered. */
  readonly allows: (pool: Pool) => boolean;
  /** Evaluations of one pool so far. */
  steps: number;
  /** Whether the budget is used up or the caller's deadline has passed. */
  readonly over: () => boolean;
}
