import { pointCurve } from "../float/point-curve.ts";
import type { PoolCurve } from "../pool-math.ts";
import type { WooBase } from "./state.ts";
import { FEE_ONE, type WooTrade } from "./trade.ts";

/** The float view of a direction: one parabola, or one on top of another where one base token is sold for another. */
export function wooCurve(trade: WooTrade, maxSell: number, gas: number): PoolCurve {
  const { state, sold, bought, feeRate } = trade;
  const quoteUnit = Number(state.quoteUnit);
  const keep = 1 - Number(feeRate) / Number(FEE_ONE);
  /** Quote token for one base unit at the oracle's price. */
  const rateOf = ({ price, unit }: WooBase) => ((Number(price) / Number(state.priceUnit)) * quoteUnit) / Number(unit);
  const moveOf = ({ coeff }: WooBase) => Number(coeff) / 1e18 / quoteUnit;
  const keptOf = (spread: bigint) => 1 - Number(spread) / 1e18;
  const first = sold && { rate: rateOf(sold), moved: moveOf(sold) * rateOf(sold), kept: keptOf(trade.soldSpread) };
  const second = bought && { rate: 1 / rateOf(bought), moved: moveOf(bought), kept: keptOf(trade.boughtSpread) };
  return pointCurve({
    at(sellAmount, point) {
      let [paid, rate] = [sellAmount, 1];
      if (first !== undefined) {
        rate = first.rate * (first.kept - 2 * first.moved * paid);
        paid *= first.rate * (first.kept - first.moved * paid);
      }
      [paid, rate] = [paid * keep, rate * keep];
      if (second !== undefined) {
        rate *= second.rate * (second.kept - 2 * second.moved * paid);
        paid *= second.rate * (second.kept - second.moved * paid);
      }
      point[0] = paid;
      point[1] = rate;
    },
    ...{ maxSell, gas, concave: true },
  });
}
