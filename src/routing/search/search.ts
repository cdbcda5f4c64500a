import { isHopeless, proveAtFirst, type Relaxed, relax, spotBound } from "../bound/relax.ts";
import { sellingAll, shortage } from "../bound/shortage.ts";
import { isBetter, isDone, isShort, mostSoldFor, sellAmountFrom, withoutGas } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { startingFlow } from "../paths/starting-flow.ts";
import type { Search } from "../session/search.ts";
import { addColumns, MIN_PROGRESS } from "./add-columns.ts";
import { choosePools } from "./choose-pools.ts";
import { gapAbove, hasGap, improveFlow, isFull, type Proven, useCost } from "./improve-flow.ts";
import { placeAll } from "./place-all.ts";
import { flowOver, prune } from "./prune.ts";
import { deepSearch, restart } from "./restarts.ts";
import { provenNearby, warmFlow } from "./warm-start.ts";

/** Pool uses that may be open above the best path for ways off it to be all that is looked for: a flow without gas takes far more. */
const FEW = 4;
/** Factor over the linear estimate of the amount that an exact-out trade sells: its upper limit. */
const MARGIN = 2;
/** Gap up to which a climb from a known route does, and above which prices are minimised once more; as a part of the trade's value. */
const CLOSE_ENOUGH = 1e-4;
/** Gap from which a proof does not tell how good a flow is. */
const LOOSE = 0.2;

/** Result of a search. */
export interface SearchOutcome extends Proven {
  /** Flows worth evaluating in integers, the most promising last. Unless it is close, the first is the best single path. */
  readonly found: readonly Split[];
  /** It is proven that no route does the trade: `found` says what there is room for. */
  readonly isImpossible?: true;
  /** The proof is close enough: neither another one nor another flow is looked for. */
  readonly isClose?: true;
}

/** Flows worth evaluating in integers, the best one, as floats have it, last. */
type Flows = [...Split[], Split];

/**
 * The best path, then the trade over all pools at once, put back into the shape of a route; where gas or that shape make a
 * difference, ways that earn more than their gas join, and what does not is dropped.
 */
export function searchFlow(search: Search): SearchOutcome | undefined {
  const near = search.isDeep ? undefined : provenNearby(search);
  if (near !== undefined) return near;
  const path = startingFlow(search);
  if (path === undefined) return undefined;
  const hopeless = isHopeless(search, search.side === "exactIn" ? path.buyAmount : search.amount);
  const warm = warmFlow(search, path, hopeless);
  const impossible = provenImpossible(search, path, warm?.flow);
  if (impossible !== undefined) return impossible;

  const atFirst = startDual(search, warm?.flow ?? path, hopeless);
  const nearby = nearPath(search, path, atFirst);
  if (nearby !== undefined) return { found: nearby, ...atFirst };
  const fromKnown = warm?.isNear && !search.isDeep ? fromWarm(search, warm.flow, atFirst) : undefined;
  if (fromKnown !== undefined) return { found: [path, fromKnown], ...atFirst };
  const { known, gross, best } = overAllPools(search, path, atFirst);
  if (search.costPerGas > 0 && !isDone(search, best) && !search.over())
    return { found: [path, ...withRoom(search, { ...known, start: gross, warm: warm?.flow }, best)], ...known };
  const { flows, ...proven } = improved(search, { ...known, start: best, path, warm: warm?.flow });
  return { found: [path, ...flows], ...proven };
}

/** A flow over all pools, what is proven of it, and others whose pools are of use. */
interface Spread extends Proven {
  readonly start: Split;
  readonly path?: Split;
  readonly warm?: Split | undefined;
}

/** What a flow comes to by columns and, where much is open above it, by restarts and prices minimised once more. */
function improved(search: Search, { start, path, warm, ...known }: Spread): Proven & { readonly flows: Flows } {
  const flows: Flows = [improveFlow(search, start, known, path)];
  if (hasGap(search, known, lastOf(flows))) flows.push(restart(search, lastOf(flows), warm));
  if (search.isDeep && hasGap(search, known, lastOf(flows))) flows.push(deepSearch(search, lastOf(flows)));
  if (search.costPerGas > 0 || known.relaxed.hopeless || isFull(search, start) || search.over())
    return { flows, ...known };
  const { flow, ...again } = lookedAgain(search, lastOf(flows), known);
  return { flows: [...flows.slice(0, -1), flow], ...again };
}

/**
 * Proves a first bound of a trade: by the minimum of the dual over all pools, started at the prices of a flow, or
 * by spot prices, if arbitrage between pools makes every bound useless.
 */
