import { type FloatReserves, hyperbolaCurve } from "../float/hyperbola-curve.ts";
import type { PoolCurve } from "../pool-math.ts";
import type { DirectedPool, Side } from "./directed-pool.ts";

/** Two constant products that are traded together, as floats in base units. */
interface TwoSides {
  /** The one with the better price, and the other. */
  readonly better: FloatReserves;
  readonly other: FloatReserves;
  readonly maxSell: number;
}

/** Gas of a swap whose input is given, and of one whose output is. */
interface FluidGas {
  readonly toSell: number;
  readonly toBuy: number;
}

/** The float view of one direction, of which so much can be sold. */
export function fluidCurve(pool: DirectedPool, maxSell: bigint, gas: FluidGas): PoolCurve | undefined {
  const most = Number(maxSell);
  const sides = [pool.collateral, pool.debt].flatMap((side) => (side === undefined ? [] : [floatOf(pool, side, most)]));
  const [one, two] = sides.filter(({ sold, bought }) => sold > 0 && bought > 0);
  if (one === undefined || most === 0) return undefined;
  if (two === undefined) return { ...hyperbolaCurve(one, gas.toSell), gasToBuy: gas.toBuy };
  const isFirst = one.bought / one.sold >= two.bought / two.sold;
  return twoSidesCurve({ better: isFirst ? one : two, other: isFirst ? two : one, maxSell: most }, gas);
}

function floatOf(
  { state: { up, down, fee }, sell, buy }: DirectedPool,
  { sold, bought }: Side,
  maxSell: number,
): FloatReserves {
  return {
    sold: (Number(sold) * Number(down[sell])) / Number(up[sell]),
    bought: (Number(bought) * Number(down[buy])) / Number(up[buy]),
    ...{ keep: 1 - Number(fee) / 1e6, maxSell },
  };
}

/** The better side alone until its price is the other's; then both keep one price, which is one hyperbola again. */
function twoSidesCurve({ better, other, maxSell }: TwoSides, gas: FluidGas): PoolCurve {
  const { keep } = better;
  const alone = hyperbolaCurve(better, gas.toSell);
  const spotOfOther = (keep * other.bought) / other.sold;
  const joined = Math.max(0, alone.sellAmountAtRate(spotOfOther));
  const root = Math.sqrt(better.sold * better.bought) + Math.sqrt(other.sold * other.bought);
  /** Sold token of both sides at the point where they begin to trade together. */
  const sold = better.sold + other.sold + keep * joined;
  const boughtAlone = alone.buyAmountFor(joined);
  const clamp = (sellAmount: number) => Math.min(maxSell, Math.max(0, sellAmount));
  return {
    marginalRate: (sellAmount) =>
      sellAmount <= joined
        ? alone.marginalRate(sellAmount)
        : keep * (root / (sold + keep * (clamp(sellAmount) - joined))) ** 2,
    buyAmountFor(sellAmount) {
      if (sellAmount <= joined) return alone.buyAmountFor(sellAmount);
      const net = keep * (clamp(sellAmount) - joined);
      return boughtAlone + (root * root * net) / sold / (sold + net);
    },
    sellAmountAtRate(rate) {
      if (rate <= 0) return maxSell;
      if (rate >= spotOfOther) return alone.sellAmountAtRate(rate);
      return clamp(joined + (root * Math.sqrt(keep / rate) - sold) / keep);
    },
    ...{ maxSell, gas: gas.toSell, gasToBuy: gas.toBuy, concave: true },
  };
}
