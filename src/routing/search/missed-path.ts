import { isShort, netOf } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { everyPath } from "../paths/every-path.ts";
import { solveOver } from "../paths/starting-flow.ts";
import type { Search } from "../session/search.ts";
import { type Evaluated, evaluate } from "./integers.ts";
import type { SearchOutcome } from "./search.ts";

/** Paths that are evaluated at most. */
const MAX_TRIED = 64;
/** Pools that are looked at where nothing is known yet. */
const MAX_STEPS = 500_000;
/**
 * Limits for a search that has an answer: a number of steps, or parts of the search's work if the first flow is not what
 * it seemed, and where that is only possible.
 */
const FEW_STEPS = 10_000;
const PART = 1 / 16;
const SMALL_PART = 1 / 64;
/** Ratio of labels to labels before the bought token from which the needed amounts are worth computing. */
const TIMES_AT_END = 20;
/** Relative promise of the first flow over the answer that counts as lost in integers. */
const LOST = 1e-9;

/**
 * The best single path where it is worth more than the best answer known, and the search for the first flow may have missed it:
 * where a larger amount stood in its own way or found no room, smaller ones that came another way were not followed; where
 * there is arbitrage between pools, what gas is worth at spot prices says little; or integers pay less than floats saw of that flow. Undefined
 * where there is none, or where too many pools lie before the bought token for the search to be worth it.
 */
export function missedPath(
  search: Search,
  { found, relaxed }: SearchOutcome,
  known: Evaluated | undefined,
): Evaluated | undefined {
  const { noRoom, labels } = search.missed;
  const isWrong = noRoom || known === undefined || isLost(search, found[0] as Split, known);
  const isIncomplete = isWrong || (relaxed.hopeless && search.costPerGas > 0);
  if (!isIncomplete && labels.length === 0) return undefined;
  const affordable = Math.max(FEW_STEPS, (isWrong ? PART : SMALL_PART) * search.work.steps);
  const steps = known === undefined ? MAX_STEPS : affordable;
  if (TIMES_AT_END * search.slotsAtEnd > steps) return undefined;
  const enough = search.work.steps + steps;
  let best = known;
  let tried = 0;
  everyPath(
    search,
    () => (best === undefined ? Number.NEGATIVE_INFINITY : Number(best.value)),
    (edges, amount) => {
      tried++;
      const flow = solveOver(search, edges, search.side === "exactIn" ? search.amount : amount);
      const answer = flow && evaluate(search, flow);
      if (answer === undefined || "broken" in answer) return;
      if (best === undefined || answer.value > best.value) best = answer;
    },
    (more) => tried >= MAX_TRIED || search.work.steps + more > enough || search.over(),
    (isEnough) => isIncomplete || labels.some(({ node, amount, left }) => isEnough(node, amount, left)),
  );
  return best === known ? undefined : best;
}

/** Whether the first flow does not do the whole trade, or promised more than the answer pays. */
function isLost(search: Search, first: Split, { value }: Evaluated): boolean {
  const promised = netOf(search, first);
  return isShort(search, first) || promised - Number(value) > LOST * Math.abs(promised);
}
