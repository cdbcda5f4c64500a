import { stretchOf } from "../../pools/float/stretch-of.ts";

/** Use of a pool whose gas grows with the amount sold, in bought units except for the gas itself. */
export interface PoolUse {
  paid: number;
  earned: number;
  gas: number;
  /** Earnings after gas. */
  profit: number;
  /** Second derivatives by the log price of the token sold, of the token bought, and, with its sign turned, of both. */
  ofSell: number;
  ofBuy: number;
  across: number;
}

export function emptyUse(): PoolUse {
  return { paid: 0, earned: 0, gas: 0, profit: 0, ofSell: 0, ofBuy: 0, across: 0 };
}

/**
 * Computes a pool use with constant gas over each stretch of amounts, written into `use`. The best trade before gas, `trade`
 * as curves write it, lies in one of the stretches. At the end of each before that one a pool use goes on if its further
 * earnings are worth the further gas. So from that stretch on backwards
 *
 *   profit from k on = earned in k - paid in k - (gas of k - gas of k-1) + max(0, profit from k+1 on)
 *
 * The kink of each max is rounded upwards within `width` parts of that gas and `least`; where that counts, the pool use goes on
 * in part.
 */
export function useOver(
  stretches: readonly number[],
  trade: Float64Array,
  sellPrice: number,
  buyPrice: number,
  costPerGas: number,
  width: number,
  least: number,
  use: PoolUse,
): void {
  let sold = trade[0] as number;
  let bought = trade[1] as number;
  const slope = (trade[2] as number) * sellPrice;
  let paid = 0;
  let earned = 0;
  let gas = 0;
  let profit = 0;
  let ofSell = slope;
  let ofBuy = slope;
  let across = slope;
  for (let at = stretchOf(stretches, sold); ; at -= 3) {
    const soldBefore = at === 0 ? 0 : (stretches[at - 3] as number);
    const boughtBefore = at === 0 ? 0 : (stretches[at - 2] as number);
    const more = (stretches[at + 2] as number) - (at === 0 ? 0 : (stretches[at - 1] as number));
    const here = (sold - soldBefore) * sellPrice;
    const brings = (bought - boughtBefore) * buyPrice;
    profit += brings - here - more * costPerGas;
    paid += here;
    earned += brings;
    gas += more;
    if (at === 0) break;
    sold = soldBefore;
    bought = boughtBefore;
    const half = width * more * costPerGas + least;
    if (profit >= half) continue;
    const part = Math.max(0, profit + half) / (2 * half);
    const bend = part > 0 ? 1 / (2 * half) : 0;
    ofSell = part * ofSell + bend * paid * paid;
    ofBuy = part * ofBuy + bend * earned * earned;
    across = part * across + bend * paid * earned;
    profit = half * part * part;
    paid *= part;
    earned *= part;
    gas *= part;
  }
  use.paid = paid;
  use.earned = earned;
  use.gas = gas;
  use.profit = profit;
  use.ofSell = ofSell;
  use.ofBuy = ofBuy;
  use.across = across;
}
