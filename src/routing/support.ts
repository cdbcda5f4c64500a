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
export function supportOf(edges: readonly Edge[], source: number, sink: number): Support | undefined {
  const leaving = new Map<number, Edge[]>();
  const entering = new Map<number, number>([[source, 0]]);
  for (const edge of edges) {
    const list = leaving.get(edge.from);
    if (list === undefined) leaving.set(edge.from, [edge]);
    else list.push(edge);
    entering.set(edge.to, (entering.get(edge.to) ?? 0) + 1);
  }
  const order: number[] = [];
  const depth = new Map<number, number>([[source, 0]]);
  const open = [source];
  for (let node = open.shift(); node !== undefined; node = open.shift()) {
    order.push(node);
    const far = (depth.get(node) as number) + 1;
    for (const { to } of leaving.get(node) ?? []) {
      depth.set(to, Math.min(depth.get(to) ?? far, far));
      const missing = (entering.get(to) as number) - 1;
      entering.set(to, missing);
      if (missing === 0) open.push(to);
    }
  }
  if (order.length !== entering.size) return undefined;
  const height = new Map<number, number>([[sink, 0]]);
  for (let at = order.length - 1; at >= 0; at--) {
    const node = order[at] as number;
    for (const { to } of leaving.get(node) ?? []) {
      const far = (height.get(to) as number) + 1;
      height.set(node, Math.min(height.get(node) ?? far, far));
    }
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

/** These edges without those that lie on no path from the source to the sink. */
export function connected(edges: readonly Edge[], source: number, sink: number): Edge[] {
  const fromSource = reach(edges, source, "from", "to");
  const toSink = reach(edges, sink, "to", "from");
  return edges.filter((edge) => fromSource.has(edge.from) && toSink.has(edge.to));
}

/** Nodes that a path leads to (or from) along edges of the support. */
function reach(edges: readonly Edge[], start: number, near: "from" | "to", far: "from" | "to"): Set<number> {
  const found = new Set([start]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const edge of edges) {
      if (!found.has(edge[near]) || found.has(edge[far])) continue;
      found.add(edge[far]);
      grown = true;
    }
  }
  return found;
}