function startDual(search: Search, flow: Split, isHopeless: boolean): Proven {
  if (!isHopeless) return minimised(search, flow.logPrices, flow);
  const sellAmount = sellAmountFrom(search, flow);
  return provenBy(search, sellAmount, spotBound(search, sellAmount));
}

/** Minimises the dual from given prices, for a trade that sells about what a flow does. */
function minimised(search: Search, logPrices: ReadonlyMap<number, number>, flow: Split): Proven {
  const sellAmount = sellAmountFrom(search, flow);
  const most = isShort(search, flow) ? MARGIN * sellAmount : mostSoldFor(search, flow);
  const mostSold = search.side === "exactOut" ? most : undefined;
  return provenBy(search, sellAmount, relax(search, logPrices, sellAmount, { mostSold }));
}

function provenBy(search: Search, sellAmount: number, relaxed: Relaxed): Proven {
  return { relaxed, proof: proveAtFirst(search, Math.max(sellAmount, relaxed.mostSold), relaxed) };
}

/** Part of an amount to buy from which on a known route's flow shows that it can be bought. */
const AS_GOOD_AS_ALL = 0.999;

/** Outcome with the available amount if prices prove that no route does the whole trade; undefined otherwise. */
function provenImpossible(search: Search, path: Split, warm = path): SearchOutcome | undefined {
  const isOpen = isShort(search, path) && warm.buyAmount < AS_GOOD_AS_ALL * search.amount;
  const relaxed = isOpen ? shortage(search) : undefined;
  if (relaxed === undefined) return undefined;
  const exactInTrade = sellingAll(search);
  // Where the pools of the bought token are full, what leads there is worth next to nothing.
  const edges = [...new Set([...path.support.edges, ...relaxed.edges()])];
  const most = flowOver(exactInTrade, exactInTrade.amount, edges, new Map([...path.logPrices, ...relaxed.logPrices]));
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
  const isUninformative = !search.warm.explores && (relaxed.hopeless || open > LOOSE);
  return open <= CLOSE_ENOUGH || isUninformative ? improveFlow(search, flow, { relaxed, proof }) : undefined;
}

/**
 * The flow over the pools that the trade takes at the prices that were found, put into a route's shape; where gas counts,
 * without those that do not earn theirs. Prices are minimised again for an exact-out trade that sells more than they hold for.
 */
function overAllPools(search: Search, path: Split, atFirst: Proven) {
  const { relaxed } = atFirst;
  const sellAmount = sellAmountFrom(search, path);
  const gross = flowOver(withoutGas(search), sellAmount, relaxed.edges(), relaxed.logPrices);
  if (gross === undefined) return { known: atFirst, gross: path, best: path };
  const isLarger = search.side === "exactOut" && !isShort(search, gross) && gross.sellAmount > relaxed.mostSold;
  const known = isLarger ? minimised(search, relaxed.logPrices, gross) : atFirst;
  const flow = search.costPerGas > 0 ? prune(search, gross) : gross;
  return { known, gross, best: isBetter(search, flow, path) ? flow : path };
}

/**
 * Flows that do more of a trade of which something is left undone: room for all of it comes first, whatever gas it takes. It is found
 * without gas, and by few paths off the flow.
 */
function withRoom(search: Search, { relaxed, start: gross, warm }: Spread, best: Split): Flows {
  const free = withoutGas(search);
  const start = relaxed.hopeless ? (startingFlow(free) ?? gross) : gross;
  const whole = lastOf(improved(free, { relaxed, proof: relaxed.measured.proof, start, warm }).flows);
  if (!isDone(search, whole)) return [whole];
  const fewer = (flow: Split) => choosePools(search, addColumns(search, prune(search, flow)), []);
  return [whole, restart(search, fewer(whole), fewer(placeAll(search, best)))];
}

/** Prices minimised once more from a flow's own, where much is open above it, and the flow over what they take where it is better. */
function lookedAgain(search: Search, last: Split, known: Proven): Proven & { readonly flow: Split } {
  const open = gapAbove(search, known.proof, last);
  if (open <= CLOSE_ENOUGH) return { ...known, flow: last };
  const again = minimised(search, last.logPrices, last);
  const { relaxed } = again;
  const other = flowOver(search, last.sellAmount, relaxed.edges(), relaxed.logPrices);
  const flow = other !== undefined && isBetter(search, other, last) ? other : last;
  return { ...(gapAbove(search, again.proof, last) < open ? again : known), flow };
}

function lastOf(flows: Flows): Split {
  return flows.at(-1) as Split;
}
