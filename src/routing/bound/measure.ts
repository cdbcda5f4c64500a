import { TRUSTED } from "../edges/depth.ts";
import type { Edge } from "../edges/edges.ts";
import { mostEarnedAfterGas, type Room, UNLIMITED } from "../edges/trade-at.ts";
import { leastCost } from "../flow/goal.ts";
import { type Goal, gasAtPrice, type Search } from "../session/search.ts";
import { perPool, unavoidableLoss } from "./deductions.ts";
import { type LogPrices, type Outside, outerPrice, type Prices, spreadPrices } from "./outer-prices.ts";

/** Token prices and what they prove. All numbers are floats in bought units. */
export interface PriceProof {
  /** The price of the sold token. */
  readonly sellPrice: number;
  /** At least what the pools of a route can earn at these prices, each after the gas of one pool use. */
  readonly earned: number;
  /** At most what the cheapest uses that every route needs cost and do not earn back. */
  readonly unavoidable: number;
  /** Value that went through these sums: what float errors are relative to. */
  readonly volume: number;
  /** The prices in the logarithm, by node, and the lift of all other tokens. */
  readonly logPrices: ReadonlyMap<number, number>;
  readonly level: number;
}

/** Profit of one pool that is counted without a closer look, as a part of the trade's value. */
const DUST = 1e-10;
/** Profit of one pool that is counted without naming the pool, likewise. */
const NAMED = 1e-9;

/** A slot that earns more than its gas at some prices. */
export interface Earner {
  readonly slot: number;
  readonly profit: number;
}

/** Bound proved by prices, and the edges that keep it from being tighter. */
export interface Measured {
  readonly proof: PriceProof;
  /** Bound that the prices would prove without a limit on the number of pools. */
  readonly unlimited: number;
  /** The prices of all tokens, valid until others are measured. */
  readonly prices: Prices;
  readonly earners: readonly Earner[];
}

/** The bound that a proof gives, as a float. */
function sumOf(proof: PriceProof, sellAmount: number): number {
  return proof.sellPrice * sellAmount + proof.earned - proof.unavoidable;
}

/**
 * Spreads prices, and sums what pools earn at them, each after the gas of a pool use: of as many as a route may use, those
 * that earn most. Between tokens at spot prices only pools off the spot prices can earn; all others are found
 * around the tokens with a price of their own. `room`: upper limit on what pools may sell.
 */
