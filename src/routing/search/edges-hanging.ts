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
  const { edges, order, to } = support;
  const savings = edges.map((edge, i) => {
    const gas = costPerGas > 0 ? gasOfTrade(goal, edge, sells[i] as number) * costPerGas : 0;
    return gas - (profits[i] as number);
  });
  const entering: number[][] = order.map(() => []);
  for (let i = 0; i < edges.length; i++) (entering[to[i] as number] as number[]).push(i);
  return edges
    .map((edge, first) => {
      const group = isNeeded(session, support, entering, first)
        ? hangingOn(session, support, entering, first)
        : [first];
      const saving = group.reduce((sum, gone) => sum + (savings[gone] as number), 0);
      return { edge, edges: group.map((gone) => edges[gone] as Edge), saving };
    })
    .filter((group) => group.edges.length < edges.length)
    .sort((a, b) => b.saving - a.saving);
}

/** Whether an edge is the only one that leaves or that enters one of its nodes, but for the source and the sink. */
function isNeeded(
  { sink }: Session,
  { order, from, to, leaving }: Support,
  entering: readonly (readonly number[])[],
  edge: number,
): boolean {
  const before = from[edge] as number;
  const behind = to[edge] as number;
  if (before !== 0 && (leaving[before] as readonly number[]).length === 1) return true;
  return order[behind] !== sink && (entering[behind] as readonly number[]).length === 1;
}

/** The positions of an edge and of the edges that lie on no path without it. `entering`: by place the edges that enter a node. */
function hangingOn(
  { sink }: Session,
  { order, from, to, leaving }: Support,
  entering: readonly (readonly number[])[],
  first: number,
): readonly number[] {
  const edgesBefore = (i: number) => entering[from[i] as number] as readonly number[];
  const edgesBeside = (i: number) => leaving[from[i] as number] as readonly number[];
  const edgesBehind = (i: number) => leaving[to[i] as number] as readonly number[];
  const edgesAlong = (i: number) => entering[to[i] as number] as readonly number[];
  const isFirst = (i: number) => from[i] === 0;
  const isLast = (i: number) => order[to[i] as number] === sink;
  const gone = new Set([first]);
  const allGone = (positions: readonly number[]) => positions.every((i) => gone.has(i));
  for (const i of gone) {
    if (!isFirst(i) && allGone(edgesBeside(i))) for (const before of edgesBefore(i)) gone.add(before);
    if (!isLast(i) && allGone(edgesAlong(i))) for (const behind of edgesBehind(i)) gone.add(behind);
  }
  return [...gone];
}
