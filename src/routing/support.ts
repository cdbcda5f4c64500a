import type { Edge } from "./edges.ts";
import type { Session } from "./session.ts";

/** The shape of a set of edges without cycles between a source and a sink. */
export interface Support {
  readonly edges: readonly Edge[];
  /** The nodes, each behind all nodes that flow into it. */
  readonly order: readonly number[];
  /** Shortest way from the source to a node, in edges. */
  readonly depth: ReadonlyMap<number, number>;
  /** Shortest way from a node to the sink, in edges. */
  readonly height: ReadonlyMap<number, number>;
  readonly leaving: ReadonlyMap<number, readonly Edge[]>;
}

/** The support that these edges form; undefined when they form a cycle. Edges that lie on no path must be gone. */
export function supportOf({ source, sink, workspace }: Session, edges: readonly Edge[]): Support | undefined {
  const leaving = new Map<number, Edge[]>();
  /** How many edges that enter a node come from nodes that have no place yet. */
  const missing = workspace.numbers;
  let count = 1;
  for (const edge of edges) {
    const list = leaving.get(edge.from);
    if (list === undefined) leaving.set(edge.from, [edge]);
    else list.push(edge);
    if (missing[edge.to] === 0 && edge.to !== source) count++;
    missing[edge.to]! += 1;
  }
  const order = [source];
  const depth = new Map<number, number>([[source, 0]]);
  for (let at = 0; at < order.length && missing[source] === 0; at++) {
    const node = order[at] as number;
    const far = (depth.get(node) as number) + 1;
    for (const { to } of leaving.get(node) ?? []) {
      // Nodes come in the order of neither depth nor height.
      if (far < (depth.get(to) ?? Number.POSITIVE_INFINITY)) depth.set(to, far);
      missing[to]! -= 1;
      if (missing[to] === 0) order.push(to);
    }
  }
  for (const { to } of edges) missing[to] = 0;
  if (order.length !== count) return undefined;
  const height = new Map<number, number>([[sink, 0]]);
  for (let at = order.length - 1; at >= 0; at--) {
    const node = order[at] as number;
    let least = height.get(node) ?? Number.POSITIVE_INFINITY;
    for (const { to } of leaving.get(node) ?? [])
      least = Math.min(least, (height.get(to) ?? Number.POSITIVE_INFINITY) + 1);
    if (least < Number.POSITIVE_INFINITY) height.set(node, least);
  }
  return { edges, order, depth, height, leaving };
}

/** The edges of a support that lie on no path of at most `maxHops` pools, be these the support's own or others. */
export function tooFar(session: Session, { edges, depth, height }: Support): ReadonlySet<Edge> {
  const { maxHops, sink } = session;
  const far = edges.filter(({ from, to }) => {
    const before = depth.get(from) as number;
    const after = height.get(to) ?? Number.POSITIVE_INFINITY;
    if (before + 1 + after <= maxHops) return false;
    const within = Math.min(before, session.hopsFromSource(from));
    return within + 1 + Math.min(after, to === sink ? 0 : session.hopsToSink(to)) > maxHops;
  });
  return new Set(far);
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
