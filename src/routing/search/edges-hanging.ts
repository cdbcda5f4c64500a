import type { Edge } from "../edges/edges.ts";
import { type Goal, gasOfTrade } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Support } from "../flow/support.ts";
import type { Session } from "../session/session.ts";

/** An edge with all that hangs on it alone, and what leaving these out may save. */
export interface Group {
  readonly edge: Edge;
  readonly edges: readonly Edge[];
  readonly saving: number;
}

/** Every edge with all that hangs on it alone, and what leaving these out may save: their gas less the least loss. */
export function groupsOf(
  session: Session,
  goal: Goal,
  { support, profits, sells }: Settled,
  costPerGas: number,
): Group[] {
  const { edges } = support;
  const savings = edges.map((edge, i) => {
    const gas = costPerGas > 0 ? gasOfTrade(goal, edge, sells[i] as number) * costPerGas : 0;
    return gas - (profits[i] as number);
  });
  const hangingOn = hangingEdges(session, support);
  const groups: Group[] = [];
  for (let first = 0; first < edges.length; first++) {
    const group = hangingOn(first);
    if (group.length === edges.length) continue;
    const saving = group.reduce((sum, gone) => sum + (savings[gone] as number), 0);
    groups.push({ edge: edges[first] as Edge, edges: group.map((gone) => edges[gone] as Edge), saving });
  }
  return groups.sort((a, b) => b.saving - a.saving);
}

/** By an edge's position the positions of it and of the edges that lie on no path without it. */
function hangingEdges({ sink }: Session, { edges, order, from, to, leaving }: Support) {
  const entering: number[][] = order.map(() => []);
  for (let i = 0; i < edges.length; i++) (entering[to[i] as number] as number[]).push(i);
  // Nothing has to leave the sink, or to enter the source, for the rest to stay.
  const leave = leaving.map((list, at) => (at === 0 ? Number.POSITIVE_INFINITY : list.length));
  const enter = entering.map((list, at) => (order[at] === sink ? Number.POSITIVE_INFINITY : list.length));
  /** The edge that one was last gone with, and how many edges of each place are gone. */
  const goneWith = edges.map(() => -1);
  const left = order.map(() => 0);
  const entered = order.map(() => 0);
  return (first: number): readonly number[] => {
    const gone: number[] = [];
    const drop = (i: number) => {
      if (goneWith[i] === first) return;
      goneWith[i] = first;
      gone.push(i);
      left[from[i] as number]! += 1;
      entered[to[i] as number]! += 1;
    };
    drop(first);
    for (const i of gone) {
      const [before, behind] = [from[i] as number, to[i] as number];
      if (left[before] === leave[before]) for (const other of entering[before] as number[]) drop(other);
      if (entered[behind] === enter[behind]) for (const other of leaving[behind] as readonly number[]) drop(other);
    }
    for (const i of gone) {
      left[from[i] as number] = 0;
      entered[to[i] as number] = 0;
    }
    return gone;
  };
}
