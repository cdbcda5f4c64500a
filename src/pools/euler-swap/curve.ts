import { pointCurve } from "../float/point-curve.ts";
import { type TargetWays, tradeAroundTargets } from "../float/target-curve.ts";
import type { PoolCurve } from "../pool-math.ts";
import { ONE } from "./branch.ts";
import { EULER_SWAP_GAS } from "./gas.ts";
import type { EulerSwapState } from "./state.ts";

/** The float view of a direction: back to the equilibrium along the sold reserve, then down the bought one. */
export function eulerSwapCurve(
  state: EulerSwapState,
  { sell, buy }: { readonly sell: 0 | 1; readonly buy: 0 | 1 },
  maxSell: number,
): PoolCurve {
  const ways = waysOf(state, sell, buy);
  const keep = Number(ONE - state.fees[sell]) / 1e18;
  return pointCurve({
    at(sellAmount, point) {
      tradeAroundTargets(ways, keep * sellAmount, point);
      point[1] = keep * (point[1] as number);
    },
    ...{ maxSell, gas: Number(EULER_SWAP_GAS), concave: true },
  });
}

function waysOf(state: EulerSwapState, sell: 0 | 1, buy: 0 | 1): TargetWays {
  const { reserves, equilibrium, concentrations, prices } = state;
  const price = Number(prices[sell]) / Number(prices[buy]);
  const bend = (token: 0 | 1) => Number(ONE - concentrations[token]) / 1e18;
  const target = Number(equilibrium[buy]);
  const way = equilibrium[sell] - reserves[sell];
  const back = way > 0n && {
    ...{ price, k: bend(sell), held: Number(reserves[sell]), target: Number(equilibrium[sell]) },
    ...{ amount: Number(way), pays: Number(reserves[buy] - equilibrium[buy]) },
  };
  const held = way > 0n ? target : Number(reserves[buy]);
  return { back: back || undefined, down: { price, k: bend(buy), target, held } };
}
