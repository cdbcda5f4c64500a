import type { PoolCurve, StraightLevel } from "../../pools/pool-math.ts";
import { TRUSTED_DEPTHS } from "./depth.ts";

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
