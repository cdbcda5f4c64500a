import { pointCurve } from "../float/point-curve.ts";
import { type TargetWays, tradeAroundTargets } from "../float/target-curve.ts";
import type { PoolCurve } from "../pool-math.ts";
import { ONE } from "./branch.ts";
import { EULER_SWAP_GAS } from "./gas.ts";
import type { EulerSwapState } from "./state.ts";

/** A direction, and what the pool holds of the bought token as far as the curve asks for it. */
interface Trading {
  readonly sell: 0 | 1;
  readonly buy: 0 | 1;
  readonly held: bigint;
}

/** Units beyond the curve that rounding may leave. */
const ROUNDINGS = 16n;

/**
 * The float view of a direction: back to the equilibrium along the sold reserve, then down the bought one. What somebody has left
 * beyond the curve goes to the first unit that is sold, which the ceiling counts.
 */
export function eulerSwapCurve(state: EulerSwapState, trading: Trading, maxSell: number): PoolCurve {
  const left = state.reserves[trading.buy] - trading.held;
  const curve = curveWith(0, state, trading, maxSell);
  return left > ROUNDINGS
    ? { ...curve, concave: false, ceiling: curveWith(Number(left), state, trading, maxSell) }
    : curve;
}

/** The view with so much more paid for the first base unit. */
function curveWith(left: number, state: EulerSwapState, trading: Trading, maxSell: number): PoolCurve {
  const ways = waysOf(state, trading);
  const keep = Number(ONE - state.fees[trading.sell]) / 1e18;
  return pointCurve({
    at(sellAmount, point) {
      tradeAroundTargets(ways, keep * sellAmount, point);
      point[0] = (point[0] as number) + left * Math.min(1, sellAmount);
      point[1] = keep * (point[1] as number) + (sellAmount < 1 ? left : 0);
    },
    ...{ maxSell, gas: Number(EULER_SWAP_GAS), concave: true },
  });
}

function waysOf(state: EulerSwapState, { sell, buy, held }: Trading): TargetWays {
  const { reserves, equilibrium, concentrations, prices } = state;
  const price = Number(prices[sell]) / Number(prices[buy]);
  const bend = (token: 0 | 1) => Number(ONE - concentrations[token]) / 1e18;
  const target = Number(equilibrium[buy]);
  const way = equilibrium[sell] - reserves[sell];
  const back = way > 0n && {
    ...{ price, k: bend(sell), held: Number(reserves[sell]), target: Number(equilibrium[sell]) },
    ...{ amount: Number(way), pays: Number(held - equilibrium[buy]) },
  };
  return { back: back || undefined, down: { price, k: bend(buy), target, held: way > 0n ? target : Number(held) } };
}
