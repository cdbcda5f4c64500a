import { gapAbove } from "../bound/gap-above.ts";
import { isHopeless } from "../bound/relax.ts";
import { ampleExactIn, shortage } from "../bound/shortage.ts";
import { isBetter, isDone, isShort, sellAmountFrom, withoutGas } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { startingFlow } from "../paths/starting-flow.ts";
import type { Search } from "../session/search.ts";
import { addColumns, MIN_PROGRESS } from "./add-columns.ts";
import { restartDual, startDual } from "./dual-start.ts";
import { flowOver } from "./flow-over.ts";
import { hasGap, isFull, useCost } from "./gap-tests.ts";
import { improveFlow } from "./improve-flow.ts";
import { placeAll } from "./place-all.ts";
import { prune } from "./prune.ts";
import { deepSearch, restart } from "./restarts.ts";
import type { Proven, SearchOutcome } from "./search-outcome.ts";
import { warmFlow } from "./warm-start.ts";

/** Pool uses that may be open above the best path for ways off it to be all that is looked for: a flow without gas takes far more. */
const FEW = 4;
/** Gap above the last flow from which prices are minimised once more, as a part of the trade's value. */
const WORTH_ANOTHER_LOOK = 1e-4;
/** Gap from which a proof does not tell how good a flow is. */
const LOOSE = 0.2;

/** Flows worth evaluating in integers, the best one, as floats have it, last. */
type Flows = [...Split[], Split];

/**
 * The best path, then the trade over all pools at once, put back into the shape of a route; where gas or that shape make a
 * difference, ways that earn more than their gas join, and what does not is dropped.
 */
export function searchFlow(search: Search): SearchOutcome | undefined {
  const path = startingFlow(search);
  if (path === undefined) return undefined;
  const hopeless = isHopeless(search, search.side === "exactIn" ? path.buyAmount : search.amount);
  const impossible = hopeless ? undefined : provenImpossible(search, path);
  if (impossible !== undefined) return impossible;

  const warm = warmFlow(search, path, hopeless);
  const atFirst = startDual(search, warm?.flow ?? path, hopeless);
  const nearby = nearPath(search, path, atFirst);
  if (nearby !== undefined) return { found: nearby, ...atFirst };
  const fromKnown = warm?.isEnough && !search.isDeep ? fromWarm(search, warm.flow, atFirst) : undefined;
  if (fromKnown !== undefined) return { found: [path, fromKnown], ...atFirst };
  const spread = overAllPools(search, path, atFirst);
  const { known, best: whole } = spread;

  if (search.costPerGas > 0 && !isDone(search, whole) && !search.over())
    return { found: [path, ...withRoom(search, whole)], ...known };

  const flows: Flows = [improveFlow(search, whole, known, path)];
  if (hasGap(search, known, lastOf(flows))) flows.push(restart(search, lastOf(flows), warm?.flow));
  if (search.isDeep && hasGap(search, known, lastOf(flows))) flows.push(deepSearch(search, lastOf(flows)));
  if (search.costPerGas > 0 || known.relaxed.hopeless || isFull(search, whole) || search.over())
    return { found: [path, ...flows], ...known };
  const { flow, ...again } = lookedAgain(search, lastOf(flows), known);
  return { found: [path, ...flows.slice(0, -1), flow], ...again };
}

/** Outcome with the available amount if prices prove that no route does the whole trade; undefined otherwise. */
function provenImpossible(search: Search, path: Split): SearchOutcome | undefined {
  const relaxed = isShort(search, path) ? shortage(search, path) : undefined;
  if (relaxed === undefined) return undefined;
  const exactInTrade = withoutGas(ampleExactIn(search, path));
  const most = flowOver(exactInTrade, exactInTrade.amount, relaxed.edges(), relaxed.logPrices);
  const found = most === undefined ? [path] : [path, most];
  return { found, relaxed, proof: relaxed.measured.proof, isImpossible: true };
}

/** The best path where gas leaves nothing to split, with ways off it where it leaves a few pool uses; undefined where more is open. */
function nearPath(search: Search, path: Split, known: Proven): Flows | undefined {
  if (search.costPerGas === 0 || !isDone(search, path)) return undefined;
  const open = gapAbove(search, known.proof, path);
  if (open <= MIN_PROGRESS) return [path];
  const isNear = open <= FEW * useCost(search, path);
  return isNear ? [path, improveFlow(search, path, known, path)] : undefined;
}

/** Climbs from a known route; undefined if the proof leaves a gap that a whole search may close. */
function fromWarm(search: Search, flow: Split, { relaxed, proof }: Proven): Split | undefined {
  const open = gapAbove(search, proof, flow);
  const isUninformative = relaxed.hopeless || open > LOOSE;
  return open <= WORTH_ANOTHER_LOOK || isUninformative ? improveFlow(search, flow, { relaxed, proof }) : undefined;
}

/** Result of splitting a trade over all pools. */
interface Spread {
  readonly known: Proven;
  /** The best flow so far. */
  readonly best: Split;
}

/**
 * The flow over the pools that the trade takes at the prices that were found, put into a route's shape; where gas counts,
 * without those that do not earn theirs. Prices are minimised again for an exact-out trade that sells more than they hold for.
 */
function overAllPools(search: Search, path: Split, atFirst: Proven): Spread {
  const { relaxed } = atFirst;
  const sellAmount = sellAmountFrom(search, path);
  const gross = flowOver(withoutGas(search), sellAmount, relaxed.edges(), relaxed.logPrices);
  if (gross === undefined) return { known: atFirst, best: path };
  const isLarger = search.side === "exactOut" && !isShort(search, gross) && gross.sellAmount > relaxed.mostSold;
  const known = isLarger ? restartDual(search, relaxed.logPrices, gross) : atFirst;
  const flow = search.costPerGas > 0 ? prune(search, gross) : gross;
  return { known, best: isBetter(search, flow, path) ? flow : path };
}

/** Flows that do more of a trade of which something is left undone: room for all of it comes first, whatever gas it takes. */
function withRoom(search: Search, best: Split): Flows {
  const found = searchFlow(withoutGas(search))?.found.at(-1) ?? best;
  const whole = isDone(search, found) ? found : placeAll(search, found);
  if (!isDone(search, whole)) return [whole];
  return [whole, restart(search, addColumns(search, prune(search, whole)))];
}

/** Prices minimised once more from a flow's own, where much is open above it, and the flow over what they take where it is better. */
function lookedAgain(search: Search, last: Split, known: Proven): Proven & { readonly flow: Split } {
  const open = gapAbove(search, known.proof, last);
  if (open <= WORTH_ANOTHER_LOOK) return { ...known, flow: last };
  const again = restartDual(search, last.logPrices, last);
  const { relaxed } = again;
  const other = flowOver(search, last.sellAmount, relaxed.edges(), relaxed.logPrices);
  const flow = other !== undefined && isBetter(search, other, last) ? other : last;
  return { ...(gapAbove(search, again.proof, last) < open ? again : known), flow };
}

function lastOf(flows: Flows): Split {
  return flows.at(-1) as Split;
}
