import type { Edge } from "../edges/edges.ts";
import { poolOrPair } from "../flow/pool-uses.ts";
import type { Split } from "../flow/solve-split.ts";
import type { Support } from "../flow/support.ts";
import type { Search } from "../session/search.ts";
import type { Column } from "./column.ts";

/**
 * As many of the columns as go together with a flow, the first ones first: `most` at most, and of more than one no more
 * than `room` uses.
 */
export function columnsThatFit(
  search: Search,
  flow: Split,
  columns: readonly Column[],
  most: number,
  room: number,
): readonly Column[] {
  const joins = joiner(flow.support, columns);
  const held = new Set(flow.support.edges.map((edge) => poolOrPair(search, edge)));
  const taken: Column[] = [];
  let count = 0;
  for (const column of columns) {
    if (taken.length >= most) break;
    const { edges } = column;
    if (taken.length > 0 && count + edges.length > room) continue;
    const own = edges.map((edge) => poolOrPair(search, edge));
    if (own.some((place) => held.has(place)) || !joins(edges)) continue;
    taken.push(column);
    count += edges.length;
    for (const place of own) held.add(place);
  }
  return taken;
}

/** Joins columns to a support as long as they close no cycle; tells whether one was joined. */
function joiner({ order, to, leaving }: Support, columns: readonly Column[]): (edges: readonly Edge[]) => boolean {
  const places = new Map(order.map((node, at) => [node, at]));
  for (const { edges } of columns) for (const edge of edges) if (!places.has(edge.to)) places.set(edge.to, places.size);
  const words = Math.ceil(places.size / 32);
  /** Row by row, for each place a bit for each place that it leads to, itself included. */
  const bits = new Int32Array(places.size * words);
  const leads = (from: number, target: number) => ((bits[from * words + (target >> 5)] as number) >> (target & 31)) & 1;
  const take = (from: number, target: number) => {
    for (let word = 0; word < words; word++) bits[from * words + word]! |= bits[target * words + word] as number;
  };
  for (let at = places.size - 1; at >= 0; at--) {
    bits[at * words + (at >> 5)]! |= 1 << (at & 31);
    for (const edge of leaving[at] ?? []) take(at, to[edge] as number);
  }
  return (edges) => {
    const path = [edges[0] as Edge].map(({ from }) => places.get(from) as number);
    for (const edge of edges) path.push(places.get(edge.to) as number);
    if (path.some((later, i) => path.some((earlier, k) => k < i && leads(later, earlier) === 1))) return false;
    for (let i = path.length - 1; i > 0; i--)
      for (let at = 0; at < places.size; at++) if (leads(at, path[i - 1] as number) === 1) take(at, path[i] as number);
    return true;
  };
}
