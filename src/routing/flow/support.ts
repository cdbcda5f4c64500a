import type { Edge } from "../edges/edges.ts";
import type { Session } from "../session/session.ts";

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
}

/** The support that these edges form; undefined when they form a cycle. Edges that lie on no path must be gone. */
export function supportOf({ source, sink, workspace }: Session, edges: readonly Edge[]): Support | undefined {
  const { place } = workspace;
  const met = [source];
  place[source] = 0;
  const meet = (node: number): number => {
    if (place[node] === -1) place[node] = met.push(node) - 1;
    return place[node] as number;
  };
  // Plain arrays: room for a typed one costs more than a small flow has to work out.
  const from = edges.map((edge) => meet(edge.from));
  const to = edges.map((edge) => meet(edge.to));
  for (const node of met) place[node] = -1;
  const size = met.length;
  const lists: number[][] = met.map(() => []);
  /** How many edges that enter a node come from nodes that have no place yet. */
  const missing = met.map(() => 0);
  for (let i = 0; i < edges.length; i++) {
    (lists[from[i] as number] as number[]).push(i);
    missing[to[i] as number]! += 1;
  }
  const line = missing[0] === 0 ? [0] : [];
  for (let at = 0; at < line.length; at++)
    for (const i of lists[line[at] as number] as number[])
      if (--missing[to[i] as number]! === 0) line.push(to[i] as number);
  if (line.length !== size) return undefined;
  const rank = met.map(() => 0);
  for (let at = 0; at < size; at++) rank[line[at] as number] = at;
  for (let i = 0; i < edges.length; i++) {
    from[i] = rank[from[i] as number] as number;
    to[i] = rank[to[i] as number] as number;
  }
  const order = line.map((at) => met[at] as number);
  const leaving = line.map((at) => lists[at] as number[]);
  const depth = line.map(() => size);
  depth[0] = 0;
  for (const list of leaving)
    for (const i of list) {
      const far = (depth[from[i] as number] as number) + 1;
      if (far < (depth[to[i] as number] as number)) depth[to[i] as number] = far;
    }
  const height = line.map(() => Number.POSITIVE_INFINITY);
  for (let at = size - 1; at >= 0; at--) {
    if (order[at] === sink) height[at] = 0;
    for (const i of leaving[at] as number[])
      height[at] = Math.min(height[at] as number, (height[to[i] as number] as number) + 1);
  }
  return { edges, order, from, to, leaving, depth, height };
}

/** The edges of a support that lie on no path of at most `maxHops` pools, be these the support's own or others. */
export function tooFar(session: Session, support: Support): ReadonlySet<Edge> {
  const { edges, from, to, depth, height } = support;
  const isFar = (before: readonly number[], after: readonly number[], i: number) =>
    (before[from[i] as number] as number) + 1 + (after[to[i] as number] as number) > session.maxHops;
  if (!edges.some((_, i) => isFar(depth, height, i))) return NONE;
  const { before, after } = nearest(session, support);
  return new Set(edges.filter((_, i) => isFar(before, after, i)));
}

const NONE: ReadonlySet<Edge> = new Set();

/** By place the shortest ways from the source and to the sink, as far as they are known: over pools of the support and others. */
function nearest(session: Session, { order, leaving, to, depth, height }: Support) {
  const before = order.map((node, at) => Math.min(depth[at] as number, session.hopsFromSource(node)));
  const after = order.map((node, at) => Math.min(height[at] as number, session.hopsToSink(node)));
  const last = order.length - 1;
  for (let at = 0; at <= last; at++)
    for (const i of leaving[at] as readonly number[]) {
      const target = to[i] as number;
      before[target] = Math.min(before[target] as number, (before[at] as number) + 1);
    }
  for (let at = last; at >= 0; at--)
    for (const i of leaving[at] as readonly number[])
      after[at] = Math.min(after[at] as number, (after[to[i] as number] as number) + 1);
  return { before, after };
}

const FROM_SOURCE = 1;
const TO_SINK = 2;

/** These edges without those that lie on no path from the source to the sink. */
export function connected({ source, sink, workspace }: Session, edges: readonly Edge[]): Edge[] {
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
