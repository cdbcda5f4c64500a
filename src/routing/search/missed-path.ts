import { isShort, netOf } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { type FoundPath, followPaths } from "../paths/best-path.ts";
import { pathDirectionOf } from "../paths/path-direction.ts";
import { solveOver } from "../paths/starting-flow.ts";
import type { Search } from "../session/search.ts";
import { type Evaluated, evaluate } from "./integers.ts";
import type { SearchOutcome } from "./search.ts";

/** Paths that are evaluated at most. */
const MAX_TRIED = 64;
/** Pools that are looked at where nothing is known yet. */
const MAX_STEPS = 500_000;
/** Limits for a search that has an answer: a number of steps, or parts of its work if the first flow is not what it seemed, and else. */
const FEW_STEPS = 10_000;
const PART = 1 / 4;
const SMALL_PART = 1 / 64;
/** Ratio of steps to slots before the bought token from which all paths may be followed. */
const TIMES_AT_END = 20;
/** Relative promise of the first flow over the answer that counts as lost in integers. */
const LOST = 1e-9;
/** Relative gain over the best known path from which another one counts: less is float rounding. */
const VISIBLE = 1e-12;

/**
 * The best single path where it is worth more than the best answer known, and the search for the first flow may have missed it:
 * where an amount stood in its own way or found no room, smaller ones that came another way were not followed; where there is
 * arbitrage between pools, what gas is worth at spot prices says little; or integers pay less than floats saw of that flow.
 * Undefined where there is none, or where so many pools lie before the bought token that it is not found soon.
 */
export function missedPath(
  search: Search,
  { found, relaxed }: SearchOutcome,
  known: Evaluated | undefined,
): Evaluated | undefined {
  const { amount, costPerGas, side, work } = search;
  const { noRoom, repeats } = search.missed;
  const isWrong = noRoom || known === undefined || isLost(search, found[0] as Split, known);
  if (!isWrong && !repeats && !(relaxed.hopeless && costPerGas > 0)) return undefined;
  const affordable = Math.max(FEW_STEPS, (isWrong ? PART : SMALL_PART) * work.steps);
  const steps = known === undefined ? MAX_STEPS : affordable;
  if (TIMES_AT_END * search.slotsAtEnd > steps) return undefined;
  const enough = work.steps + steps;
  let best = known;
  let tried = 0;
  const isEnough = () => tried >= MAX_TRIED || work.steps > enough || search.over();
  const least = () => {
    const value = best === undefined ? Number.NEGATIVE_INFINITY : Number(best.value);
    return best === undefined ? value : value + VISIBLE * Math.abs(value);
  };
  const tell = (path: FoundPath) => {
    if (isEnough()) return;
    tried++;
    const flow = solveOver(search, path.edges, side === "exactIn" ? amount : path.amount);
    const answer = flow && evaluate(search, flow);
    if (answer === undefined || "broken" in answer) return;
    if (best === undefined || answer.value > best.value) best = answer;
  };
  const way = pathDirectionOf(search, side);
  followPaths(search, way, { amount, costPerGas, becomes: way.becomes, least, tell, isEnough });
  return best === known ? undefined : best;
}

/** Whether the first flow does not do the whole trade, or promised more than the answer pays. */
function isLost(search: Search, first: Split, { value }: Evaluated): boolean {
  const promised = netOf(search, first);
  return isShort(search, first) || promised - Number(value) > LOST * Math.abs(promised);
}
