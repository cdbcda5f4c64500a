import { mostProven } from "../bound/certificate.ts";
import type { PriceProof } from "../bound/measure.ts";
import type { Relaxed } from "../bound/relax.ts";
import { amountOf, isBest, netOf } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import type { Goal, Search } from "../session/search.ts";

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

/** Whether `OPEN` of the trade and the gas of a pool use are open above a flow, and it is not for want of fills. */
export function hasGap(search: Search, { relaxed, proof }: Proven, flow: Split): boolean {
  if (search.over() || (isFull(search, flow) && !relaxed.hopeless) || isBest(search, flow)) return false;
  return gapAbove(search, proof, flow) > OPEN + useCost(search, flow);
}
