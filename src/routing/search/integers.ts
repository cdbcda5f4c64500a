import { fillsOf, type Route } from "../../domain/route.ts";
import type { Pool } from "../../pools/pool.ts";
import { type Edge, ending } from "../edges/edges.ts";
import { sellAmountFor } from "../edges/trade-at.ts";
import { gasInBought, netOf, priceOf, resize, solveGoal } from "../flow/goal.ts";
import { placeFlow } from "../flow/place-flow.ts";
import type { Split } from "../flow/solve-split.ts";
import { connected } from "../flow/support.ts";
import { costOfGas } from "../network-cost.ts";
import { type BrokenPlan, COARSE_UNITS, evaluatePlan, type Fault, useKey } from "../plan/execution.ts";
import { planFlow } from "../plan/plan.ts";
import type { NetworkCost } from "../router.ts";
import { type Goal, narrowed, type Search } from "../session/search.ts";
import { addColumns } from "./add-columns.ts";
import { fitFillLimit, lossesWithout, without } from "./prune.ts";

/** Room that a pool is left with when it turns out to be too full, and how often that is tried for each pool use. */
const BRIM = 0.999999;
const MAX_CAPS = 3;
/** Part of the sold amount for which a flow that has found no room may find it elsewhere: it is split no closer. */
const SLIGHT = 1e-6;
/** Limit on adjustments of a flow over other pools to an amount to buy. */
const MAX_SIZES = 4;

/** No pool is to blame: the route as a whole is too long, or brings too little. */
const OF_NO_USE: BrokenPlan = { broken: [] };

/** A flow that was carried out in integers. */
export interface Evaluated {
  readonly route: Route;
  /** Exact-in: bought amount net of cost. Exact-out: sold amount with cost, negative. Higher is better. */
  readonly value: bigint;
  /** The flow without what integers had no use for. */
  readonly flow: Split;
  /** Pools that turned out to take or give nothing. */
  readonly unusable: ReadonlySet<Pool>;
}

/**
 * A flow in integers; pools that turn out to take or give nothing are left out one by one. `above`: a value that the result must
 * exceed; if floats promise no more, integers are not evaluated.
 */
export function evaluate(search: Search, solved: Split, above?: bigint): Evaluated | BrokenPlan {
  const unusable = new Set<Pool>();
  /** Number of times that each use was given less, by its key. */
  const capped = new Map<string, number>();
  let current = solved;
  for (;;) {
    current = fitFillLimit(search, current);
    const isPromising = above === undefined || netOf(search, current) > Number(above);
    if (current.support.edges.length > search.maxFills || !isPromising) return OF_NO_USE;
    const route = carryOut(search, current);
    if (!("broken" in route)) return { route, flow: current, value: worthOf(search.request.cost, route), unusable };
    // If floats found no room either, less in one pool is more in another.
    const isStuck = current.stuck > SLIGHT * current.sellAmount;
    const isTooLarge = route.broken[0]?.why?.rejected === "TOO_LARGE";
    if (route.broken.length === 0 || (isTooLarge && isStuck && search.side === "exactIn")) return route;
    const parts = partsLeft(route.broken, capped);
    const { support, sells } = current;
    const left = support.edges.flatMap((edge, i) => {
      const part = parts.get(useKey(edge));
      if (part === undefined) return [edge];
      if (part === 0) unusable.add(edge.pool);
      return part > 0 ? [ending(edge, partTraded(search, edge, sells[i] as number, part))] : [];
    });
    // Others at their tokens take what is too much, most often next to nothing, as far as they have room.
    if ([...parts.values()].every((part) => part > 0)) {
      const ended = { ...support, edges: left };
      const placed = { ...current, support: ended, ...placeFlow(search, ended, current.sellAmount, sells) };
      if (placed.stuck === 0) {
        current = resize(search, placed, MAX_SIZES);
        continue;
      }
    }
    const rest = connected(search, left);
    const isMended = rest.length < support.edges.length || [...parts.values()].some((part) => part > 0);
    if (rest.length === 0 || !isMended) return route;
    const without = solveGoal(search, rest, current.sellAmount, current.logPrices);
    if (without === undefined) return route;
    current = resize(search, without, MAX_SIZES);
  }
}

/** Route of a flow in integers; an exact-out one in whole units where these count and that is better. */
function carryOut({ request, wrappers }: Search, flow: Split): Route | BrokenPlan {
  const { order, graph, cost } = request;
  const route = evaluatePlan(planFlow(flow, order, wrappers), order, graph.time);
  // An overfull pool is found only if nothing replaces it.
  const isCoarse = flow.sells.some((sell) => sell < COARSE_UNITS);
  if (order.kind === "exactIn" || "broken" in route || !isCoarse) return route;
  const other = evaluatePlan(planFlow(flow, order, wrappers, true), order, graph.time);
  return "broken" in other || worthOf(cost, other) <= worthOf(cost, route) ? route : other;
}

