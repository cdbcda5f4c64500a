import type { Address } from "../../domain/address.ts";
import { fillsOf } from "../../domain/route.ts";
import { measure, mostProven, noMoreThan, roomOf } from "../bound/measure.ts";
import { amountOf, isBetter, isDone, mostSoldFor, netOf } from "../flow/goal.ts";
import { resplit, type Split } from "../flow/solve-split.ts";
import type { RouteResult, SearchStart, TokenPrices } from "../router.ts";
import { gasAtPrice, type Search } from "../session/search.ts";
import { boundByPrices } from "./certify.ts";
import { improveFlow, type Proven } from "./improve-flow.ts";
import { type Evaluated, evaluate, withoutRounded } from "./integers.ts";
import { flowsOver, givenAmountOf } from "./warm-start.ts";

/** Gap that a flow may leave open beyond what the searches that it begins from left, as a part of the trade's value. */
const AS_GOOD = 1e-4;
/** Gap of these searches, as a part of the trade's value, from which on they do not tell how good a flow is. */
const MAX_OPEN = 5e-4;

/**
 * The answer over the pools of searches for a smaller and a larger amount, split anew, and proven at prices between theirs: no dual
 * is minimised. Undefined without both, or if that leaves more open than these searches did, so that a whole search may find a better one.
 */
export function nearAnswer(search: Search): RouteResult | undefined {
  const { starts = [] } = search.request;
  const [smaller, larger] = starts;
  if (smaller === undefined || larger === undefined) return undefined;
  // An amount between theirs takes the same pools if both do.
  const isOne = poolUsesOf(smaller) === poolUsesOf(larger);
  const between = betweenStarts(search, smaller, larger);
  let best: Split | undefined;
  for (const flow of flowsOver(search, isOne ? [smaller] : starts, between.proven))
    if (isDone(search, flow) && (best === undefined || isBetter(search, flow, best))) best = flow;
  if (best === undefined || between.open > MAX_OPEN * amountOf(search, best)) return undefined;
  const known = provenAt(search, between, best);
  const least = mostProven(known.proof, search) - between.open - AS_GOOD * amountOf(search, best);
  if (!(netOf(search, best) >= least)) return undefined;
  const flow = isOne ? best : improveFlow(search, best, known);
  const answer = evaluate(search, search.side === "exactIn" ? resplit(search, flow) : flow);
  if ("broken" in answer) return undefined;
  const { route, value } = withoutRounded(search, answer);
  if (Number(value) < least) return undefined;
  const achieved = search.side === "exactIn" ? value : -value;
  const bound = boundByPrices(search, known.proof);
  return bound === undefined ? undefined : { found: true, route, certificate: { bound, achieved } };
}

/** Outcome as a search for another amount can begin with it; undefined where prices prove nothing of use. */
export function startOf(search: Search, { relaxed, proof }: Proven, best: Evaluated): SearchStart | undefined {
  if (relaxed.hopeless) return undefined;
  const { sellAmount, buyAmount } = best.route;
  return {
    ...{ sellAmount, buyAmount },
    uses: fillsOf(best.route).map(({ poolId, sellToken, buyToken }) => ({ poolId, sellToken, buyToken })),
    relaxed: byToken(search, relaxed.logPrices),
    proven: byToken(search, proof.logPrices),
    level: proof.level,
    open: mostProven(proof, search) - Number(best.value),
  };
}

function poolUsesOf({ uses }: SearchStart): string {
  return uses
    .map(({ poolId, sellToken, buyToken }) => `${poolId} ${sellToken} ${buyToken}`)
    .sort()
    .join();
}

/** Prices named by tokens: nodes are a thread's own. */
function byToken({ graph }: Search, logPrices: ReadonlyMap<number, number>): TokenPrices {
  const { start, pool, pools, nodeOf } = graph;
  const named = new Map<Address, number>();
  for (const [node, logPrice] of logPrices) {
    const held = pools[pool[start[node] as number] as number]?.tokens ?? [];
    const token = held.find((each) => nodeOf(each) === node);
    if (token !== undefined) named.set(token, logPrice);
  }
  return named;
}

/** Prices and the open gap at the search's amount, linear between those of two searches: a small trade moves prices linearly. */
function betweenStarts(search: Search, one: SearchStart, other: SearchStart) {
  const [from, to] = [givenAmountOf(search, one), givenAmountOf(search, other)];
  const part = to === from ? 0 : (search.amount - from) / (to - from);
  const mixed = (a: number, b: number) => a + part * (b - a);
  const prices = (a: TokenPrices, b: TokenPrices) => {
    const logPrices = new Map<number, number>();
    for (const [token, logPrice] of [...a, ...b]) {
      const node = search.graph.nodeOf(token);
      if (node === undefined || logPrices.has(node)) continue;
      logPrices.set(node, mixed(a.get(token) ?? logPrice, b.get(token) ?? logPrice));
    }
    return logPrices;
  };
  return {
    relaxed: prices(one.relaxed, other.relaxed),
    proven: prices(one.proven, other.proven),
    level: mixed(one.level, other.level),
    open: mixed(one.open, other.open),
  };
}

/** Bound that prices prove as they are. */
function provenAt(
  search: Search,
  { relaxed: logPrices, proven, level }: ReturnType<typeof betweenStarts>,
  flow: Split,
): Proven {
  const sellAmount = mostSoldFor(search, flow);
  const sellPrice = Math.exp(proven.get(search.source) as number);
  const worth = sellAmount * sellPrice;
  const measured = measure(search, logPrices, sellAmount, { worth });
  const mostSold = search.side === "exactIn" ? 0 : sellAmount;
  const relaxed = { measured, logPrices, edges: () => flow.support.edges, hopeless: false, mostSold };
  const costPerGas = gasAtPrice(search, sellPrice);
  const withGas = () => ({ worth, costPerGas, room: roomOf(search, sellAmount, relaxed), level });
  const { proof } = costPerGas === 0 ? measured : measure(search, proven, sellAmount, withGas());
  return { relaxed, proof: noMoreThan(proof, search, sellAmount) };
}
