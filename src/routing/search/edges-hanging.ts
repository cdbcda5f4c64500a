import type { Edge } from "../edges/edges.ts";
import { gasOfTrade } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";

/** An edge with all that hangs on it alone, and what leaving these out may save. */
export interface Group {
  readonly edge: Edge;
  readonly edges: readonly Edge[];
  readonly saving: number;
}

/** Every edge with all that hangs on it alone, and what leaving these out may save: their gas less the least loss. */
export function groupsOf(session: Session, { support, profits, sells }: Settled, costPerGas: number): Group[] {
  const { edges } = support;
  const savings = new Map(
    edges.map((edge, i) => [edge, gasOfTrade(edge, sells[i] as number) * costPerGas - (profits[i] as number)]),
  );
  const around = neighboursOf(edges);
  return edges
    .map((edge) => {
      const group = hangingOn(session, around, edge);
      const saving = group.reduce((sum, gone) => sum + (savings.get(gone) as number), 0);
      return { edge, edges: group, saving };
    })
    .filter((group) => group.edges.length < edges.length)
    .sort((a, b) => b.saving - a.saving);
}

/** Edges by the node that they leave, and by the one that they enter. */
interface Neighbours {
  readonly leaving: ReadonlyMap<number, readonly Edge[]>;
  readonly entering: ReadonlyMap<number, readonly Edge[]>;
}

function neighboursOf(edges: readonly Edge[]): Neighbours {
  const leaving = new Map<number, Edge[]>();
  const entering = new Map<number, Edge[]>();
  for (const edge of edges) {
    const [out, into] = [leaving.get(edge.from), entering.get(edge.to)];
    if (out === undefined) leaving.set(edge.from, [edge]);
    else out.push(edge);
    if (into === undefined) entering.set(edge.to, [edge]);
    else into.push(edge);
  }
  return { leaving, entering };
}

/** An edge and the edges that lie on no path without it. */
function hangingOn({ source, sink }: Session, { leaving, entering }: Neighbours, first: Edge): Edge[] {
  const isOnlyOne = (edges: readonly Edge[] = []) => edges.length === 1;
  const { from, to } = first;
  if ((from === source || !isOnlyOne(leaving.get(from))) && (to === sink || !isOnlyOne(entering.get(to))))
    return [first];
  const gone = new Set([first]);
  const allGone = (edges: readonly Edge[] = []) => edges.every((edge) => gone.has(edge));
  for (const { from, to } of gone) {
    if (from !== source && allGone(leaving.get(from))) for (const edge of entering.get(from) ?? []) gone.add(edge);
    if (to !== sink && allGone(entering.get(to))) for (const edge of leaving.get(to) ?? []) gone.add(edge);
  }
  return [...gone];
}
