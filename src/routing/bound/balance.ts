import type { Edge } from "../edges/edges.ts";
import type { Search } from "../session/search.ts";
import { mostEarnedAfterGas, type Room } from "./most-earned.ts";
import { outerPrice, type Prices } from "./outer-prices.ts";

/** The search outwards: its first step of the logarithm, four times as far each time. */
const FIRST_STEP = 1e-3;
const MAX_DOUBLINGS = 20;
/** The search within: steps, and when it is close enough in the logarithm, or in the surplus against the first. */
const MAX_STEPS = 12;
const CLOSE = 1e-9;
const SMALL = 1e-3;

/** A pool between the token that is balanced and another one, in both directions. */
interface Pair {
  /** The lift of the other token. */
  readonly other: number;
  readonly out: Edge | undefined;
  readonly in: Edge | undefined;
  /** The most of the other token that can be sold. */
  readonly room: number;
}

/**
 * Sets the price of one token, all others fixed, so that the pools around it earn least after gas: where the value that
 * they bring in equals the value that they take out. The sum of profits is convex in the price's logarithm.
 */
export function balance(search: Search, prices: Prices, node: number, costPerGas: number, room: Room): void {
  const { start, live, to, spot, twin, edgeAt, rest } = search.graph;
  const { lift, nodes } = prices;
  const unit = rest[node] as number;
  const own = room(node);
  const pairs: Pair[] = [];
  for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
    const target = to[slot] as number;
    const edge = edgeAt(slot);
    const reverse = twin[slot] as number;
    const out = (spot[slot] as number) > 0 && search.usable(node, target) ? edge : undefined;
    const back = (spot[reverse] as number) > 0 && search.usable(target, node) ? edgeAt(reverse) : undefined;
    if ((out === undefined && back === undefined) || !search.allows(edge)) continue;
    pairs.push({
      other: outerPrice(search, prices, target),
      out,
      in: back,
      room: room(target),
    });
  }
  const surplusAt = (logPrice: number): number => {
    search.work.steps += pairs.length;
    return surplus(pairs, Math.exp(logPrice), costPerGas, own);
  };
  const begin = Math.log(outerPrice(search, prices, node));
  const first = surplusAt(begin);
  if (first === 0) return;
  const sign = first > 0 ? -1 : 1;
  let near = begin;
  let far = begin;
  let step = FIRST_STEP;
  let nearValue = first;
  let farValue = first;
  for (let i = 0; i < MAX_DOUBLINGS; i++, step *= 4) {
    far = near + sign * step;
    farValue = surplusAt(far);
    if (farValue * sign >= 0) break;
    near = far;
    nearValue = farValue;
  }
  // False position with the Illinois rule: an end that stays is halved, so that both ends come closer.
  let last = 0;
  for (let i = 0; i < MAX_STEPS && Math.abs(far - near) > CLOSE; i++) {
    const middle = (near * farValue - far * nearValue) / (farValue - nearValue);
    const value = surplusAt(middle);
    if (Math.abs(value) <= SMALL * Math.abs(first)) {
      near = middle;
      far = middle;
    } else if (value * sign >= 0) {
      far = middle;
      farValue = value;
      if (last === 1) nearValue /= 2;
      last = 1;
    } else {
      near = middle;
      nearValue = value;
      if (last === -1) farValue /= 2;
      last = -1;
    }
  }
  if (lift[node] === 0) nodes.push(node);
  lift[node] = Math.exp((near + far) / 2) / unit;
}

/** Value that pools bring in at this price of a token less the value that they take out: rises with the price. */
function surplus(pairs: readonly Pair[], own: number, costPerGas: number, ownRoom: number): number {
  let sum = 0;
  for (const { other, out, in: back, room } of pairs) {
    if (out !== undefined && out.spot * other > own) {
      const { sellAmount, buyAmount, gas } = mostEarnedAfterGas(out, own, other, costPerGas, ownRoom, room);
      if (buyAmount * other - sellAmount * own > gas * costPerGas) sum -= sellAmount * own;
    }
    if (back !== undefined && back.spot * own > other) {
      const { sellAmount, buyAmount, gas } = mostEarnedAfterGas(back, other, own, costPerGas, room, ownRoom);
      if (buyAmount * own - sellAmount * other > gas * costPerGas) sum += buyAmount * own;
    }
  }
  return sum;
}