export function measure(
  search: Search,
  flowPrices: LogPrices,
  sellAmount: number,
  outside: Outside,
  room: Room = outside.room ?? UNLIMITED,
): Measured {
  const { costPerGas = 0 } = outside;
  const prices = spreadPrices(search, flowPrices, outside);
  const { source, sink, endOf, entryEnd, maxFills, graph } = search;
  const { start, to, gain, back, rest, spot, depth, deepest, gas, twin, edgeAt, dead } = graph;
  const { level, lift, nodes } = prices;
  const earners: Earner[] = [];
  const sellPrice = (lift[source] as number) * (rest[source] as number);
  const dust = DUST * sellPrice * sellAmount;
  const worthNaming = NAMED * sellPrice * sellAmount;
  let earned = 0;
  let volume = sellPrice * sellAmount;

  /** Takes in one edge that earns at the lifts of its ends. */
  const take = (slot: number, from: number, target: number, sold: number, bought: number): void => {
    if (!search.usable(from, target)) return;
    const price = sold * (rest[from] as number);
    const paid = (spot[slot] as number) * bought * (rest[target] as number);
    // A hyperbola's largest profit is spot * D * (1 - sqrt(ratio of prices / spot))^2, other curves' is no more than that of
    // the deepest that they may be; most of them are dust.
    const short = 1 - Math.sqrt(price / paid);
    const most = paid * (deepest[slot] as number) * short * short;
    const cost = (gas[slot] as number) * costPerGas;
    let after = most - cost;
    if (after <= dust && short < TRUSTED) {
      earned += Math.max(0, after);
      return;
    }
    if (!(short > 0) || !search.allowsSlot(slot)) return;
    const full = room(from);
    const fullTo = room(target);
    const sell = ((depth[slot] as number) * short) / (1 - short);
    if (
      (depth[slot] as number) > 0 &&
      short < TRUSTED &&
      sell <= full &&
      sell * (spot[slot] as number) * (1 - short) <= fullTo
    )
      volume += paid * (depth[slot] as number) * short;
    else {
      const targetPrice = bought * (rest[target] as number);
      const edge = edgeAt(slot);
      // At the best rate, the room earns no less than a curve that is concave or below a hyperbola.
      const most = Math.min(full, fullTo / (spot[slot] as number));
      const isBelow = (deepest[slot] as number) < Number.POSITIVE_INFINITY;
      if ((paid - price) * most <= cost && (isBelow || (edge.curve.ceiling ?? edge.curve).concave)) return;
      after = earnedBy(edge, price, targetPrice, full, fullTo);
    }
    if (after <= 0) return;
    earned += after;
    if (after > worthNaming) earners.push({ slot, profit: after });
  };

  /** The most that an edge earns after its gas. */
  const earnedBy = (edge: Edge, price: number, paid: number, full: number, fullTo: number): number => {
    const { sellAmount, buyAmount, gas } = mostEarnedAfterGas(edge, price, paid, costPerGas, full, fullTo);
    volume += buyAmount * paid;
    return buyAmount * paid - sellAmount * price - gas * costPerGas;
  };

  let highest = level;
  for (const node of nodes) if (node !== sink) highest = Math.max(highest, lift[node] as number);
  for (const node of nodes) {
    const own = lift[node] as number;
    const end = endOf(node);
    search.work.steps += end - (start[node] as number);
    // Edges to the sink are looked at from there: it may cost far more than all others.
    if (node === sink) {
      for (let slot = start[node] as number; slot < entryEnd; slot++) {
        if (!((back[slot] as number) * own > 0)) continue;
        const other = to[slot] as number;
        if (dead[other] === 1 && other !== source) continue;
        const sold = (lift[other] as number) || level;
        if ((back[slot] as number) * own > sold) take(twin[slot] as number, other, node, sold, own);
      }
      continue;
    }
    for (let slot = start[node] as number; slot < end; slot++) {
      const forth = (gain[slot] as number) * highest > own;
      const hence = (back[slot] as number) * own > level;
      if (!forth && !hence) continue;
      const target = to[slot] as number;
      if (target === sink || !search.leadsOn(slot, node)) continue;
      const other = lift[target] as number;
      if (forth && (gain[slot] as number) * (other || level) > own) take(slot, node, target, own, other || level);
      if (hence && other === 0) take(twin[slot] as number, target, node, level, own);
    }
  }
  for (const slot of graph.restless) {
    const target = to[slot] as number;
    const from = graph.from[slot] as number;
    if (lift[from] !== 0 || lift[target] !== 0 || dead[target] === 1 || dead[from] === 1) continue;
    take(slot, from, target, level, level);
  }
  const profitAt = (slot: number): number => {
    const edge = edgeAt(slot);
    const [price, paid] = [outerPrice(search, prices, edge.from), outerPrice(search, prices, edge.to)];
    return earnedBy(edge, price, paid, room(edge.from), room(edge.to));
  };
  /** The largest earnings of as many pools as a route may use. */
  const largest = () => {
    const profits = Float64Array.from(counted, ({ profit }) => Math.max(profit, worthNaming));
    return profits.sort().subarray(-maxFills);
  };
  const unavoidable = unavoidableLoss(search, prices, costPerGas, earners, profitAt);
  // A pool without a name here earns less than the threshold for naming.
  const { counted, less } = perPool(search, prices, earners);
  const most = counted.length > maxFills ? largest().reduce((sum, profit) => sum + profit, 0) : earned - less;
  const logPrices = new Map<number, number>();
  for (const node of nodes) logPrices.set(node, Math.log((lift[node] as number) * (rest[node] as number)));
  const proof = { sellPrice, earned: most, volume, unavoidable, logPrices, level };
  return { proof, unlimited: sumOf({ ...proof, earned }, sellAmount), prices, earners };
}

