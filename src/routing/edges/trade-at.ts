import type { PoolCurve, StraightLevel } from "../../pools/pool-math.ts";
import { TRUSTED_DEPTHS } from "./depth.ts";
import type { Edge } from "./edges.ts";

/** Relative step of the rate that a slope is measured with where a curve does not tell it. */
const RATE_STEP = 1e-6;
/** By how much the rate of a straight level is taken to fall from its beginning to its end, as a part. */
const BEND = 1e-7;

/** Trade of a curve at a rate, in base units, written into `trade` as in `tradeAtRate`: sold, bought, and the slope. */
export function tradeAt(curve: PoolCurve, rate: number, trade: Float64Array): void {
  if (curve.tradeAtRate !== undefined) {
    curve.tradeAtRate(rate, trade);
    return;
  }
  if (curve.levels !== undefined) {
    bentTradeAt(curve.levels, rate, trade);
    return;
  }
  const sell = Math.min(curve.sellAmountAtRate(rate), curve.maxSell);
  const further = Math.min(curve.sellAmountAtRate(rate * (1 - RATE_STEP)), curve.maxSell);
  trade[0] = sell;
  trade[1] = curve.buyAmountFor(sell);
  trade[2] = (further - sell) / RATE_STEP;
}

/**
 * Trade of price levels at a rate, with each level's rate falling slightly over its amount. Without that slope a level
 * sells anything between nothing and all at its own rate, and prices alone would not tell how much.
 */
function bentTradeAt(levels: readonly StraightLevel[], rate: number, trade: Float64Array): void {
  let [sold, bought, slope] = [0, 0, 0];
  for (const level of levels) {
    if (rate >= level.rate) break;
    const part = Math.min(1, (1 - rate / level.rate) / BEND);
    sold += part * level.sells;
    bought += part * level.sells * level.rate * (1 - (part * BEND) / 2);
    if (part < 1) slope += ((rate / level.rate) * level.sells) / BEND;
  }
  trade[0] = sold;
  trade[1] = bought;
  trade[2] = slope;
}

/**
 * Trade of a hyperbola of this best rate and depth, at a rate. Returns false, with nothing written, if the curve is no
 * such hyperbola at that rate.
 */
export function hyperbolaAt(spot: number, depth: number, rate: number, trade: Float64Array): boolean {
  const stretch = Math.sqrt(spot / rate);
  const sell = depth * (stretch - 1);
  // Without a depth `sell` is no number.
  if (!(stretch - 1 <= TRUSTED_DEPTHS && sell >= 0)) return false;
  trade[0] = sell;
  trade[1] = (sell * spot) / stretch;
  trade[2] = 0.5 * (sell + depth);
  return true;
}

/** The most of a node's token that a route can hold at any time, in base units: no pool sells or buys more. */
export type Room = (node: number) => number;

/** No known limit on what a pool can sell or buy. */
export const UNLIMITED: Room = () => Number.POSITIVE_INFINITY;

/**
 * Trade with the largest earnings on an edge at this price ratio, within what it may sell and buy, or an upper bound of
 * them: a curve that is not concave counts as its ceiling. Without a ceiling it counts as giving all that it has for free.
 */
export function mostEarned(
  { curve: real }: Edge,
  rate: number,
  mostSold: number,
  mostBought: number,
): { readonly sellAmount: number; readonly buyAmount: number } {
  const curve = real.ceiling ?? real;
  if (!curve.concave) {
    const all = curve.buyAmountFor(Math.min(mostSold, curve.maxSell));
    return { sellAmount: 0, buyAmount: Math.min(all, mostBought) };
  }
  let sellAmount = Number.NaN;
  let buyAmount = Number.NaN;
  if (curve.tradeAtRate !== undefined) {
    const trade = new Float64Array(3);
    curve.tradeAtRate(rate, trade);
    [sellAmount, buyAmount] = [trade[0] as number, trade[1] as number];
  }
  if (!(sellAmount <= mostSold)) {
    sellAmount = Math.min(curve.sellAmountAtRate(rate), curve.maxSell, mostSold);
    buyAmount = curve.buyAmountFor(sellAmount);
  }
  return buyAmount <= mostBought
    ? { sellAmount, buyAmount }
    : { sellAmount: sellAmountFor(curve, mostBought), buyAmount: mostBought };
}

/**
 * Trade with the largest earnings after gas that grows with the amount. Each stretch of constant gas has a best trade;
 * before the stretch of the best trade without gas, that is the stretch's end.
 */
export function mostEarnedAfterGas(
  edge: Edge,
  sellPrice: number,
  buyPrice: number,
  costPerGas: number,
  mostSold: number,
  mostBought: number,
): { readonly sellAmount: number; readonly buyAmount: number; readonly gas: number } {
  const { sellAmount, buyAmount } = mostEarned(edge, sellPrice / buyPrice, mostSold, mostBought);
  const { curve } = edge;
  if (costPerGas === 0 || curve.gasStretches === undefined) return { sellAmount, buyAmount, gas: edge.gas };
  const stretches = curve.gasStretches(sellAmount);
  let most = Number.NEGATIVE_INFINITY;
  let best = 0;
  let at = 0;
  for (; (stretches[at] as number) < sellAmount; at += 3) {
    const sold = stretches[at] as number;
    const bought = stretches[at + 1] as number;
    const gas = stretches[at + 2] as number;
    const earned = bought * buyPrice - sold * sellPrice - gas * costPerGas;
    if (earned <= most) continue;
    most = earned;
    best = at;
  }
  const gas = stretches[Math.min(at, stretches.length - 3) + 2] as number;
  if (buyAmount * buyPrice - sellAmount * sellPrice - gas * costPerGas >= most) return { sellAmount, buyAmount, gas };
  return {
    sellAmount: stretches[best] as number,
    buyAmount: stretches[best + 1] as number,
    gas: stretches[best + 2] as number,
  };
}

const MAX_ROUNDS = 64;
/** Relative tolerance of the amount paid. */
const CLOSE = 1e-13;

/** Amount up to `high` that a curve has to sell to pay `buyAmount`, and pays no more for; `high` if that pays no more. */
export function sellAmountFor(curve: PoolCurve, buyAmount: number, high = curve.maxSell): number {
  if (curve.buyAmountFor(high) <= buyAmount) return high;
  // A concave curve lies below its tangents: Newton's steps do not pass what is looked for. Others are met from both sides.
  let [low, top] = [0, high];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const missing = buyAmount - curve.buyAmountFor(low);
    if (missing <= CLOSE * buyAmount) break;
    let next = low + missing / curve.marginalRate(low);
    if (!(next < top)) next = Number.isFinite(top) ? (low + top) / 2 : 2 * low + 1;
    if (curve.buyAmountFor(next) > buyAmount) top = next;
    else low = next;
  }
  return low;
}
