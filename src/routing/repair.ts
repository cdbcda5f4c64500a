import type { Edge } from "./edges.ts";

/** As many of these edges, the first ones first, as form no cycle and neither enter the source nor leave the sink. */
export function withoutCycles(edges: readonly Edge[], source: number, sink: number): Edge[] {
  const kept: Edge[] = [];
  const leaving = new Map<number, Edge[]>();
  const leadsTo = (node: number, target: number): boolean =>
    node === target || (leaving.get(node) ?? []).some((edge) => leadsTo(edge.to, target));
  for (const edge of edges) {
    if (edge.to === source || edge.from === sink || leadsTo(edge.to, edge.from)) continue;
    kept.push(edge);
    leaving.set(edge.from, [...(leaving.get(edge.from) ?? []), edge]);
  }
  return kept;
}
