import { fillsOf, type Route } from "../../domain/route.ts";
import type { Edge } from "../edges/edges.ts";
import { netOf, solveGoal } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import type { Search } from "../session/search.ts";
import { addColumns } from "./add-columns.ts";
import { type Evaluated, evaluate } from "./integers.ts";
import { without } from "./prune.ts";

/** Pools that are left out one by one by way of trial, those that lose most. */
const TRIED = 3;
const MAX_ROUNDS = 4;
/** Loss from which on a pool counts, as a part of the trade's value. */
const NOTICED = 1e-9;

/**
 * Drops pools that lose more to rounding than they bring, all at once or one by one, as long as that is
 * worth more in integers.
 */
export function withoutRounded(search: Search, answer: Evaluated): Evaluated {
  let best = answer;
  for (let round = 0; round < MAX_ROUNDS && !search.over(); round++) {
    const before = best;
    const losers = losersOf(before.flow, before.route);
    const alone = losers.length > 1 ? losers.slice(0, TRIED).map((edge) => [edge]) : [];
    for (const dropped of [losers, ...alone]) {
      const other = dropped.length === 0 ? undefined : without(search, before.flow, new Set(dropped));
      const next = other && evaluate(search, other, { above: best.value });
      if (next !== undefined && !("broken" in next) && next.value > best.value) best = next;
    }
    if (best === before) break;
  }
  return best;
}

/** The edges at which integers pay less than floats say by more than the edge brings, those that lose most first. */
function losersOf({ support, profits, logPrices, buyAmount }: Split, route: Route): Edge[] {
  const traded = new Map<string, { sold: number; bought: number }>();
  for (const { poolId, buyToken, sellAmount, buyAmount: paid } of fillsOf(route)) {
    const key = `${poolId} ${buyToken}`;
    const { sold, bought } = traded.get(key) ?? { sold: 0, bought: 0 };
    traded.set(key, { sold: sold + Number(sellAmount), bought: bought + Number(paid) });
  }
  const least = NOTICED * buyAmount;
  const lost = new Map<Edge, number>();
  support.edges.forEach((edge, i) => {
    const used = traded.get(`${edge.pool.id} ${edge.pool.tokens[edge.direction.buy]}`);
    if (used === undefined) return;
    const missing = edge.curve.buyAmountFor(used.sold) - used.bought;
    const loss = missing * Math.exp(logPrices.get(edge.to) as number) - (profits[i] as number);
    if (loss > least) lost.set(edge, loss);
  });
  return [...lost].sort((a, b) => b[1] - a[1]).map(([edge]) => edge);
}

/** Relative loss of a flow in integers, or gain by another round, from which the search goes on. */
const VISIBLE = 1e-4;

/**
 * Goes on from the best answer in integers, in whole base units: floats saw parts of them in `meant`, and what pools were
 * to make of these may find other ways; for an exact-out trade as long as that gains visibly. Undefined where that leads to nothing.
 */
export function anotherRound(search: Search, meant: Split, answer: Evaluated): Evaluated | undefined {
  const paid = Number(answer.value);
  if (netOf(search, meant) - paid <= VISIBLE * Math.abs(paid)) return undefined;
  return goneOnFrom(search, answer);
}

/** Continues the search from any answer. */
function goneOnFrom(search: Search, answer: Evaluated): Evaluated | undefined {
  const next = goneOn(search, answer);
  if (search.side === "exactIn" || next === undefined) return next;
  const gained = Number(next.value - answer.value);
  if (gained <= VISIBLE * Math.abs(Number(next.value))) return next;
  const after = goneOnFrom(search, next);
  return after !== undefined && after.value > next.value ? after : next;
}

function goneOn(search: Search, { flow }: Evaluated): Evaluated | undefined {
  if (search.over()) return undefined;
  const whole = { ...search, whole: true };
  const start = solveGoal(whole, flow.support.edges, flow.sellAmount, flow.logPrices);
  if (start === undefined) return undefined;
  const next = addColumns(whole, start);
  const answer = evaluate(search, next);
  return "broken" in answer ? undefined : withoutRounded(search, answer);
}
