import type { Edge } from "../edges/edges.ts";

/** As many of these edges, the first ones first, as form no cycle and neither enter the source nor leave the sink. */
export function withoutCycles(edges: readonly Edge[], source: number, sink: number): Edge[] {
  const kept: Edge[] = [];
  /** The nodes that lead to a node over what is kept, itself included. */
  const behind = new Map<number, Set<number>>();
  const setOf = (node: number): Set<number> => {
    let set = behind.get(node);
    if (set === undefined) {
      set = new Set([node]);
      behind.set(node, set);
    }
    return set;
  };
  for (const edge of edges) {
    const { from, to } = edge;
    const before = setOf(from);
    if (to === source || from === sink || before.has(to)) continue;
    kept.push(edge);
    if (setOf(to).has(from)) continue;
    for (const set of behind.values()) if (set.has(to)) for (const node of before) set.add(node);
  }
  return kept;
}
