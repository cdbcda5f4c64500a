import { type Refined, refined } from "../bound/bound.ts";
import { mostProven, noMoreThan } from "../bound/certificate.ts";
import { type PriceProof, sumOf } from "../bound/measure.ts";
import { mostCarrying } from "../bound/most-carrying.ts";
import { outerPrice } from "../bound/outer-prices.ts";
import type { Question } from "../bound/question.ts";
import { isTouchable } from "../bound/unavoidable.ts";
import { brokenNeeds } from "../charge/broken-needs.ts";
import { division } from "../charge/division.ts";
import { isKnown, joined, type Kind, waiversFor } from "../charge/kind.ts";
import { type PaidFlow, paidFlow } from "../charge/paid-flow.ts";
import { type EdgeGroup, isIn, type Waiver } from "../edges/edge-group.ts";
import { gasAtPrice, isBetter } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import { narrowed, type Session } from "../session/session.ts";
import { flowToTicks } from "./end-at-ticks.ts";
import { flowOver } from "./flow-over.ts";

/** What is proven of all routes of a kind. */
export interface Branch extends Kind {
  readonly paid: PaidFlow;
  /** Prices to go on from: those of the flow, and of tokens around that stand in the way of proving more. */
  readonly logPrices: ReadonlyMap<number, number>;
  readonly proof: PriceProof;
  /** What the proof says, in the units of the goal. */
  readonly most: number;
  /** Whether prices were not found that prove nearly as much as others: they say nothing of what to divide by. */
  readonly isLost: boolean;
}

/** Divisions that are made, and steps that they may take together. */
export const MOST_DIVISIONS = 32;
export const MOST_STEPS = 1_000_000;
/** How closely the kinks of pools are followed in the first round of a branch, as parts of their gas, and in the next ones. */
const [WIDE, NARROW] = [0.1, 0.01];
/** Rounds of one branch: more than two as long as needs join, or tokens that stand for more than a part of a touch. */
const MOST_ROUNDS = 8;
const VISIBLE = 0.1;
/** Touches above what is enough up to which kinks are followed more closely. */
const NEAR = 0.3;
/** Touches by which prices prove less than others from which on they are lost. */
const LOST = 64;
/** Part of a touch from which on a pool is tried as a part of a route. */
const HALF = 0.5;
/** Tokens whose prices are minimised over together. */
export const MOST_NODES = 160;

/** The branch that promises most of those that are left, and the best flow that is known. */
export interface Closed {
  readonly top: Branch;
  readonly flow: Settled;
}

/**
 * Branch and bound over what is touched: of all branches the one that promises most is divided into the routes that pass
 * through a token (or touch a pool of a pair, or one pool) and those that do not, until no branch promises more than is
 * `enough` for the best flow, or after so many divisions: without one, what routes need is all that is counted. What a branch touches by more than half is tried as a route. No route is worth more than
 * what the first of the branches proves that are left.
 */
export function branchAndBound(
  question: Question,
  root: Branch,
  start: Settled,
  divisions: number,
  enoughFor: (flow: Settled) => number,
): Closed {
  const { session, goal } = question;
  const last = session.steps + MOST_STEPS;
  let flow = start;
  let enough = enoughFor(flow);
  const tried = (one: Branch): Branch => {
    const other = flowTouched(question, flow.sellAmount, one.paid);
    if (other !== undefined && isBetter(session, goal, other, flow)) {
      flow = other;
      enough = Math.max(enough, enoughFor(flow));
    }
    return one;
  };
  let branches: readonly Branch[] = [tried(part(question, root, root, enough))];
  for (let i = 0; i < divisions && session.steps < last && !session.over(); i++) {
    const [top, ...rest] = branches as [Branch, ...Branch[]];
    const groups = top.most <= enough || top.isLost ? undefined : division(session, top.paid, top.needed);
    if (groups === undefined) break;
    const kinds = [
      { needed: top.needed, barred: [...top.barred, ...groups] },
      { needed: joined(top.needed, groups), barred: top.barred },
    ].filter((kind) => hasRoutes(question, kind));
    const parts = kinds.map((kind) => tried(part(question, top, kind, enough)));
    branches = [...parts, ...rest].sort((a, b) => b.most - a.most);
  }
  return { top: branches[0] as Branch, flow };
}

