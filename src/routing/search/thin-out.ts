import type { Edge } from "../edges/edges.ts";
import { type Goal, priceOf } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";
import { uncrowd, without } from "./prune.ts";

/** Part of the edges that are too many that is left out at once. */
const AT_ONCE = 1 / 4;
/** How many times what it seemed to lose a choice may lose for it to be taken. */
const MORE = 1.5;
/** What counts as no loss, as a part of what the flow pays. */
const NOTHING = 1e-7;
/** Choices of edges that are tried. */
const MOST_TRIED = 200;

/**
 * A flow over no more edges than a route may have, those left out that lose least. An edge loses at
 * least what it earns; where others depend on it, far more: what it was found to lose is remembered, and another one is
 * tried that seems to lose less.
 */
export function thinOut(session: Session, goal: Goal, flow: Settled): Settled {
  const known = new Map<Edge, number>();
  let current = flow;
  let most = Math.ceil(AT_ONCE * (flow.support.edges.length - goal.maxFills));
  for (let tried = 0; tried < MOST_TRIED && !session.over(); tried++) {
    const { edges } = current.support;
    const excess = edges.length - goal.maxFills;
    if (excess <= 0) return current;
    const losses = edges
      .map((edge, i) => ({ edge, loss: Math.max(current.profits[i] as number, known.get(edge) ?? 0) }))
      .sort((a, b) => a.loss - b.loss);
    const chosen = losses.slice(0, Math.min(most, excess));
    const next = without(session, goal, current, new Set(chosen.map(({ edge }) => edge)));
    const sellPrice = priceOf(current, session.source);
    const worthOf = ({ buyAmount, sellAmount }: Settled) => buyAmount - sellAmount * sellPrice;
    // What leaves others without use saves their touches too.
    const saved = next === undefined ? 1 : Math.min(excess, edges.length - next.support.edges.length);
    const lost =
      next === undefined || next.stuck > current.stuck ? Number.POSITIVE_INFINITY : worthOf(current) - worthOf(next);
    const bearable = (losses[Math.min(chosen.length, losses.length - 1)] as { loss: number }).loss;
    if (next !== undefined && lost <= saved * (MORE * bearable + NOTHING * current.buyAmount)) {
      current = next;
      continue;
    }
    if (chosen.length > 1) most = Math.ceil(most / 2);
    else known.set((chosen[0] as { edge: Edge }).edge, lost / saved);
  }
  return uncrowd(session, goal, current);
}
