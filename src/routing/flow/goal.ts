import type { Edge } from "../edges/edges.ts";
import { type Goal, gasAtPrice, type Search } from "../session/search.ts";
import { type Split, scaleFlow, solveSplit } from "./solve-split.ts";

/** Part of an amount to buy that a flow may still lack: selling a little more makes up for it. */
const NEARLY = 0.05;
/** Relative shortfall of an amount to buy that counts as nothing: its cost is known from the prices. */
const CLOSE = 1e-8;
/** Largest factor between the amounts of successive steps. */
const MAX_RESIZED = 4;

/** Whether a flow leaves less of the trade undone, or as much and is worth more. */
export function isBetter(search: Search, next: Split, current: Split): boolean {
  if (next.stuck !== current.stuck) return next.stuck < current.stuck;
  const [short, before] = [shortOf(search, next), shortOf(search, current)];
  if (short !== before) return short < before;
  return netOf(search, next) > netOf(search, current);
}

/** Whether a flow lacks so much of an amount to buy that selling a little more does not make up for it. */
export function isShort(goal: Goal, flow: Split): boolean {
  return shortOf(goal, flow) > 0;
}

/** Whether a flow does all of a trade, or will once it sells a little more. */
export function isDone(goal: Goal, flow: Split): boolean {
  return flow.stuck === 0 && !isShort(goal, flow);
}

/** Shortfall of a flow against an amount to buy; a negligible one counts as 0, since it is adjusted later. */
function shortOf(goal: Goal, { buyAmount }: Split): number {
  return goal.side === "exactOut" && buyAmount < (1 - NEARLY) * goal.amount ? goal.amount - buyAmount : 0;
}

/**
 * Objective of a goal's flows, higher is better: bought units net of gas, or negative sold units with gas. A result of
 * less than a base unit counts as 0, so flows that floats give a fraction of one compare as equal.
 */
export function netOf(search: Search, solved: Split): number {
  const cost = search.costPerGas === 0 ? 0 : sumOf(gasesOf(search, solved)) * search.costPerGas;
  if (search.side === "exactIn") return solved.buyAmount - cost;
  const missing = search.amount - solved.buyAmount;
  const more = missing > 0 ? missing / priceOf(solved, search.source) : missing * averageOf(solved);
  return -(Math.max(1, solved.sellAmount + more) + cost);
}

/** Sold units for a bought one: a flow that buys too much saves at least that where it sells less, since curves are concave. */
function averageOf({ sellAmount, buyAmount }: Split): number {
  return buyAmount > 0 ? sellAmount / buyAmount : 0;
}

/** Whether no flow can be better: one that buys all for no more than a base unit. */
export function isBest(search: Search, flow: Split): boolean {
  return search.side === "exactOut" && isDone(search, flow) && netOf(search, flow) >= -1;
}

/** The most that a route sells which is better than a flow: a better exact-out trade sells no more than this one costs, less gas. */
export function mostSoldFor(search: Search, flow: Split): number {
  return search.side === "exactIn"
    ? search.amount
    : Math.max(flow.sellAmount, -netOf(search, flow) - leastCost(search));
}

/** Cost of the gas that every route needs, in the token that the goal leaves open: of one pool use, or two where no pool leads there. */
export function leastCost({ source, closes, leastGas, costPerGas }: Search): number {
  return (closes(source) ? 1 : 2) * leastGas * costPerGas;
}

/** The amount that the goal leaves open. */
export function amountOf(goal: Goal, solved: Split): number {
  return goal.side === "exactIn" ? solved.buyAmount : solved.sellAmount;
}

/** The search for the same trade, gas aside. */
export function withoutGas(search: Search): Search {
  return { ...search, costPerGas: 0 };
}

/** Amount that a goal sells according to a flow; if the flow buys only a part, scaled up in proportion. */
export function sellAmountFrom(goal: Goal, flow: Split): number {
  return isShort(goal, flow) ? (flow.sellAmount * goal.amount) / flow.buyAmount : flow.sellAmount;
}

/** Gas of the flow in bought units, at the flow's own prices. */
export function gasInBought(search: Search, solved: Split): number {
  return gasAtPrice(search, priceOf(solved, search.source));
}

export function priceOf(solved: Split, node: number): number {
  return Math.exp(solved.logPrices.get(node) as number);
}

/** Gas of one pool use of each edge of a flow. */
export function gasesOf(goal: Goal, { support, sells }: Split): number[] {
  return support.edges.map((edge, i) => gasOfTrade(goal, edge, sells[i] as number));
}

/** Gas of an edge that sells this much for a goal: curves that cannot tell have the least of a pool use. */
export function gasOfTrade({ side }: Pick<Goal, "side">, { curve, gas }: Edge, sellAmount: number): number {
  if (side === "exactOut" && curve.gasToBuy !== undefined) return curve.gasToBuy;
  return curve.gasFor === undefined ? gas : curve.gasFor(sellAmount);
}

/** Gas of edges, each at the least. */
export function gasOf(edges: readonly Edge[]): number {
  return sumOf(edges.map(({ gas }) => gas));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/**
 * A goal split best over edges; where they do not pay an amount to buy, or for next to nothing, what `sellAmount` pays, or a
 * base unit: no exact-out trade sells less.
 */
export function solveGoal(
  search: Search,
  edges: readonly Edge[],
  sellAmount: number,
  start: ReadonlyMap<number, number>,
): Split | undefined {
  const flow = solveSplit(search, edges, search, start);
  if (search.side === "exactIn" || flow === undefined || isDone(search, flow)) return flow;
  return solveSplit(search, edges, { side: "exactIn", amount: Math.max(1, sellAmount) }, start);
}

/**
 * For an amount to buy: sells more or less until the flow pays just that. What is missing is little where the amount was
 * split itself: then all parts change in proportion.
 */
export function resize(search: Search, solved: Split, attempts: number): Split {
  if (search.side === "exactIn") return solved;
  let current = solved;
  let isTooLittle = false;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const missing = search.amount - current.buyAmount;
    if (Math.abs(missing) <= CLOSE * search.amount) return current;
    const unit = isTooLittle ? averageOf(current) : 1 / priceOf(current, search.source);
    const wanted = Math.max(1, current.sellAmount + missing * unit);
    if (wanted === current.sellAmount) return current;
    const sellAmount = Math.min(Math.max(wanted, current.sellAmount / MAX_RESIZED), current.sellAmount * MAX_RESIZED);
    const isNear = Math.abs(missing) <= NEARLY * search.amount;
    const next = isNear
      ? scaleFlow(search, current, sellAmount)
      : solveSplit(search, solved.support.edges, { side: "exactIn", amount: sellAmount }, current.logPrices);
    if (next === undefined || next.stuck > 0) return current;
    if (isShort(search, next) && !isShort(search, current)) {
      // At the end of a pool one unit less costs far more than one more brings.
      if (isTooLittle || missing > 0) return current;
      isTooLittle = true;
      continue;
    }
    current = next;
  }
  return current;
}