/** Value of a route, as in `Evaluated`. */
function worthOf(cost: NetworkCost, route: Route): bigint {
  const gas = cost.gasPrice === 0n ? 0n : fillsOf(route).reduce((sum, fill) => sum + fill.gas, 0n);
  return route.kind === "exactIn"
    ? route.buyAmount - costOfGas(cost, route.buyToken, gas)
    : -(route.sellAmount + costOfGas(cost, route.sellToken, gas));
}

/**
 * The part of what they are to trade that impossible uses keep, by their keys; 0 for one that is left out. `capped`: the number of
 * times that each was given less so far.
 */
function partsLeft(faults: readonly Fault[], capped: Map<string, number>): ReadonlyMap<string, number> {
  const parts = new Map<string, number>();
  for (const [key, own] of Map.groupBy(faults, ({ use }) => useKey(use))) {
    const times = (capped.get(key) ?? 0) + 1;
    capped.set(key, times);
    const isTight = times <= MAX_CAPS && own.every(({ why }) => why?.rejected === "TOO_LARGE");
    parts.set(key, isTight ? BRIM * Math.min(...own.map(({ part }) => part)) : 0);
  }
  return parts;
}

/** Amount that an edge sells for a part of this amount; exact-out: that pays a part of what it buys. */
function partTraded({ side }: Goal, { curve }: Edge, sellAmount: number, part: number): number {
  if (side === "exactIn") return sellAmount * part;
  return sellAmountFor(curve, curve.buyAmountFor(sellAmount) * part, Math.min(sellAmount, curve.maxSell));
}

/** Pools that are left out one by one by way of trial, those that lose most. */
const TRIED = 3;
/** Loss from which on a pool counts, as a part of the trade's value. */
const NOTICED = 1e-6;

/** Drops pools that lose more to rounding than the flow does without, all at once or one by one, as long as that pays. */
export function withoutRounded(search: Search, answer: Evaluated): Evaluated {
  const { flow, value } = answer;
  const losers = losersOf(search, answer);
  const alone = losers.slice(0, TRIED).map((edge) => [edge]);
  for (const dropped of losers.length > 1 ? [losers, ...alone] : alone) {
    const other = search.over() ? undefined : without(search, flow, new Set(dropped));
    const next = other && evaluate(search, other, value);
    if (next !== undefined && !("broken" in next) && next.value > value) return withoutRounded(search, next);
  }
  return answer;
}

/** The edges at which integers pay less than floats say by more than the flow loses without and without their gas, the worst first. */
function losersOf(search: Search, { flow, route }: Evaluated): Edge[] {
  const traded = new Map<string, { sold: number; bought: number }>();
  for (const { poolId, buyToken, sellAmount, buyAmount: paid } of fillsOf(route)) {
    const key = `${poolId} ${buyToken}`;
    const { sold, bought } = traded.get(key) ?? { sold: 0, bought: 0 };
    traded.set(key, { sold: sold + Number(sellAmount), bought: bought + Number(paid) });
  }
  const losses = lossesWithout(flow);
  const costPerGas = gasInBought(search, flow);
  const lost = flow.support.edges.flatMap((edge, i) => {
    const used = traded.get(`${edge.pool.id} ${edge.pool.tokens[edge.direction.buy]}`);
    if (used === undefined) return [];
    const missing = edge.curve.buyAmountFor(used.sold) - used.bought;
    const saved = missing * priceOf(flow, edge.to) + edge.gas * costPerGas;
    return [{ edge, loss: saved - (losses[i] as number) }];
  });
  const losers = lost.filter(({ loss }) => loss > NOTICED * flow.buyAmount).sort((a, b) => b.loss - a.loss);
  return losers.map(({ edge }) => edge);
}

/** Relative loss of a flow in integers from which the search goes on. */
const VISIBLE = 1e-4;

/**
 * Goes on from an answer in integers that visibly loses to what was `meant`, and may have more fills, as long as that gains:
 * other pools join in whole base units, of which floats saw parts, without those that have no use for them.
 */
export function anotherRound(search: Search, meant: Split, answer: Evaluated): Evaluated {
  const { flow, unusable, value } = answer;
  const hasRoom = flow.support.edges.length < search.maxFills;
  const isVisible = netOf(search, meant) - Number(value) > VISIBLE * Math.abs(Number(value));
  if (!hasRoom || !isVisible || search.over()) return answer;
  const whole = { ...narrowed(search, ({ pool }) => !unusable.has(pool)), whole: true };
  const start = solveGoal(whole, flow.support.edges, flow.sellAmount, flow.logPrices);
  if (start === undefined) return answer;
  const wanted = addColumns(whole, start);
  const next = evaluate(search, wanted);
  if ("broken" in next) return answer;
  const finer = withoutRounded(search, next);
  return finer.value > value ? anotherRound(search, wanted, finer) : answer;
}