/** Whether something is left of each group that is needed. */
function hasRoutes(question: Question, { needed, barred }: Kind): boolean {
  const allowed = sessionOf(question, barred);
  return needed.every((group) => isTouchable(allowed, group));
}

/** The flow over the pools of which more than half a touch is paid. */
function flowTouched({ session, goal }: Question, sellAmount: number, paid: PaidFlow): Settled | undefined {
  const { edges, parts, sells, logPrices } = paid;
  const carrying = edges.flatMap((edge, i) => {
    if ((parts[i] as number) <= HALF) return [];
    return [{ edge, value: (sells[i] as number) * Math.exp(logPrices.get(edge.from) as number) }];
  });
  const touched = mostCarrying(carrying, 0);
  return (
    flowToTicks(session, goal, touched, [], sellAmount, paid) ?? flowOver(session, goal, sellAmount, touched, logPrices)
  );
}

/** The same search over what is not barred. */
function sessionOf({ session }: Question, barred: readonly EdgeGroup[]): Session {
  return barred.length === 0 ? session : narrowed(session, (edge) => !barred.some((group) => isIn(group, edge)));
}

/** What is proven of the routes of a kind at the prices that are best for it, beginning with those of another branch. */
export function branchAt(
  question: Question,
  kind: Kind,
  start: ReadonlyMap<number, number>,
  waivers: readonly Waiver[],
  width: number,
  enough = Number.NEGATIVE_INFINITY,
): Branch {
  const { goal, amount, room } = question;
  const session = sessionOf(question, kind.barred);
  const paid = paidFlow({ ...question, session }, start, waivers, width, enough);
  const costPerGas = gasAtPrice(goal, Math.exp(paid.logPrices.get(session.source) as number));
  // What is charged first is charged in full: the needs that are worth most.
  const dearest = [...paid.waivers].sort((a, b) => b.waived - a.waived);
  const measured = refined(session, paid.logPrices, costPerGas, amount, room, dearest);
  const proof = noMoreThan(measured.proof, goal, amount);
  const logPrices = withObstacles(session, measured, paid.logPrices);
  return { ...kind, paid, logPrices, proof, most: mostProven(proof, goal), isLost: false };
}

/**
 * A part of a branch, of which no less is proven than of the whole. What its flow breaks of what routes need joins until
 * nothing does; where that may be enough, kinks are followed more closely at last.
 */
function part(question: Question, whole: Branch, kind: Kind, enough: number): Branch {
  const { session, goal } = question;
  const { needed, barred } = kind;
  const touch = session.leastGas * goal.costPerGas;
  let best: Branch = { ...whole, needed, barred };
  let waivers = waiversFor(kind, whole.paid.waivers);
  let width = WIDE;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = branchAt(question, kind, best.logPrices, waivers, width, width === WIDE ? enough : undefined);
    const isLost = next.most > best.most + LOST * touch;
    best = next.most < best.most ? next : { ...next, proof: best.proof, most: best.most, isLost };
    if (best.most <= enough || isLost || session.over()) break;
    const broken = brokenNeeds(session, next.paid).filter((need) => !isKnown(waivers, need));
    waivers = [...next.paid.waivers, ...broken.map((need) => ({ need, waived: 0 }))];
    if (broken.length > 0 || isMissingTokens(question, next)) {
      width = WIDE;
      continue;
    }
    if (width === NARROW || best.most > enough + NEAR * touch) break;
    width = NARROW;
  }
  return best;
}

/** Whether tokens off the flow stand in the way of proving what the flow's prices promise. */
function isMissingTokens({ amount }: Question, { logPrices, paid, proof }: Branch): boolean {
  return logPrices.size > paid.logPrices.size && sumOf(proof, amount) > paid.value + VISIBLE * Math.min(...paid.costs);
}

/** These prices and those of the tokens at which touches are cheap that are needed, or pools earn, most first. */
function withObstacles(
  session: Session,
  { earners, needed, prices }: Refined,
  logPrices: ReadonlyMap<number, number>,
): Map<number, number> {
  const { from, to } = session.graph;
  const all = new Map(logPrices);
  const earning = [...earners].sort((a, b) => b.profit - a.profit).map(({ slot }) => slot);
  for (const slot of [...needed, ...earning])
    for (const node of [from[slot] as number, to[slot] as number]) {
      if (all.has(node)) continue;
      if (all.size >= MOST_NODES) return all;
      all.set(node, Math.log(outerPrice(session, prices, node)));
    }
  return all;
}
