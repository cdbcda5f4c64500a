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

export function createSession(
  request: RouteRequest,
  graph: EdgeGraph,
  layers: Layers,
  source: number,
  sink: number,
): Session {
  const { budget } = request;
  const allowed: (boolean | undefined)[] = [];
  const closing = graph.entering(sink);
  const closers = new Map<number, Edge[]>();
  for (const edge of closing) closers.set(edge.from, [...(closers.get(edge.from) ?? []), edge]);
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
    allows: (edge) => {
      const { poolNumber } = edge;
      let answer = allowed[poolNumber];
      if (answer === undefined) {
        answer = request.allows(edge.pool);
        allowed[poolNumber] = answer;
      }
      return answer;
    },
    steps: 0,
    over: () => session.steps > budget.maxSteps || budget.expired(),
  };
  return session;
}
