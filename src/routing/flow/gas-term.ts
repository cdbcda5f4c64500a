import { stretchOf } from "../../pools/float/stretch-of.ts";
import { type Edge, isStepped } from "../edges/edges.ts";
import { hyperbolaAt, mostEarned, type Room, tradeAt } from "../edges/trade-at.ts";

/**
 * Gas as a term of a trade's dual: an edge counts with max(0, what it earns - its gas). The kink of each max is rounded upwards
 * within `width` parts of the gas, so that Newton steps can be taken. No edge sells or buys more than there is `room` for.
 */
export interface GasTerm {
  readonly room: Room;
  readonly width: number;
}

/** Use of a pool as far as it goes on where kinks are rounded, in bought units except for the gas itself. */
export interface PoolUse {
  readonly paid: number;
  readonly earned: number;
  readonly gas: number;
  /** Earnings after gas, or 0 where that is more. */
  readonly profit: number;
  /** Second derivative of these by the logarithm of the ratio of prices. */
  readonly slope: number;
  /** Amount paid by all of the pool use, and its earnings after its gas, which may be negative. */
  readonly whole: { readonly paid: number; readonly profit: number };
}

export const NO_USE: PoolUse = { paid: 0, earned: 0, gas: 0, profit: 0, slope: 0, whole: { paid: 0, profit: 0 } };

/** Prices of what an edge sells and buys, and bought units per unit of gas. */
export interface UsePrices {
  readonly sell: number;
  readonly buy: number;
  readonly gas: number;
}

/**
 * Rounding of kinks upwards, within `width` parts of the gas and of `least`. `reach`: one that the next step may meet counts as a slope
 * before it: the parabola with this bend meets max(0, x) and stays above it.
 */
export interface Rounding {
  readonly width: number;
  readonly least: number;
  readonly reach: number;
}

/** Part of its gas below which it is not worked out what an edge earns. */
const FAR = 0.5;

/** Whether a concave edge may earn more than a cost at these prices, within the room at its ends: told without its curve. */
export function mayEarn(
  { spot, deepest }: Pick<Edge, "spot" | "deepest">,
  { sell, buy }: Pick<UsePrices, "sell" | "buy">,
  mostSold: number,
  mostBought: number,
  cost: number,
): boolean {
  const best = spot * buy;
  if (!(best > sell)) return false;
  // All that there is room for, at the best rate, earns no less; nor does the deepest hyperbola.
  if ((best - sell) * Math.min(mostSold, mostBought / spot) <= cost) return false;
  const short = 1 - Math.sqrt(sell / best);
  return best * deepest * short * short > cost;
}

/** The use of an edge that earns most after its gas, within the room at its ends; undefined where that is far from earning it. */
export function useAfterGas(
  edge: Edge,
  prices: UsePrices,
  mostSold: number,
  mostBought: number,
  rounding: Rounding,
): PoolUse | undefined {
  if (!mayEarn(edge, prices, mostSold, mostBought, FAR * edge.gas * prices.gas)) return undefined;
  const trade = new Float64Array(3);
  askWithin(edge, prices.sell / prices.buy, mostSold, mostBought, trade);
  const stretches = isStepped(edge) ? edge.curve.gasStretches?.(trade[0] as number) : undefined;
  return useOver(stretches ?? [Number.POSITIVE_INFINITY, 0, edge.gas], trade, prices, rounding);
}

/** Writes the trade with the largest earnings on an edge at this price ratio into `trade`, in the form of curves. */
function askWithin(edge: Edge, rate: number, mostSold: number, mostBought: number, trade: Float64Array): void {
  if (!hyperbolaAt(edge.spot, edge.depth, rate, trade)) tradeAt(edge.curve.ceiling ?? edge.curve, rate, trade);
  if ((trade[0] as number) <= mostSold && (trade[1] as number) <= mostBought) return;
  const { sellAmount, buyAmount } = mostEarned(edge, rate, mostSold, mostBought);
  trade[0] = sellAmount;
  trade[1] = buyAmount;
  trade[2] = 0;
}

/**
 * Computes a pool use with constant gas over each stretch of amounts. The best trade before gas, `trade`
 * as curves write it, lies in one of the stretches. At the beginning of each up to that one a pool use goes on if its further
 * earnings are worth the further gas. So from that stretch on backwards
 *
 *   profit from k on = max(0, earned in k - paid in k - (gas of k - gas of k-1) + profit from k+1 on)
 *
 * The kink of each max is rounded; where that counts, the pool use goes on in part.
 */
export function useOver(
  stretches: readonly number[],
  trade: Float64Array,
  prices: UsePrices,
  { width, least, reach }: Rounding,
): PoolUse {
  let sold = trade[0] as number;
  let bought = trade[1] as number;
  let [paid, earned, gas, profit, slope] = [0, 0, 0, 0, (trade[2] as number) * prices.sell];
  for (let at = stretchOf(stretches, sold); ; at -= 3) {
    const soldBefore = at === 0 ? 0 : (stretches[at - 3] as number);
    const boughtBefore = at === 0 ? 0 : (stretches[at - 2] as number);
    const here = (sold - soldBefore) * prices.sell;
    const brings = (bought - boughtBefore) * prices.buy;
    const more = (stretches[at + 2] as number) - (at === 0 ? 0 : (stretches[at - 1] as number));
    profit += brings - here - more * prices.gas;
    paid += here;
    earned += brings;
    gas += more;
    const whole = { paid, profit };
    const half = width * (more * prices.gas + least);
    const part = Math.max(0, Math.min(1, (profit + half) / (2 * half)));
    const off = Math.max(half, Math.abs(profit));
    const bend = off <= Math.max(half, reach * earned) ? 1 / (2 * off) : 0;
    slope = part * slope + bend * paid * earned;
    if (part < 1) profit = half * part * part;
    paid *= part;
    earned *= part;
    gas *= part;
    if (at === 0) return { paid, earned, gas, profit, slope, whole };
    sold = soldBefore;
    bought = boughtBefore;
  }
}
