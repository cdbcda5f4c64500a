import { netOf, solveGoal } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import type { Search } from "../session/search.ts";
import { addColumns } from "./add-columns.ts";
import { type Evaluated, evaluate } from "./integers.ts";
import { withoutRounded } from "./rounding.ts";

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
