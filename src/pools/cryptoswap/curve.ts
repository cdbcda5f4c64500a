import { hullOf, turnOf } from "../float/hull.ts";
import { type PointAt, pointCurve } from "../float/point-curve.ts";
import type { Direction, PoolCurve } from "../pool-math.ts";
import { curveFee } from "./curve-fee.ts";
import { exchangeCurve } from "./exchange-curve.ts";
import { cryptoswapGas } from "./gas.ts";
import type { CryptoswapAt } from "./state-at.ts";

/** Error of a root among near numbers, as a part of the pool's holdings. */
const ROOT_ERROR = 4e-15;

/**
 * The float view of one direction. The fee depends on the distance from balance, which makes the curve other than concave:
 * its ceiling is the hull.
 */
export function cryptoswapCurve(current: CryptoswapAt, direction: Direction, maxSell: number): PoolCurve {
  const { state, scaled, scales } = current;
  const { sell, buy } = direction;
  const n = scaled.length;
  const third = n === 3 ? Number(scaled[3 - sell - buy]) : 0;
  const [sellScale, buyScale] = [Number(scales[sell]) / 1e18, Number(scales[buy]) / 1e18];
  const exchange = exchangeCurve(current, direction);
  const feeAt = curveFee(state, n, third);

  const at = (sellAmount: number) => {
    const state = exchange(sellAmount * sellScale);
    const { part, growth } = feeAt(state);
    return {
      paid: Math.max(0, (state.paid * (1 - part)) / buyScale),
      rate: ((state.rate * (1 - part) - state.paid * growth) * sellScale) / buyScale,
      gross: state.paid / buyScale,
      grossRate: (state.rate * sellScale) / buyScale,
      keep: 1 - part,
    };
  };
  const pointAt: PointAt = (sellAmount, point) => {
    const { paid, rate } = at(sellAmount);
    point[0] = paid;
    point[1] = rate;
  };
  const gas = Number(cryptoswapGas(n, state.generation));
  let ceiling: PoolCurve | undefined;
  return {
    ...pointCurve({ at: pointAt, maxSell, gas, concave: state.midFee === state.outFee }),
    get ceiling() {
      ceiling ??= hullOf({
        ...{ at, maxSell, gas, error: (ROOT_ERROR * Number(scaled[buy])) / buyScale },
        turn: turnOf((sellAmount) => feeAt(exchange(sellAmount * sellScale)).growth < 0, maxSell),
      });
      return ceiling;
    },
  };
}
