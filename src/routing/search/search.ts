import { measure, noMoreThan } from "../bound/measure.ts";
import { isHopeless, proveAtFirst, relax, spotBound } from "../bound/relax.ts";
import { sellingAll, shortage } from "../bound/shortage.ts";
import { isBetter, isDone, isShort, mostSoldFor, priceOf, sellAmountFrom, withoutGas } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { startingFlow } from "../paths/starting-flow.ts";
import type { Search } from "../session/search.ts";
import { addColumns } from "./add-columns.ts";
import { choosePools } from "./choose-pools.ts";
import { gapAbove, hasGap, improveFlow, isFull, type Proven, useCost } from "./improve-flow.ts";
import { placeAll } from "./place-all.ts";
import { flowOver, prune } from "./prune.ts";
import { deepSearch, restart } from "./restarts.ts";
import { tighten } from "./tighten.ts";
import { provenNearby, warmFlow } from "./warm-start.ts";

/** Gap above the first flow of a small trade: parts of its value, and uses of the cheapest pool. */
const SMALL = 0.1;
const FEW = 4;
/** Gap above the flow that it begins with from which on it goes on as any other trade: parts of its value, besides these uses. */
const OPEN = 0.01;
/** Factor over the linear estimate of the amount that an exact-out trade sells: its upper limit. */
const MARGIN = 2;
/** Gap up to which a climb from a known route does, and above which prices are minimised once more; as a part of the trade's value. */
const CLOSE_ENOUGH = 1e-4;

/** Flow that a search goes on from, the same before pools left that do not earn their gas, and what is proven. */
interface Begun extends Proven {
  readonly flow: Split;
  readonly gross?: Split;
  /** The proof is of prices that were minimised with gas, and of a small trade, which were not so without. */
  readonly isTight?: true;
  readonly isSmall?: true;
}

/** Result of a search. */
export interface SearchOutcome extends Omit<Begun, "flow"> {
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

  const start = warm?.flow ?? path;
  const small = hopeless ? undefined : smallTrade(search, start);
  const first = small ?? { ...startDual(search, start, hopeless), flow: start };
  const isNear = warm?.isNear === true && !search.isDeep;
  const isKnown = isNear && !search.warm.explores;
  if ((isKnown && hopeless) || (isNear && gapAbove(search, first.proof, first.flow) <= CLOSE_ENOUGH))
    return { found: [path, improveFlow(search, first.flow, first, path)], ...first };
  const begun = small ?? overAllPools(search, start, first);
  const isUndone = search.costPerGas > 0 && !isDone(search, begun.flow) && !search.over();
  if (isUndone) return { ...begun, found: [path, ...withRoom(search, begun, warm?.flow)] };
  const { flows, ...proven } = improved(search, begun, { path, warm: warm?.flow, isKnown });
  return { ...proven, found: [path, ...flows] };
}

/**
 * Improves a flow by columns, with the pools of others, and where much is open above it by restarts and prices minimised once more.
 * `isKnown`: a known route for about the amount stands for restarts.
 */
function improved(
  search: Search,
  { flow: start, ...known }: Begun,
  { path, warm, isKnown }: { readonly path?: Split; readonly warm: Split | undefined; readonly isKnown?: boolean },
): Omit<Begun, "flow"> & { readonly flows: Flows } {
  const flows: Flows = [improveFlow(search, start, known, path)];
  if (!isKnown && hasGap(search, known, lastOf(flows))) flows.push(restart(search, lastOf(flows), warm));
  if (search.isDeep && hasGap(search, known, lastOf(flows))) flows.push(deepSearch(search, lastOf(flows)));
  if (search.costPerGas > 0 || known.relaxed.hopeless || isFull(search, start) || search.over())
    return { flows, ...known };
  const { flow, ...again } = lookedAgain(search, lastOf(flows), known);
  return { flows: [...flows.slice(0, -1), flow], ...again };
}

/**
 * A small trade, begun with gas: at the prices of a flow that does all of it, pools earn no more than a tenth of its worth, or than the
 * gas of a few uses. Undefined for any other one. Without gas it would go over far more pools than it uses in the end.
 */
function smallTrade(search: Search, start: Split): Begun | undefined {
  if (search.costPerGas === 0 || !isDone(search, start)) return undefined;
  const sellAmount = mostSoldFor(search, start);
  const sold = sellAmount * priceOf(start, search.source);
  const measured = measure(search, start.logPrices, sellAmount, { worth: sold });
  const mostSold = search.side === "exactIn" ? 0 : sellAmount;
  const edges = () => start.support.edges;
  const relaxed = { measured, logPrices: start.logPrices, edges, hopeless: false, mostSold };
  const proof = noMoreThan(proveAtFirst(search, sellAmount, relaxed), search, sellAmount);
  if (gapAbove(search, proof, start) > SMALL + FEW * useCost(search, start)) return undefined;
  const begun = withGas(search, start, { relaxed, proof });
  return gapAbove(search, begun.proof, begun.flow) > OPEN + useCost(search, start)
    ? undefined
    : { ...begun, isSmall: true };
}

