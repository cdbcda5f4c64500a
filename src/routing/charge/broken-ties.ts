import type { Session } from "../session/session.ts";
import type { ChargedEdge } from "./charged-dual.ts";
import type { ChargedFlow } from "./charged-flow.ts";
import { numbersOfTies, type Tie } from "./ties.ts";

/** Part of a touch that may be missing. */
const SLIGHT = 1e-3;
/** Ties that are minimised over together. */
const MOST_TIES = 96;
/** What an edge is taken to earn at least beyond the charge, as a part of it, where it is asked what it bears. */
const LEAST_EARNED = 0.01;

/** The edges that a flow touches at a token. */
interface Sides {
  readonly into: ChargedEdge[];
  readonly out: ChargedEdge[];
}

/** The ties that a flow with a charge breaks, those of which most is missing; edges bear them as what they earn allows. */
export function brokenTies({ source, sink }: Session, { touched, charge }: ChargedFlow): Tie[] {
  const sides = new Map<number, Sides>();
  const sidesOf = (node: number): Sides => {
    const known = sides.get(node) ?? { into: [], out: [] };
    sides.set(node, known);
    return known;
  };
  for (const one of touched) {
    sidesOf(one.edge.from).out.push(one);
    sidesOf(one.edge.to).into.push(one);
  }
  const found: { readonly tie: Tie; readonly missing: number }[] = [];
  const add = (tie: Omit<Tie, "multiplier">, missing: number): void => {
    if (missing > SLIGHT) found.push({ tie: { ...tie, multiplier: 0 }, missing });
  };
  const touchesOf = (edges: readonly ChargedEdge[]) => edges.reduce((sum, { part }) => sum + part, 0);
  const look = (
    node: number,
    isInto: boolean,
    asked: readonly ChargedEdge[],
    needing: readonly ChargedEdge[],
  ): void => {
    const weights = needing.map(({ part, profit }) => part * Math.max(LEAST_EARNED * charge, profit - charge));
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    const isEnd = node === source || node === sink;
    if (all === 0 && !isEnd) return;
    const needed = isEnd ? 1 : needing.reduce((sum, { part }, i) => sum + (part * (weights[i] as number)) / all, 0);
    const bearers = new Map(needing.map(({ slot }, i) => [slot, (weights[i] as number) / all]));
    add({ node, isInto, bearers }, needed - touchesOf(asked));
  };
  for (const [node, { into, out }] of sides) {
    if (node !== sink) look(node, false, out, node === source ? [] : into);
    if (node !== source) look(node, true, into, node === sink ? [] : out);
  }
  return found
    .sort((a, b) => b.missing - a.missing)
    .slice(0, MOST_TIES)
    .map(({ tie }) => tie);
}

/** The ties of a flow with a charge, with their multipliers, and those besides that it breaks. */
export function withBroken(session: Session, flow: ChargedFlow): Tie[] {
  const numberOf = numbersOfTies(flow.ties);
  const broken = brokenTies(session, flow).filter(({ node, isInto }) => numberOf(node, isInto) === undefined);
  return [...flow.ties, ...broken];
}
