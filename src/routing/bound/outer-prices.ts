import { deepestAbout } from "../edges/depth.ts";
import { type Room, UNLIMITED } from "../edges/trade-at.ts";
import type { Search } from "../session/search.ts";

/** Logarithms of prices in bought units, by node. */
export type LogPrices = ReadonlyMap<number, number>;

/** A price for every token, in bought units: what it is worth at spot prices, lifted. */
export interface Prices {
  /** The lift of all tokens that have none of their own. */
  readonly level: number;
  /** Lifts of their own, by node; 0 where there is none. */
  readonly lift: Float64Array;
  /** The nodes that have one, those of the flow first. */
  readonly nodes: number[];
}

/** Limit on updates of one token's price; cycles that still earn after it are added to the profits. */
const MAX_VISITS = 6;
/** Relative change of a price below which it stays. */
const MIN_CHANGE = 1e-9;
/** The parcel that tokens off a flow are priced with, as a part of the trade's value. */
const PARCEL = 1e-5;
/** Earnings below which a pool is not examined, likewise. */
const QUIET = 1e-9;
/** A lift is never 0: that means none. */
const MIN_LIFT = 1e-250;

/** Parameters for pricing the tokens around a flow. */
export interface Outside {
  /** Value of the trade, in bought units; with one without end no token costs anything but its spot price. */
  readonly worth: number;
  /** Bought units per unit of gas. */
  readonly costPerGas?: number;
  /** Upper limit on what pools may sell. */
  readonly room?: Room;
  /** Lift of all tokens that get none of their own; absent: that of the best-connected of the priced ones. */
  readonly level?: number;
}

/**
 * Prices for all tokens around those of a flow. They keep their spot prices against the best-connected token of the
 * flow, but where a pool would earn between one of them and the flow, after its gas: such a token costs what it takes to
 * buy it with a parcel of any other, or what it may cost before a pool that buys it earns more than its gas, and so do
 * those around it that this makes earn. Tokens that the trade does not reach are not looked at.
 */
export function spreadPrices(
  search: Search,
  logPrices: LogPrices,
  { worth, costPerGas = 0, room = UNLIMITED, level = levelOf(search, logPrices) }: Outside,
): Prices {
  const { source, sink, workspace, endOf } = search;
  const { start, from, to, gain, back, rest, live, depth, twin } = search.graph;
  const { lift, lifted, visits, queued } = workspace;
  const quiet = Math.max(QUIET * worth, search.leastGas * costPerGas);
  const parcel = PARCEL * worth;
  for (const node of lifted) {
    lift[node] = 0;
    visits[node] = 0;
  }
  lifted.length = 0;
  for (const [node, logPrice] of logPrices) {
    lift[node] = liftAt(search, node, logPrice);
    lifted.push(node);
  }
  /** Whether a pool earns next to nothing, about: a hyperbola of depth D earns D / 4 times the square of what it gains, or less. */
  const isQuiet = (slot: number, forth: boolean, own: number, other: number): boolean => {
    const gained = forth ? ((gain[slot] as number) * other) / own - 1 : ((back[slot] as number) * own) / other - 1;
    const paid = forth ? own * (rest[from[slot] as number] as number) : other * (rest[to[slot] as number] as number);
    return 0.25 * gained * gained * (depth[forth ? slot : (twin[slot] as number)] as number) * paid < quiet;
  };
  const known = lifted.length;
  const waiting: number[] = [];
  for (let at = 0; at < known; at++) {
    const node = lifted[at] as number;
    const own = lift[node] as number;
    const end = endOf(node);
    search.work.steps += end - (start[node] as number);
    for (let slot = start[node] as number; slot < end; slot++) {
      const forth = (gain[slot] as number) * level > own && node !== sink;
      if (!forth && !((back[slot] as number) * own > level && node !== source)) continue;
      const target = to[slot] as number;
      if (lift[target] !== 0 || queued[target] === 1 || !search.leadsOn(slot, node)) continue;
      if (!(forth ? search.usable(node, target) : search.usable(target, node))) continue;
      if (isQuiet(slot, forth, own, level) || !search.allowsSlot(slot)) continue;
      queued[target] = 1;
      waiting.push(target);
    }
  }
  for (let at = 0; at < waiting.length; at++) {
    const node = waiting[at] as number;
    queued[node] = 0;
    const before = (lift[node] as number) || level;
    const now = costOf(search, node, level, { parcel, costPerGas, room });
    if (!Number.isFinite(now) || Math.abs(now - before) <= MIN_CHANGE * before) continue;
    if (lift[node] === 0) lifted.push(node);
    lift[node] = now;
    visits[node]! += 1;
    search.work.steps += (live[node] as number) - (start[node] as number);
    for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
      const target = to[slot] as number;
      const other = (lift[target] as number) || level;
      const cheaper = (gain[slot] as number) * other > now * (1 + MIN_CHANGE);
      if (!cheaper && !((back[slot] as number) * now > other * (1 + MIN_CHANGE))) continue;
      if (queued[target] === 1 || visits[target] === MAX_VISITS || logPrices.has(target)) continue;
      if (isQuiet(slot, cheaper, now, other)) continue;
      if (!(cheaper ? search.usable(node, target) : search.usable(target, node))) continue;
      queued[target] = 1;
      waiting.push(target);
    }
  }
  return { level, lift, nodes: lifted };
}