/**
 * Minimises prices with gas from those of a flow. Pools that earn a part of theirs stand for those that carry most without gas. The
 * sale that stands for an exact-out trade becomes smaller as the flow gets better: its proof is not the last one.
 */
function withGas(search: Search, start: Split, known: Proven): Begun {
  const { edges, ...tight } = tighten(search, start, known);
  const relaxed = edges.length === 0 ? known.relaxed : { ...known.relaxed, edges: () => edges };
  return { ...tight, relaxed, ...(search.side === "exactIn" && { isTight: true }) };
}

/**
 * Proves a first bound of a trade: by the minimum of the dual over all pools, started at the prices of a flow, or
 * by spot prices, if arbitrage between pools makes every bound useless.
 */
function startDual(search: Search, flow: Split, isHopeless: boolean): Proven {
  if (!isHopeless) return minimised(search, flow.logPrices, flow);
  const relaxed = spotBound(search, sellAmountFrom(search, flow));
  return { relaxed, proof: relaxed.measured.proof };
}

/** Minimises the dual from given prices, for a trade that sells about what a flow does. */
function minimised(search: Search, logPrices: ReadonlyMap<number, number>, flow: Split): Proven {
  const sellAmount = sellAmountFrom(search, flow);
  const most = isShort(search, flow) ? MARGIN * sellAmount : mostSoldFor(search, flow);
  const relaxed = relax(search, logPrices, sellAmount, search.side === "exactOut" ? most : undefined);
  return { relaxed, proof: proveAtFirst(search, Math.max(sellAmount, relaxed.mostSold), relaxed) };
}

/** Proof for searches of other amounts to begin with: closer than one of a small trade, whose prices without gas are a path's. */
export function provenWithoutGas(search: Search, flow: Split): Proven {
  const known = minimised(search, flow.logPrices, flow);
  return { ...known, proof: tighten(search, flow, known).proof };
}

/** Part of an amount to buy from which on a known route's flow shows that it can be bought. */
const AS_GOOD_AS_ALL = 0.999;

/** Outcome with the available amount if prices prove that no route does the whole trade; undefined otherwise. */
function provenImpossible(search: Search, path: Split, warm = path): SearchOutcome | undefined {
  const isOpen = isShort(search, path) && warm.buyAmount < AS_GOOD_AS_ALL * search.amount;
  const relaxed = isOpen ? shortage(search) : undefined;
  if (relaxed === undefined) return undefined;
  const exactInTrade = sellingAll(search);
  // Prices see next to nothing of what leads to full pools of the bought token.
  const edges = [...new Set([...path.support.edges, ...relaxed.edges()])];
  const most = flowOver(exactInTrade, exactInTrade.amount, edges, new Map([...path.logPrices, ...relaxed.logPrices]));
  const found = most === undefined ? [path] : [path, most];
  return { found, relaxed, proof: relaxed.measured.proof, isImpossible: true };
}

/**
 * The flow over the pools that the trade takes at the prices that were found, put into a route's shape; where gas counts,
 * without those that do not earn theirs. Prices are minimised again for an exact-out trade that sells more than they hold for.
 */
function overAllPools(search: Search, start: Split, atFirst: Proven): Begun {
  const { relaxed } = atFirst;
  const sellAmount = sellAmountFrom(search, start);
  const gross = flowOver(withoutGas(search), sellAmount, relaxed.edges(), relaxed.logPrices);
  if (gross === undefined) return { ...atFirst, flow: start };
  const isLarger = search.side === "exactOut" && !isShort(search, gross) && gross.sellAmount > relaxed.mostSold;
  const known = isLarger ? minimised(search, relaxed.logPrices, gross) : atFirst;
  const flow = search.costPerGas > 0 ? prune(search, gross) : gross;
  const best = isBetter(search, flow, start) ? flow : start;
  const isSale = search.side === "exactIn" && search.costPerGas > 0 && isDone(search, best);
  return isSale ? withGas(search, best, known) : { ...known, gross, flow: best };
}

/**
 * Flows that do more of a trade of which something is left undone: room for all of it comes first, whatever gas it takes. It is found
 * without gas, and by few paths off the flow.
 */
function withRoom(search: Search, { relaxed, gross, flow: best }: Begun, warm: Split | undefined): Flows {
  const free = withoutGas(search);
  const start = gross ?? startingFlow(free) ?? best;
  const whole = lastOf(improved(free, { relaxed, proof: relaxed.measured.proof, flow: start }, { warm }).flows);
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
