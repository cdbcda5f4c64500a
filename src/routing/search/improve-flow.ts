import { mostProven, type PriceProof } from "../bound/measure.ts";
import type { Relaxed } from "../bound/relax.ts";
import { amountOf, isBest, isDone, netOf, resize } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { closeEnough, type Goal, type Search } from "../session/search.ts";
import { addColumns } from "./add-columns.ts";
import { choosePools } from "./choose-pools.ts";
import { placeAll } from "./place-all.ts";

/** A trade without gas and without limits of shape, and what its prices prove of the trade that is asked for. */
export interface Proven {
  readonly relaxed: Relaxed;
  readonly proof: PriceProof;
}

/** Part of all fills from which on a flow has as good as all of them. */
const FULL = 0.9;
/** Gap of a proof from which other token orders are tried, as a part of the trade's value. */
const OPEN = 0.001;

/** Gap that a proof leaves above a flow net of its gas, as a part of the trade's value. */
export function gapAbove(search: Search, proof: PriceProof, flow: Split): number {
  const amount = amountOf(search, flow);
  return amount > 0 ? (mostProven(proof, search, 0, 0) - netOf(search, flow)) / amount : Number.POSITIVE_INFINITY;
}

/** Whether a flow does all of a trade and has as good as all fills: what is missing then is more fills. */
export function isFull(search: Goal, flow: Split): boolean {
  return flow.stuck === 0 && flow.support.edges.length >= FULL * search.maxFills;
}

/** Gas of the cheapest use of any pool, as a part of the trade's value. */
export function useCost(search: Search, flow: Split): number {
  return (search.leastGas * search.costPerGas) / amountOf(search, flow);
}

/** Part of an amount to buy below which no other token order makes up for what a flow lacks of it. */
const FAR = 1 / 4;

/** Whether `OPEN` of the trade and the gas of a pool use are open above a flow, and it is for want neither of fills nor of pools. */
export function hasGap(search: Search, { relaxed, proof }: Proven, flow: Split): boolean {
  const isFarShort = search.side === "exactOut" && flow.buyAmount < FAR * search.amount;
  if (search.over() || isFarShort || (isFull(search, flow) && !relaxed.hopeless) || isBest(search, flow)) return false;
  return gapAbove(search, proof, flow) > OPEN + useCost(search, flow);
}

/** Gap above a flow at which it is not improved further, as a part of the trade's value. */
const CLOSE_ENOUGH = 2e-5;
/** Multiple of the tolerance at which a cheap search without gas stops. */
const CLOSELY = 10;

/**
 * Improves the best flow so far by columns: those that earn more than their gas join, what then finds no room goes by others, and of
 * few pools, those of the best path among them, it is decided which are worth their gas.
 */
export function improveFlow(search: Search, start: Split, { relaxed, proof }: Proven, path?: Split): Split {
  const isFree = search.costPerGas === 0;
  const open = gapAbove(search, proof, start);
  const least = isFree ? Math.min(CLOSE_ENOUGH, CLOSELY * closeEnough(search)) : closeEnough(search);
  let best = start;
  if (start.stuck > 0 || open > least) best = addColumns(search, start);
  if (!isDone(search, best)) best = placeAll(search, best);
  if (!isFree && open > least && !search.over())
    best = choosePools(search, best, [...(path?.support.edges ?? []), ...relaxed.edges()]);
  return resize(search, best, 12);
}
