import type { FloatReserves } from "../float/hyperbola-curve.ts";
import type { PoolCurve } from "../pool-math.ts";

const MAX_ROUNDS = 100;

/**
 * The float view of a stable pool. `soldUnit` and `boughtUnit` are what one token of each has in base units: the curve
 * x³y + xy³ = k is over tokens. What is bought is solved for directly, so that small trades lose no digits.
 */
export function stableCurve(reserves: FloatReserves, soldUnit: number, boughtUnit: number, gas: number): PoolCurve {
  const { keep, maxSell } = reserves;
  const x = reserves.sold / soldUnit;
  const y = reserves.bought / boughtUnit;
  const clamp = (amount: number) => Math.min(maxSell, Math.max(0, amount));
  const bought = (net: number): number => {
    const moreX = x + net;
    let out = 0;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const lessY = y - out;
      const squares = moreX * moreX + lessY * lessY;
      const products = net * y - out * x - net * out;
      const excess = products * squares + x * y * (net * (2 * x + net) - out * (2 * y - out));
      const step = excess / (moreX * (squares + 2 * lessY * lessY));
      out += step;
      if (!(Math.abs(step) > 1e-16 * out)) break;
    }
    return Math.min(y, Math.max(0, out));
  };
  const slopeAt = (x: number, y: number) => (3 * x * x * y + y * y * y) / (x * x * x + 3 * x * y * y);
  const scale = (keep * boughtUnit) / soldUnit;
  return {
    marginalRate(sellAmount) {
      const net = (keep * clamp(sellAmount)) / soldUnit;
      return scale * slopeAt(x + net, y - bought(net));
    },
    buyAmountFor: (sellAmount) => bought((keep * clamp(sellAmount)) / soldUnit) * boughtUnit,
    sellAmountAtRate(rate) {
      if (rate <= 0) return maxSell;
      // With t = y/x the slope s obeys (1 - s)/(1 + s) = ((1 - t)/(1 + t))³, and k = x⁴ t (1 + t²).
      const s = rate / scale;
      const third = Math.cbrt((1 - s) / (1 + s));
      const t = (1 - third) / (1 + third);
      const k = x * y * (x * x + y * y);
      return clamp((((k / (t * (1 + t * t))) ** 0.25 - x) * soldUnit) / keep);
    },
    maxSell,
    gas,
    concave: true,
  };
}
