import { gasAtPrice } from "../flow/goal.ts";
import type { Goal, Search } from "../session/search.ts";
import { balance } from "./balance.ts";
import type { Earner } from "./earner.ts";
import { type Measured, measure, type PriceProof, sumOf } from "./measure.ts";
import { type Room, UNLIMITED } from "./most-earned.ts";
import { PARCEL, spreadPrices } from "./outer-prices.ts";
import type { Relaxed } from "./relax.ts";
import { roomOf } from "./room.ts";

/** Part of the trade's value below which what pools off the flow earn is not worth refining. */
const NEGLIGIBLE = 2e-6;
/** Sweeps over the tokens off the flow, and what pools may earn at one of them, as a part of the trade's value. */
const MAX_SWEEPS = 3;
const QUIET = 1e-7;
/** Pools that may be looked at for all sweeps: a token at which thousands meet is costly to balance. */
const MAX_STEPS = 200_000;
/** Tokens balanced in one sweep. */
const MAX_BALANCED = 64;

/**
 * Proves a first bound, with gas, from the prices of the trade without gas (weak duality): quick, since nothing is
 * balanced. Gas that is paid in the sold token is worth what these prices say of it.
 */
export function proveAtFirst(search: Search, sellAmount: number, _goal: Goal, relaxed: Relaxed): PriceProof {
  const { measured, logPrices, hopeless } = relaxed;
  if (search.costPerGas === 0 || hopeless) return measured.proof;
  const sellPrice = Math.exp(logPrices.get(search.source) as number);
  const costPerGas = gasAtPrice(search, sellPrice);
  // The most that an exact-out trade takes is not known yet.
  const room = search.side === "exactIn" ? roomOf(search, sellAmount, relaxed) : UNLIMITED;
  const prices = spreadPrices(search, logPrices, { parcel: PARCEL * sellPrice * sellAmount, costPerGas });
  return measure(search, prices, costPerGas, sellAmount, room).proof;
}

/** Proves a bound from these prices after balancing the tokens around them, and returns the pools that still earn. */
export function refine(
  search: Search,
  logPrices: ReadonlyMap<number, number>,
  costPerGas: number,
  sellAmount: number,
  room: Room = UNLIMITED,
): Measured {
  const worth = sellAmount * Math.exp(logPrices.get(search.source) as number);
  const prices = spreadPrices(search, logPrices, { parcel: PARCEL * worth, costPerGas, room });
  const enough = search.work.steps + MAX_STEPS;
  let measured = measure(search, prices, costPerGas, sellAmount, room);
  for (let sweep = 0; sweep < MAX_SWEEPS && !search.over(); sweep++) {
    if (sumOffFlow(search, logPrices, measured.earners) <= NEGLIGIBLE * worth) break;
    const restless = restlessNodes(search, logPrices, measured.earners, QUIET * worth);
    if (restless.length === 0) break;
    for (const node of restless.slice(0, MAX_BALANCED)) {
      if (search.over() || search.work.steps > enough) break;
      balance(search, prices, node, costPerGas, room);
    }
    const next = measure(search, prices, costPerGas, sellAmount, room);
    if (sumOf(next.proof, sellAmount) >= sumOf(measured.proof, sellAmount)) break;
    measured = next;
  }
  return measured;
}

/** Sums the earnings of pools that lead off the flow. */
function sumOffFlow(
  { graph: { from, to } }: Search,
  flow: ReadonlyMap<number, number>,
  earners: readonly Earner[],
): number {
  let sum = 0;
  for (const { slot, profit } of earners)
    if (!flow.has(from[slot] as number) || !flow.has(to[slot] as number)) sum += profit;
  return sum;
}

/** The tokens off the flow at which pools earn more than `quiet`, those at which they earn most first. */
function restlessNodes(
  { source, sink, graph: { from, to } }: Search,
  flow: ReadonlyMap<number, number>,
  earners: readonly Earner[],
  quiet: number,
): number[] {
  const sums = new Map<number, number>();
  for (const { slot, profit } of earners)
    for (const node of [from[slot] as number, to[slot] as number])
      if (!flow.has(node) && node !== source && node !== sink) sums.set(node, (sums.get(node) ?? 0) + profit);
  return [...sums]
    .filter(([, sum]) => sum > quiet)
    .sort((a, b) => b[1] - a[1])
    .map(([node]) => node);
}
