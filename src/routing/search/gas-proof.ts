import { type Refined, refined } from "../bound/bound.ts";
import { mostProven } from "../bound/certificate.ts";
import { type PriceProof, sumOf } from "../bound/measure.ts";
import { outerPrice } from "../bound/outer-prices.ts";
import type { Question } from "../bound/question.ts";
import { brokenNeeds } from "../charge/broken-needs.ts";
import { type PaidFlow, paidFlow } from "../charge/paid-flow.ts";
import { isSame, type Waiver } from "../edges/needs.ts";
import { type Goal, gasAtPrice } from "../flow/goal.ts";
import type { Session } from "../session/session.ts";

/** Prices that are minimised with gas, and what they prove. */
export interface GasProof {
  readonly paid: PaidFlow;
  /** Prices to go on from: those of the flow, and of tokens around that stand in the way of proving more. */
  readonly logPrices: ReadonlyMap<number, number>;
  readonly proof: PriceProof;
  /** What the proof says, in the units of the goal. */
  readonly most: number;
}

/** How closely the kinks of pools are followed at first where needs join, as parts of their gas, and in the next rounds. */
const [WIDE, NARROW] = [0.1, 0.01];
/** Rounds: more than two as long as needs join, or tokens that stand for more than a part of a touch. */
const MOST_ROUNDS = 8;
const VISIBLE = 0.1;
/** Touches above what is enough up to which kinks are followed more closely. */
const NEAR = 0.3;
/** Touches by which prices prove less than others from which on they are lost. */
const LOST = 64;
/** Tokens whose prices are minimised over together. */
export const MOST_NODES = 160;

/** What is proven at the prices that are best, beginning with others; `waivers`: what routes are known to need. */
export function provenFrom(
  question: Question,
  start: ReadonlyMap<number, number>,
  waivers: readonly Waiver[],
  width: number,
  enough = Number.NEGATIVE_INFINITY,
): GasProof {
  const { session, goal, amount, room } = question;
  const paid = paidFlow(question, start, waivers, width, enough);
  const costPerGas = gasAtPrice(goal, Math.exp(paid.logPrices.get(session.source) as number));
  // What is charged first is charged in full: the needs that are worth most.
  const dearest = [...paid.waivers].sort((a, b) => b.waived - a.waived);
  const measured = refined(session, paid.logPrices, costPerGas, amount, room, dearest);
  const proof = noMoreThan(measured.proof, goal, amount);
  const logPrices = withObstacles(session, measured, paid.logPrices);
  return { paid, logPrices, proof, most: mostProven(proof, goal) };
}

/**
 * The same or more, once what the flow breaks of what routes need has joined until nothing does; where that may be `enough`,
 * kinks are followed more closely at last.
 */
export function provenWithNeeds(question: Question, first: GasProof, enough: number): GasProof {
  const { session, goal } = question;
  const touch = session.leastGas * goal.costPerGas;
  let best = first;
  let waivers: readonly Waiver[] = [];
  let width = WIDE;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = provenFrom(question, best.logPrices, waivers, width, width === WIDE ? enough : undefined);
    const isLost = next.most > best.most + LOST * touch;
    best = next.most < best.most ? next : { ...next, proof: best.proof, most: best.most };
    if (best.most <= enough || isLost || session.over()) break;
    const broken = brokenNeeds(session, next.paid).filter((need) => !waivers.some((one) => isSame(one.need, need)));
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
function isMissingTokens({ amount }: Question, { logPrices, paid, proof }: GasProof): boolean {
  return logPrices.size > paid.logPrices.size && sumOf(proof, amount) > paid.value + VISIBLE * Math.min(...paid.costs);
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
