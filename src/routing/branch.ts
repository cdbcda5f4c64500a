import { type Refined, refined } from "./bound.ts";
import { mostProven } from "./certificate.ts";
import { division } from "./division.ts";
import { type EdgeGroup, isIn, isWithin } from "./edge-group.ts";
import { type Goal, gasAtPrice } from "./goal.ts";
import type { PriceProof } from "./measure.ts";
import { outerPrice } from "./outer-prices.ts";
import { type PaidFlow, paidFlow } from "./paid-flow.ts";
import type { Question } from "./question.ts";
import { narrowed, type Session } from "./session.ts";

/** Routes that touch an edge of each group that is needed, and none of those that are barred. */
export interface Kind {
  readonly needed: readonly EdgeGroup[];
  readonly barred: readonly EdgeGroup[];
}

/** What is proven of all routes of a kind. */
export interface Branch extends Kind {
  readonly paid: PaidFlow;
  /** Prices to go on from: those of the flow, and of tokens around that stand in the way of proving more. */
  readonly logPrices: ReadonlyMap<number, number>;
  readonly proof: PriceProof;
  /** What the proof says, in the units of the goal. */
  readonly most: number;
}

/** Divisions that are made, and steps that they may take together. */
const MOST_DIVISIONS = 32;
export const MOST_STEPS = 1_000_000;
/** How closely the kinks of pools are followed in the first round of a branch, as parts of their gas, and in the next ones. */
const [WIDE, NARROW] = [0.1, 0.01];
/** Rounds of one branch: more than two as long as tokens join that stand for more than a part of a touch. */
const MOST_ROUNDS = 5;
const VISIBLE = 0.1;
/** Tokens whose prices are minimised over together. */
export const MOST_NODES = 160;

/**
 * Branch and bound over what is touched: of all branches the one that promises most is divided into the routes that pass
 * through a token (or touch a pool of a pair, or one pool) and those that do not, until no branch promises more than
 * `enough`. No route is worth more than what the first of the branches proves that are left.
 */
export function branchAndBound(question: Question, root: Branch, enough: number): Branch {
  const { session } = question;
  const last = session.steps + MOST_STEPS;
  let branches: [Branch, ...Branch[]] = [root];
  for (let i = 0; i < MOST_DIVISIONS && session.steps < last && !session.over(); i++) {
    const [top, ...rest] = branches;
    const groups = top.most <= enough ? undefined : division(session, top.paid, top.needed);
    if (groups === undefined) break;
    const without = part(question, top, { needed: top.needed, barred: [...top.barred, ...groups] }, enough);
    const having = part(question, top, { needed: joined(top.needed, groups), barred: top.barred }, enough);
    branches = [without, having];
    branches.push(...rest);
    branches.sort((a, b) => b.most - a.most);
  }
  return branches[0];
}

/** What is proven of the routes of a kind at the prices that are best for it, beginning with those of another branch. */
export function branchAt(
  question: Question,
  { needed, barred }: Kind,
  start: ReadonlyMap<number, number>,
  from: PaidFlow | undefined,
  width: number,
  enough = Number.NEGATIVE_INFINITY,
): Branch {
  const { session, goal, amount, room } = question;
  const rest = barred.length === 0 ? session : narrowed(session, (edge) => !barred.some((group) => isIn(group, edge)));
  const known = new Map(from?.waivers.map(({ group, waived }) => [group, waived]));
  const waivers = needed.map((group) => ({ group, waived: known.get(group) ?? 0 }));
  const paid = paidFlow({ ...question, session: rest }, start, waivers, width, enough);
  const costPerGas = gasAtPrice(goal, Math.exp(paid.logPrices.get(session.source) as number));
  // What is charged first is charged in full: the groups whose touches are worth most.
  const dearest = [...paid.waivers].sort((a, b) => b.waived - a.waived).map(({ group }) => group);
  const measured = refined(rest, paid.logPrices, costPerGas, amount, room, dearest);
  const proof = noMoreThan(measured.proof, goal, amount);
  const logPrices = withObstacles(session, measured, paid.logPrices);
  return { needed, barred, paid, logPrices, proof, most: mostProven(proof, goal) };
}

/** A part of a branch, of which no less is proven than of the whole. */
function part(question: Question, whole: Branch, kind: Kind, enough: number): Branch {
  let best: Branch = { ...whole, ...kind };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { logPrices, paid } = best;
    const next =
      round === 0
        ? branchAt(question, kind, logPrices, paid, WIDE, enough)
        : branchAt(question, kind, logPrices, paid, NARROW);
    best = next.most < best.most ? next : { ...next, proof: best.proof, most: best.most };
    if (best.most <= enough || question.session.over() || (round > 0 && !isMissingTokens(question, next))) break;
  }
  return best;
}

/** Whether tokens off the flow stand in the way of proving what the flow's prices promise. */
function isMissingTokens({ amount }: Question, { logPrices, paid, proof }: Branch): boolean {
  const proven = proof.sellPrice * amount + proof.earned - proof.unavoidable;
  return logPrices.size > paid.logPrices.size && proven > paid.value + VISIBLE * Math.min(...paid.costs);
}

/** Groups of which each needs a touch, without those that another one is a part of. */
function joined(groups: readonly EdgeGroup[], more: readonly EdgeGroup[]): readonly EdgeGroup[] {
  const fresh = more.filter((large) => !groups.some((small) => isWithin(small, large)));
  return [...groups.filter((large) => !fresh.some((small) => isWithin(small, large))), ...fresh];
}

/** A purchase is not proven to cost more than the one that the room was worked out for. */
function noMoreThan(proof: PriceProof, goal: Goal, amount: number): PriceProof {
  if (goal.kind === "sell") return proof;
  const earned = goal.amount + proof.unavoidable - amount * proof.sellPrice;
  return earned > proof.earned ? { ...proof, earned } : proof;
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