/** Price of a token in bought units, at these prices. */
export function outerPrice({ graph }: Search, { lift, level }: Prices, node: number): number {
  return ((lift[node] as number) || level) * (graph.rest[node] as number);
}

/** Ratio of this price of a token to its spot price. */
function liftAt({ graph }: Search, node: number, logPrice: number): number {
  return Math.max(MIN_LIFT, Math.exp(logPrice) / (graph.rest[node] as number));
}

/** The lift of the best-connected of these tokens: that of all that have none of their own. */
export function levelOf(search: Search, logPrices: LogPrices): number {
  const { start, live } = search.graph;
  let level = 1;
  let most = -1;
  for (const [node, logPrice] of logPrices) {
    const pools = (live[node] as number) - (start[node] as number);
    if (pools <= most) continue;
    most = pools;
    level = liftAt(search, node, logPrice);
  }
  return level;
}

/**
 * The lift at which a parcel of a token can be bought with any of its neighbours, over the deepest hyperbola that a pool may be, and
 * no pool earns its gas by that; infinite when with none.
 */
function costOf(
  search: Search,
  node: number,
  level: number,
  { parcel, costPerGas, room }: { readonly parcel: number; readonly costPerGas: number; readonly room: Room },
): number {
  const { start, live, to, back, rest, twin, deepest, width, gas } = search.graph;
  const { lift } = search.workspace;
  let least = Number.POSITIVE_INFINITY;
  search.work.steps += (live[node] as number) - (start[node] as number);
  for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
    const other = to[slot] as number;
    const own = (lift[other] as number) || level;
    const cost = own / (back[slot] as number);
    if (!(cost < least)) continue;
    const reverse = twin[slot] as number;
    const price = own * (rest[other] as number);
    const value = price * deepestAbout(deepest[reverse] as number, width[reverse] as number);
    /** Factor over the pool's rate that the token's price may reach before the pool earns its gas. */
    const times =
      costPerGas === 0 ? 1 : ratioThatEarns((gas[reverse] as number) * costPerGas, value, room(other) * price);
    const dearer = cost * Math.max(times, 1 + parcel / value);
    if (dearer < least && search.usable(other, node) && search.allowsSlot(slot)) least = dearer;
  }
  return least;
}

/**
 * Ratio of worth to cost at which a hyperbola earns its gas. One that is a value D deep earns D *
 * (root of that ratio - 1)^2, or R * (ratio / (1 + R / D) - 1) where that would take more than there is, a value R.
 */
function ratioThatEarns(gas: number, depth: number, most: number): number {
  if (Math.sqrt(gas * depth) > most) return (1 + gas / most) * (1 + most / depth);
  return (1 + Math.sqrt(gas / depth)) ** 2;
}
