import type { Edge } from "./edges.ts";
import { priceOf } from "./goal.ts";
import type { Session } from "./session.ts";
import type { Settled } from "./settled.ts";

/** A path of a flow: what it carries, and its edges by their places in the flow's support. */
interface Carrier {
  readonly value: number;
  readonly edges: readonly number[];
}

/** How many edges paths are looked for over, against those that may stay. */
const EXPLORED = 2;

/**
 * At most `most` edges of a flow, those of the paths that carry most for each edge that they add; one path counts
 * whatever its length.
 */
export function widestPaths(session: Session, flow: Settled, most: number): readonly Edge[] {
  const { edges } = flow.support;
  const value = edges.map(({ from }, i) => (flow.sells[i] as number) * priceOf(flow, from));
  const paths = takeApart(session, flow, value, EXPLORED * most);
  const kept = new Set<number>();
  for (;;) {
    let best: Carrier | undefined;
    let bestValue = 0;
    for (const path of paths) {
      const added = path.edges.reduce((count, i) => (kept.has(i) ? count : count + 1), 0);
      if (added === 0 || (kept.size > 0 && kept.size + added > most)) continue;
      if (path.value / added <= bestValue) continue;
      bestValue = path.value / added;
      best = path;
    }
    if (best === undefined) break;
    for (const i of best.edges) kept.add(i);
  }
  return edges.filter((_, i) => kept.has(i));
}

/** The path of a flow's edges that takes most, whatever it pays. */
export function roomiestPath(session: Session, flow: Settled): readonly Edge[] {
  const { edges } = flow.support;
  const room = edges.map(({ from, curve }) => curve.maxSell * priceOf(flow, from));
  const [first] = takeApart(session, flow, room, 1);
  return first === undefined ? [] : first.edges.map((i) => edges[i] as Edge);
}

/**
 * Paths over a flow's edges by what they can carry, the widest first, each with what the ones before it leave, until they
 * come to `enough` edges.
 */
function takeApart(
  { source, sink }: Session,
  flow: Settled,
  carried: readonly number[],
  enough: number,
): readonly Carrier[] {
  const { edges, order } = flow.support;
  const place = new Map(order.map((node, i) => [node, i]));
  const [first, last] = [place.get(source) as number, place.get(sink) as number];
  const start = edges.map(({ from }) => place.get(from) as number);
  const target = edges.map(({ to }) => place.get(to) as number);
  const left = [...carried];
  const leaving: number[][] = order.map(() => []);
  start.forEach((at, i) => {
    (leaving[at] as number[]).push(i);
  });
  const width = new Float64Array(order.length);
  const via = new Int32Array(order.length);
  const paths: Carrier[] = [];
  const met = new Set<number>();
  while (met.size < enough) {
    width.fill(0);
    width[first] = Number.POSITIVE_INFINITY;
    for (let at = 0; at < order.length; at++) {
      for (const i of leaving[at] as number[]) {
        const wide = Math.min(width[at] as number, left[i] as number);
        if (wide <= (width[target[i] as number] as number)) continue;
        width[target[i] as number] = wide;
        via[target[i] as number] = i;
      }
    }
    const value = width[last] as number;
    if (!(value > 0)) break;
    const path: number[] = [];
    for (let at = last; at !== first; at = start[via[at] as number] as number) path.push(via[at] as number);
    for (const i of path) {
      met.add(i);
      left[i]! -= value;
    }
    paths.push({ value, edges: path });
  }
  return paths;
}
