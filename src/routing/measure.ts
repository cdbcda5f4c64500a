import { TRUSTED_DEPTHS } from "./depth.ts";
import type { Edge } from "./edges.ts";
import type { Prices } from "./outer-prices.ts";
import type { Session } from "./session.ts";

/** Token prices and what they prove. All numbers are floats in bought units. */
export interface PriceProof {
  /** The price of the sold token. */
  readonly sellPrice: number;
  /** At least what all pools that a route can use earn at these prices, each after the least gas of one touch. */
  readonly earned: number;
  /** At most what the cheapest touches that every route needs cost and do not earn back. */
  readonly unavoidable: number;
  /** Value that went through these sums: what float errors are relative to. */
  readonly volume: number;
}

/** A slot that earns more than its gas at some prices. */
export interface Earner {
  readonly slot: number;
  readonly profit: number;
}

/** Where curves write what is asked of them. */
const trade = new Float64Array(3);
/** Profit of one pool that is counted without a closer look, as a part of the trade's value. */
const DUST = 1e-10;
/** Profit of one pool that is counted without naming the pool, likewise. */
const NAMED = 1e-9;
/** How far a hyperbola is trusted, as 1 - sqrt(rate / spot). */
const TRUSTED = 1 - 1 / (1 + TRUSTED_DEPTHS);

/** The most of a node's token that a route can hold at any time, in base units: no pool sells more. */
export type Room = (node: number) => number;

/** Where nothing is known of that. */
export const UNLIMITED: Room = () => Number.POSITIVE_INFINITY;

/** What prices prove, and the edges that stand in the way of proving more. */
export interface Measured {
  readonly proof: PriceProof;
  readonly earners: Earner[];
}

/** The bound that a proof gives, as a float. */
export function sumOf(proof: PriceProof, sellAmount: number): number {
  return proof.sellPrice * sellAmount + proof.earned - proof.unavoidable;
}

/**
 * The sum of what all pools earn at these prices, each after the least gas of a touch. Between tokens at rest only
 * pools that stand off the prices at rest can earn; all others are found around the tokens with a price of their own.
 */
export function measure(
  session: Session,
  prices: Prices,
  costPerGas: number,
  sellAmount: number,
  room: Room = UNLIMITED,
): Measured {
  const { source, sink, endOf, entryEnd, graph } = session;
  const { start, to, gain, back, rest, spot, depth, gas, twin, edges, dead } = graph;
  const { level, lift, nodes } = prices;
  const earners: Earner[] = [];
  const sellPrice = (lift[source] as number) * (rest[source] as number);
  const dust = DUST * sellPrice * sellAmount;
  const worthNaming = NAMED * sellPrice * sellAmount;
  let earned = 0;
  let volume = sellPrice * sellAmount;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.POSITIVE_INFINITY;
  let only = Number.POSITIVE_INFINITY;

  /** Takes in one edge that earns at the lifts of its ends. */
  const take = (slot: number, from: number, target: number, sold: number, bought: number): void => {
    if (!session.usable(from, target)) return;
    const price = sold * (rest[from] as number);
    const paid = (spot[slot] as number) * bought * (rest[target] as number);
    // A hyperbola's largest profit is spot * D * (1 - sqrt(ratio of prices / spot))^2; most of them are dust.
    const short = 1 - Math.sqrt(price / paid);
    const most = paid * (depth[slot] as number) * short * short;
    const trusted = short < TRUSTED && most >= 0;
    const touchesEnd = costPerGas > 0 && (from === source || target === sink);
    if (most <= dust && trusted && !touchesEnd) {
      earned += most;
      return;
    }
    if (!(short > 0) || !session.allowsSlot(slot)) return;
    let profit = most;
    const full = room(from);
    if (trusted && (depth[slot] as number) * short <= full * (1 - short))
      volume += paid * (depth[slot] as number) * short;
    else {
      const targetPrice = bought * (rest[target] as number);
      const { sellAmount: sell, buyAmount: buy } = mostEarned(edges[slot] as Edge, price / targetPrice, full);
      profit = buy * targetPrice - sell * price;
      volume += buy * targetPrice;
    }
    const after = profit - (gas[slot] as number) * costPerGas;
    if (touchesEnd) {
      const lost = Math.max(0, -after);
      if (from === source) first = Math.min(first, lost);
      if (target === sink) last = Math.min(last, lost);
      if (from === source && target === sink) only = Math.min(only, lost);
    }
    if (after <= 0) return;
    earned += after;
    if (after > worthNaming) earners.push({ slot, profit: after });
  };

  let highest = level;
  for (const node of nodes) if (node !== sink) highest = Math.max(highest, lift[node] as number);
  for (const node of nodes) {
    const own = lift[node] as number;
    const end = endOf(node);
    session.steps += end - (start[node] as number);
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
      if (target === sink || !session.leadsOn(slot, node)) continue;
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
  if (costPerGas > 0) {
    for (let slot = start[source] as number; slot < endOf(source); slot++) {
      const lost = (gas[slot] as number) * costPerGas;
      const toEnd = to[slot] === sink;
      if ((lost >= first && !(toEnd && lost < only)) || spot[slot] === 0) continue;
      if (!session.leadsOn(slot, source) || !session.allowsSlot(slot)) continue;
      first = Math.min(first, lost);
      if (toEnd) only = Math.min(only, lost);
    }
    for (let slot = start[sink] as number; slot < entryEnd; slot++) {
      const reverse = twin[slot] as number;
      const lost = (gas[reverse] as number) * costPerGas;
      if (lost < last && spot[reverse] !== 0 && session.allowsSlot(slot)) last = lost;
    }
  }
  const unavoidable = Math.min(only, first + last);
  return { proof: { sellPrice, earned, volume, unavoidable: Number.isFinite(unavoidable) ? unavoidable : 0 }, earners };
}

/**
 * What earns most on an edge at this ratio of prices, or at least as much: a curve that is not concave stands under its
 * ceiling; without one it is taken to give all that it has for nothing.
 */
function mostEarned({ curve: real }: Edge, rate: number, room: number): { sellAmount: number; buyAmount: number } {
  const curve = real.ceiling ?? real;
  if (!curve.concave) return { sellAmount: 0, buyAmount: curve.buyAmountFor(Math.min(room, curve.maxSell)) };
  if (curve.tradeAtRate !== undefined) {
    curve.tradeAtRate(rate, trade);
    if ((trade[0] as number) <= room) return { sellAmount: trade[0] as number, buyAmount: trade[1] as number };
  }
  const sellAmount = Math.min(curve.sellAmountAtRate(rate), curve.maxSell, room);
  return { sellAmount, buyAmount: curve.buyAmountFor(sellAmount) };
}
