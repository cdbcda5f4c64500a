import type { Edge } from "./edges.ts";

/**
 * As many of these edges, the first ones first, as form no cycle and no path of more than `maxHops` edges, and neither
 * enter the source nor leave the sink.
 */
export function withoutCycles(edges: readonly Edge[], source: number, sink: number, maxHops: number): Edge[] {
  const kept: Edge[] = [];
  const entering = new Map<number, Edge[]>();
  const leaving = new Map<number, Edge[]>();
  const longest = (node: number, lists: Map<number, Edge[]>, far: "from" | "to"): number => {
    let most = 0;
    for (const edge of lists.get(node) ?? []) most = Math.max(most, 1 + longest(edge[far], lists, far));
    return most;
  };
  const leadsTo = (node: number, target: number): boolean =>
    node === target || (leaving.get(node) ?? []).some((edge) => leadsTo(edge.to, target));
  for (const edge of edges) {
    if (edge.to === source || edge.from === sink || leadsTo(edge.to, edge.from)) continue;
    if (longest(edge.from, entering, "from") + 1 + longest(edge.to, leaving, "to") > maxHops) continue;
    kept.push(edge);
    leaving.set(edge.from, [...(leaving.get(edge.from) ?? []), edge]);
    entering.set(edge.to, [...(entering.get(edge.to) ?? []), edge]);
  }
  return kept;
}
