import type { Pool } from "../../pools/pool.ts";
import type { Edge } from "../edges/edges.ts";
import type { Search } from "../session/search.ts";
import { sharedPools } from "./pool-uses.ts";

/** The shape of a set of edges without cycles between a source and a sink. A node's place is that in `order`. */
export interface Support {
  readonly edges: readonly Edge[];
  /** The nodes, each behind all nodes that flow into it: the source comes first. */
  readonly order: readonly number[];
  /** The places of the nodes that each edge leads between. */
  readonly from: readonly number[];
  readonly to: readonly number[];
  /** By place the edges that leave a node, by their positions. */
  readonly leaving: readonly (readonly number[])[];
  /** By place the shortest way from the source, in edges. */
  readonly depth: readonly number[];
  /** By place the shortest way to the sink, in edges; infinite where none leads there. */
  readonly height: readonly number[];
  /** The pools of several tokens that are used more than once. */
  readonly shared: ReadonlySet<Pool>;
}

/** The support that these edges form; undefined when they form a cycle. Edges that lie on no path must be gone. */
export function supportOf({ source, sink, workspace }: Search, edges: readonly Edge[]): Support | undefined {
  const { place } = workspace;
  // Plain arrays: room for a typed one costs more than a small flow has to work out.
  const met = [source];
  const lists: number[][] = [[]];
  /** Number of edges into each node that come from nodes without a position yet. */
  const missing = [0];
  place[source] = 0;
  const meet = (node: number): number => {
    const known = place[node] as number;
    if (known !== -1) return known;
    place[node] = met.length;
    lists.push([]);
    missing.push(0);
    return met.push(node) - 1;
  };
  const from: number[] = [];
  const to: number[] = [];
  for (let i = 0; i < edges.length; i++) {
    const edge = edges[i] as Edge;
    const [a, b] = [meet(edge.from), meet(edge.to)];
    from.push(a);
    to.push(b);
    (lists[a] as number[]).push(i);
    missing[b]! += 1;
  }
  for (const node of met) place[node] = -1;
  const size = met.length;
  const line = missing[0] === 0 ? [0] : [];
  for (let at = 0; at < line.length; at++)
    for (const i of lists[line[at] as number] as number[])
      if (--missing[to[i] as number]! === 0) line.push(to[i] as number);
  if (line.length !== size) return undefined;
  const rank = line.slice();
  for (let at = 0; at < size; at++) rank[line[at] as number] = at;
  const order: number[] = [];
  const leaving: number[][] = [];
  const depth: number[] = [];
  const height: number[] = [];
  for (let at = 0; at < size; at++) {
    const first = line[at] as number;
    order.push(met[first] as number);
    leaving.push(lists[first] as number[]);
    depth.push(at === 0 ? 0 : size);
    height.push(Number.POSITIVE_INFINITY);
  }
  for (let at = 0; at < size; at++) {
    const far = (depth[at] as number) + 1;
    for (const i of leaving[at] as number[]) {
      const target = rank[to[i] as number] as number;
      from[i] = at;
      to[i] = target;
      if (far < (depth[target] as number)) depth[target] = far;
    }
  }
  for (let at = size - 1; at >= 0; at--) {
    let least = order[at] === sink ? 0 : Number.POSITIVE_INFINITY;
    for (const i of leaving[at] as number[]) least = Math.min(least, (height[to[i] as number] as number) + 1);
    height[at] = least;
  }
  return { edges, order, from, to, leaving, depth, height, shared: sharedPools(edges) };
}

/** The edges of a support that lie on no path of at most `maxHops` pools, be these the support's own or others. */
export function tooFar(search: Search, { edges, order, leaving, from, to, depth, height }: Support): ReadonlySet<Edge> {
  const farOver = (before: readonly number[], after: readonly number[]) =>
    edges.filter(
      (_, i) => (before[from[i] as number] as number) + 1 + (after[to[i] as number] as number) > search.maxHops,
    );
  if (farOver(depth, height).length === 0) return new Set();
  const before = order.map((node, at) => Math.min(depth[at] as number, search.hopsFromSource(node)));
  const after = order.map((node, at) => Math.min(height[at] as number, search.hopsToSink(node)));
  const last = order.length - 1;
  for (let at = 0; at <= last; at++)
    for (const i of leaving[at] as readonly number[]) {
      const target = to[i] as number;
      before[target] = Math.min(before[target] as number, (before[at] as number) + 1);
    }
  for (let at = last; at >= 0; at--)
    for (const i of leaving[at] as readonly number[])
      after[at] = Math.min(after[at] as number, (after[to[i] as number] as number) + 1);
  return new Set(farOver(before, after));
}

const FROM_SOURCE = 1;
const TO_SINK = 2;

/** These edges, but for some, without those that lie on no path from the source to the sink. */
export function connected(
  { source, sink, workspace }: Search,
  all: readonly Edge[],
  without: ReadonlySet<Edge> = new Set(),
): Edge[] {
  const edges = without.size === 0 ? all : all.filter((edge) => !without.has(edge));
  const met = workspace.numbers;
  met[source]! |= FROM_SOURCE;
  met[sink]! |= TO_SINK;
  for (let grown = true; grown; ) {
    grown = false;
    for (const { from, to } of edges) {
      const first = met[from] as number;
      const second = met[to] as number;
      met[to] = second | (first & FROM_SOURCE);
      met[from] = first | (second & TO_SINK);
      grown ||= met[from] !== first || met[to] !== second;
    }
  }
  const kept = edges.filter(
    ({ from, to }) => ((met[from] as number) & FROM_SOURCE) > 0 && ((met[to] as number) & TO_SINK) > 0,
  );
  met[source] = 0;
  met[sink] = 0;
  for (const { from, to } of edges) {
    met[from] = 0;
    met[to] = 0;
  }
  return kept;
}

/** Takes in paths as long as they close no cycle with these edges and each other; tells of each whether it does not. */
export function cycleGuard(edges: readonly Edge[]): (path: readonly Edge[]) => boolean {
  /** The nodes that edges lead to from a node. */
  const behind = new Map<number, number[]>();
  const take = ({ from, to }: Edge) => {
    const others = behind.get(from);
    if (others === undefined) behind.set(from, [to]);
    else others.push(to);
  };
  edges.forEach(take);
  return (path) => {
    const met = new Set<number>();
    for (let i = path.length - 1; i >= 0; i--) {
      const { from, to } = path[i] as Edge;
      met.add(to);
      // Nodes that are added on the way are gone over as well.
      for (const node of met) for (const next of behind.get(node) ?? []) met.add(next);
      if (met.has(from)) return false;
    }
    path.forEach(take);
    return true;
  };
}

/** As many of these edges, the first ones first, as form no cycle and neither enter the source nor leave the sink. */
export function withoutCycles(edges: readonly Edge[], source: number, sink: number): Edge[] {
  const joins = cycleGuard([]);
  return edges.filter((edge) => edge.to !== source && edge.from !== sink && joins([edge]));
}
