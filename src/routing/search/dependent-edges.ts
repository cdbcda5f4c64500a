import type { Edge } from "../edges/edges.ts";
import { gasesOf } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import type { Support } from "../flow/support.ts";
import type { Search } from "../session/search.ts";

/** An edge with all that hangs on it alone, and what leaving these out may save. */
export interface Group {
  readonly edge: Edge;
  readonly edges: readonly Edge[];
  readonly saving: number;
}

/**
 * Every edge with all that hangs on it alone, and what leaving these out may save: their gas less the least loss. Those alone that save more than `least`, in bought units, where that is given;
 * the ones that save most first.
 */
export function groupsOf(search: Search, flow: Split, costPerGas: number, least?: number): Group[] {
  const { support, profits } = flow;
  const { edges } = support;
  const gases = costPerGas > 0 ? gasesOf(search, flow) : undefined;
  const hangingOn = hangingEdges(search, support);
  const groups: Group[] = [];
  for (let first = 0; first < edges.length; first++) {
    const group = hangingOn(first);
    if (group.length === edges.length) continue;
    let saving = 0;
    for (const gone of group) saving += (gases?.[gone] ?? 0) * costPerGas - (profits[gone] as number);
    if (least !== undefined && !(saving > least)) continue;
    groups.push({ edge: edges[first] as Edge, edges: group.map((gone) => edges[gone] as Edge), saving });
  }
  return groups.sort((a, b) => b.saving - a.saving);
}

/**
 * By an edge's position the positions of it and of the edges that lie on no path without it, in a list that lasts until the
 * next one is asked for.
 */
function hangingEdges({ sink }: Search, { edges, order, from, to, leaving }: Support) {
  const entering: number[][] = order.map(() => []);
  for (let i = 0; i < edges.length; i++) (entering[to[i] as number] as number[]).push(i);
  /** Number of remaining edges of each place. The sink needs none that leave it, the source none that enter it. */
  const leave = leaving.map((list, at) => (at === 0 ? Number.POSITIVE_INFINITY : list.length));
  const enter = entering.map((list, at) => (order[at] === sink ? Number.POSITIVE_INFINITY : list.length));
  /** The edge that one was last gone with. */
  const goneWith = edges.map(() => -1);
  const gone: number[] = [];
  const drop = (i: number, first: number) => {
    if (goneWith[i] === first) return;
    goneWith[i] = first;
    gone.push(i);
    leave[from[i] as number]! -= 1;
    enter[to[i] as number]! -= 1;
  };
  return (first: number): readonly number[] => {
    gone.length = 0;
    drop(first, first);
    for (let at = 0; at < gone.length; at++) {
      const i = gone[at] as number;
      const [before, behind] = [from[i] as number, to[i] as number];
      if (leave[before] === 0) for (const other of entering[before] as number[]) drop(other, first);
      if (enter[behind] === 0) for (const other of leaving[behind] as readonly number[]) drop(other, first);
    }
    for (const i of gone) {
      leave[from[i] as number]! += 1;
      enter[to[i] as number]! += 1;
    }
    return gone;
  };
}
