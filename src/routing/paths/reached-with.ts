import type { Search } from "../session/search.ts";

/**
 * The most of each token, by node, that an amount of the source's becomes over one pool or two; 0 where these lead nowhere.
 * What is no hyperbola counts as the deepest that it may be. Valid until the next call, or that of neededFor.
 */
export function reachedWith(search: Search, amount: number): Float64Array {
  const { graph, source, sink, endOf, workspace } = search;
  const { start, live, to, spot, deepest } = graph;
  const { needed: reached } = workspace;
  reached.fill(0, 0, graph.size);
  const spread = (node: number, end: number, amount: number) => {
    search.work.steps += end - (start[node] as number);
    for (let slot = start[node] as number; slot < end; slot++) {
      const most = (spot[slot] as number) * amount;
      const target = to[slot] as number;
      if (!(most > (reached[target] as number))) continue;
      reached[target] = Math.max(reached[target] as number, most / (1 + amount / (deepest[slot] as number)));
    }
  };
  spread(source, endOf(source), amount);
  const first = new Map<number, number>();
  for (let slot = start[source] as number; slot < endOf(source); slot++) {
    const node = to[slot] as number;
    if (node !== sink) first.set(node, reached[node] as number);
  }
  for (const [node, amount] of first) spread(node, live[node] as number, amount);
  return reached;
}
