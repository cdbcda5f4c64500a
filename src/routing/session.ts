import { type Edge, type EdgeGraph, type EdgeList, listOf } from "./edges.ts";
import type { Layers } from "./layers.ts";
import type { RouteRequest } from "./router.ts";

/** What one search works with, and what it has spent. */
export interface Session {
  readonly graph: EdgeGraph;
  readonly source: number;
  readonly sink: number;
  readonly maxHops: number;
  readonly layers: Layers;
  /** The edges that leave a node and may lie on a route. */
  readonly leaving: (node: number) => EdgeList;
  /** The edges that lead to the sink. */
  readonly closing: readonly Edge[];
  /** Whether a pool leads from this node to the sink. */
  readonly closes: (node: number) => boolean;
  /** Whether the request may use an edge's pool; asked once, then remembered. */
  readonly allows: (edge: Edge) => boolean;
  /** Evaluations of one pool so far. */
  steps: number;
  /** Whether the budget is used up or the caller's deadline has passed. */
  readonly over: () => boolean;
}

/** What is known of a pool being allowed. */
const UNKNOWN = 0;
const YES = 1;
const NO = 2;

export function createSession(
  request: RouteRequest,
  graph: EdgeGraph,
  layers: Layers,
  source: number,
  sink: number,
): Session {
  const { budget } = request;
  let allowed = new Uint8Array(graph.poolCount + 1024);
  const { edges: closing, from: closers } = graph.entering(sink);
  const deadEnd = graph.isDeadEnd(sink);
  const ends = new Map<number, EdgeList>();
  const session: Session = {
    graph,
    source,
    sink,
    maxHops: budget.maxHops,
    layers,
    leaving: (node) => {
      const list = graph.leaving(node);
      const last = deadEnd ? closers.get(node) : undefined;
      if (last === undefined) return list;
      let whole = ends.get(node);
      if (whole === undefined) {
        whole = listOf([...list.edges, ...last]);
        ends.set(node, whole);
      }
      return whole;
    },
    closing,
    closes: (node) => closers.has(node),
    allows: ({ pool, poolNumber }) => {
      if (poolNumber >= allowed.length) {
        const more = new Uint8Array(2 * poolNumber);
        more.set(allowed);
        allowed = more;
      }
      if (allowed[poolNumber] === UNKNOWN) allowed[poolNumber] = request.allows(pool) ? YES : NO;
      return allowed[poolNumber] === YES;
    },
    steps: 0,
    over: () => session.steps > budget.maxSteps || budget.expired(),
  };
  return session;
}
