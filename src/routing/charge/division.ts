import { type EdgeGroup, isWithin } from "../edges/edge-group.ts";
import type { Edge } from "../edges/edges.ts";
import type { Session } from "../session/session.ts";
import type { PaidFlow } from "./paid-flow.ts";

/** Part of a touch below which an edge is not touched, and what a division has to promise, in touches. */
const LEAST_PART = 1e-4;
const LEAST_PROMISE = 0.01;

/** What a flow touches of some edges, and what these earn, in touches. */
interface Touched {
  readonly edge: Edge;
  touches: number;
  earned: number;
  /** The largest part of a touch that is not a whole one, and the edge that it is made of. */
  part: number;
  partly: Edge;
}

/**
 * What to divide routes by, where a flow pays touches in parts: those that go without a group lose what its edges earn, or
 * what their part of a touch is worth; the others pay for the rest of the touch. Of all tokens, pairs of tokens and pools
 * the one that promises most for the worse of both; undefined where nothing promises anything.
 */
export function division(
  { source, sink }: Session,
  { edges, parts, profits, costs }: PaidFlow,
  needed: readonly EdgeGroup[],
): readonly EdgeGroup[] | undefined {
  const into = new Map<number, Touched>();
  const outOf = new Map<number, Touched>();
  const pairs = new Map<string, Touched>();
  edges.forEach((edge, i) => {
    const part = parts[i] as number;
    if (part < LEAST_PART) return;
    const earned = Math.max(0, profits[i] as number) / (costs[i] as number);
    count(outOf, edge.from, edge, part, earned);
    count(into, edge.to, edge, part, earned);
    count(pairs, `${edge.from} ${edge.to}`, edge, part, earned);
  });
  let best: readonly EdgeGroup[] | undefined;
  let most = LEAST_PROMISE;
  const consider = (lost: number, paid: number, groups: readonly EdgeGroup[]): void => {
    const promise = Math.min(lost, paid);
    if (promise <= most || groups.every((large) => needed.some((small) => isWithin(small, large)))) return;
    most = promise;
    best = groups;
  };
  for (const [node, before] of into) {
    const after = outOf.get(node);
    if (after === undefined || node === source || node === sink) continue;
    const lost = Math.max(before.earned + after.earned, Math.min(before.touches, after.touches));
    const paid = Math.max(0, 1 - before.touches) + Math.max(0, 1 - after.touches);
    consider(lost, paid, [{ to: node }, { from: node }]);
  }
  for (const { edge, touches, earned, part, partly } of pairs.values()) {
    const paid = Math.ceil(touches) - touches;
    if (touches < 1) consider(Math.max(earned, touches), paid, [{ from: edge.from, to: edge.to }]);
    else consider(part, paid, [{ edge: partly }]);
  }
  return best;
}

function count<K>(all: Map<K, Touched>, key: K, edge: Edge, part: number, earned: number): void {
  const known = all.get(key) ?? { edge, touches: 0, earned: 0, part: 0, partly: edge };
  known.touches += part;
  known.earned += earned;
  if (part < 1 && part > known.part) {
    known.part = part;
    known.partly = edge;
  }
  all.set(key, known);
}
