import type { Edge } from "../edges/edges.ts";
import { priceOf } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Search } from "../session/search.ts";

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
export function widestPaths(search: Search, flow: Settled, most: number): readonly Edge[] {
  const { edges } = flow.support;
  const value = edges.map(({ from }, i) => (flow.sells[i] as number) * priceOf(flow, from));
  const paths = takeApart(search, flow, value, EXPLORED * most);
  const over: number[][] = edges.map(() => []);
  paths.forEach((path, k) => {
    for (const i of path.edges) (over[i] as number[]).push(k);
  });
  /** How many edges each path would add. */
  const added = Int32Array.from(paths, (path) => path.edges.length);
  const kept = new Set<number>();
  for (;;) {
    let best = -1;
    let bestValue = 0;
    for (let k = 0; k < paths.length; k++) {
      const more = added[k] as number;
      if (more === 0 || (kept.size > 0 && kept.size + more > most)) continue;
      const value = (paths[k] as Carrier).value / more;
      if (value <= bestValue) continue;
      bestValue = value;
      best = k;
    }
    if (best === -1) break;
    for (const i of (paths[best] as Carrier).edges) {
      if (kept.has(i)) continue;
      kept.add(i);
      for (const k of over[i] as number[]) added[k]! -= 1;
    }
  }
  return edges.filter((_, i) => kept.has(i));
}

/**
 * Paths over a flow's edges by what they can carry, the widest first, each with what the ones before it leave, until they
 * come to `enough` edges.
 */
function takeApart({ sink }: Search, flow: Settled, carried: readonly number[], enough: number): readonly Carrier[] {
  const { order } = flow.support;
  const last = order.indexOf(sink);
  const left = [...carried];
  const pairs = pairsOf(flow, left);
  const width = new Float64Array(order.length);
  const via = new Int32Array(order.length);
  const paths: Carrier[] = [];
  const met = new Set<number>();
  while (met.size < enough) {
    width.fill(0);
    width[0] = Number.POSITIVE_INFINITY;
    for (let k = 0; k < pairs.length; k++) {
      const { from, to, widest } = pairs[k] as Pair;
      const wide = Math.min(width[from] as number, widest);
      if (wide <= (width[to] as number)) continue;
      width[to] = wide;
      via[to] = k;
    }
    const value = width[last] as number;
    if (!(value > 0)) break;
    const path: number[] = [];
    for (let at = last; at !== 0; ) {
      const pair = pairs[via[at] as number] as Pair;
      path.push(pair.line[pair.head] as number);
      at = pair.from;
      useWidest(pair, left, value);
    }
    for (const i of path) met.add(i);
    paths.push({ value, edges: path });
  }
  return paths;
}

/** The edges of a flow between two tokens. */
interface Pair {
  /** Places of the tokens in the flow's order. */
  readonly from: number;
  readonly to: number;
  /** The edges, those that have most left first; those before `head` have nothing. */
  readonly line: number[];
  head: number;
  /** What the first one has left. */
  widest: number;
}

/** The edges by their tokens, in the order of those that they leave. */
function pairsOf({ support }: Settled, left: readonly number[]): readonly Pair[] {
  const known = new Map<number, Pair>();
  support.edges.forEach((_, i) => {
    const [from, to] = [support.from[i] as number, support.to[i] as number];
    const key = from * support.order.length + to;
    const pair = known.get(key);
    if (pair === undefined) known.set(key, { from, to, line: [i], head: 0, widest: 0 });
    else pair.line.push(i);
  });
  const pairs = [...known.values()].sort((a, b) => a.from - b.from);
  for (const pair of pairs) {
    pair.line.sort((a, b) => (left[b] as number) - (left[a] as number));
    pair.widest = left[pair.line[0] as number] as number;
  }
  return pairs;
}

/** Takes from the widest edge of a pair, and puts it back in line. */
function useWidest(pair: Pair, left: number[], value: number): void {
  const { line } = pair;
  const used = line[pair.head] as number;
  left[used]! -= value;
  const rest = left[used] as number;
  if (rest > 0) {
    let at = pair.head;
    for (; at + 1 < line.length && (left[line[at + 1] as number] as number) > rest; at++)
      line[at] = line[at + 1] as number;
    line[at] = used;
  } else pair.head++;
  pair.widest = pair.head < line.length ? (left[line[pair.head] as number] as number) : 0;
}