/** Measures spot prices without gas; `logPrices` overrides those of the two ends. */
export function measureSpot(search: Search, logPrices: LogPrices, sellAmount: number): Measured {
  return measure(search, logPrices, sellAmount, { worth: Number.POSITIVE_INFINITY });
}

/**
 * The most that a trade of `sellAmount` can bring of each token. Weak duality for what a route has when it is broken off
 * at a token: at any prices that is worth no more than what is sold and what pools earn at these prices, without gas.
 * The prices are spot prices, and for the tokens of a trade that was minimised without gas also these.
 */
export function roomOf(
  search: Search,
  sellAmount: number,
  { measured, logPrices }: { readonly measured: Measured; readonly logPrices: ReadonlyMap<number, number> },
): Room {
  const { source, sink, graph } = search;
  const { rest } = graph;
  const ends = new Map([source, sink].map((node) => [node, Math.log(rest[node] as number)]));
  const atSpot = measureSpot(search, ends, sellAmount);
  const worthAtSpot = sumOf(atSpot.proof, sellAmount) * (1 + FLOAT_ERROR);
  const worth = sumOf(measured.proof, sellAmount) * (1 + FLOAT_ERROR);
  return (node) => {
    const least = worthAtSpot / (rest[node] as number);
    const logPrice = logPrices.get(node);
    return logPrice === undefined ? least : Math.min(least, worth / Math.exp(logPrice));
  };
}

/** The tokens, of those that are `wanted`, at which pools earn more than `least` in bought units, those at which they earn most first. */
export function nodesThatEarn(
  { graph: { from, to } }: Search,
  earners: readonly Earner[],
  wanted: (node: number) => boolean,
  least: number,
): number[] {
  const sums = new Map<number, number>();
  for (const { slot, profit } of earners)
    for (const node of [from[slot] as number, to[slot] as number])
      if (wanted(node)) sums.set(node, (sums.get(node) ?? 0) + profit);
  return [...sums]
    .filter(([, sum]) => sum > least)
    .sort((a, b) => b[1] - a[1])
    .map(([node]) => node);
}

/**
 * Part of the value by which a bound is widened against float errors: floats carry 53 bits, curves lose some 10 of
 * them in roots and sums, and a universe has some 10^5 terms; this leaves a factor of a hundred.
 */
export const FLOAT_ERROR = 1e-9;

/**
 * The bound as an integer; undefined where floats do not tell it. Exact-in: most bought base units net of cost. Exact-out: least sold
 * base units with cost. `wrapGas`: what no route does without besides pools.
 */
export function boundOf(proof: PriceProof, goal: Goal, wrapGas: number): bigint | undefined {
  const most = mostProven(proof, goal, wrapGas);
  if (!Number.isFinite(most)) return undefined;
  return goal.side === "exactIn" ? BigInt(Math.ceil(most)) : BigInt(Math.max(0, Math.floor(-most)));
}

/**
 * The most that flows can be worth by `netOf`. Exact-in, with the price of the bought token at 1: price of the sold token *
 * sellAmount + what pools earn - uses that every route needs. Exact-out: the same turned round and divided by the
 * price of the sold token.
 */
export function mostProven(proof: PriceProof, goal: Goal, wrapGas = 0, floatError = FLOAT_ERROR): number {
  const unavoidable = proof.unavoidable + wrapGas * gasAtPrice(goal, proof.sellPrice);
  const slack = floatError * (proof.volume + unavoidable);
  if (goal.side === "exactIn") return proof.sellPrice * goal.amount + proof.earned - unavoidable + slack;
  return -(goal.amount - proof.earned + unavoidable - slack) / proof.sellPrice;
}

/**
 * An exact-out trade is not proven to cost more than `mostSold` and the least gas, where a proof holds for those that sell no more
 * than that.
 */
export function noMoreThan(proof: PriceProof, search: Search, mostSold: number): PriceProof {
  if (search.side === "exactIn") return proof;
  const earned = search.amount + proof.unavoidable - (mostSold + leastCost(search)) * proof.sellPrice;
  return earned > proof.earned ? { ...proof, earned } : proof;
}
