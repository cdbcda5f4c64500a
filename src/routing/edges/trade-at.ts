import type { PoolCurve } from "../../pools/pool-math.ts";
import { TRUSTED_DEPTHS } from "./depth.ts";

/** Relative step of the rate that a slope is measured with where a curve does not tell it. */
const RATE_STEP = 1e-6;

/** What a curve makes of a rate, in base units, written into `trade` as in `tradeAtRate`: sold, bought, and the slope. */
export function tradeAt(curve: PoolCurve, rate: number, trade: Float64Array): void {
  if (curve.tradeAtRate !== undefined) {
    curve.tradeAtRate(rate, trade);
    return;
  }
  const sell = Math.min(curve.sellAmountAtRate(rate), curve.maxSell);
  const further = Math.min(curve.sellAmountAtRate(rate * (1 - RATE_STEP)), curve.maxSell);
  trade[0] = sell;
  trade[1] = curve.buyAmountFor(sell);
  trade[2] = (further - sell) / RATE_STEP;
}

/**
 * The same of the hyperbola of a best rate and a depth; false, with nothing written, where a curve is no such hyperbola, or
 * not that far.
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
