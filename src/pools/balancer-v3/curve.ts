import { complement, mulDown } from "../../math/fixed-point.ts";
import { A_PRECISION } from "../composable-stable/invariant.ts";
import type { Direction, PoolCurve } from "../pool-math.ts";
import { stableswapCurve } from "../stableswap/curve.ts";
import { weightedCurve } from "../weighted/curve.ts";
import { balancerV3Gas } from "./gas.ts";
import { type BalancerV3At, pairOf } from "./state-at.ts";

/** The float view of one direction of a weighted pool: the same curve as in Balancer V2, over what rates make of the balances. */
export function weightedV3Curve(
  current: BalancerV3At,
  direction: Direction,
  maxSell: number,
  maxBuy: number,
): PoolCurve {
  const { state } = current;
  const scales = factorsOf(current).map((factor) => Number(factor) / 1e18);
  const gas = gasOf(current);
  const use = { maxSell, maxBuy, gas, gasToBuy: gas };
  return weightedCurve({ scales, swapFee: state.swapFee }, pairOf(current, direction), direction, use);
}

/** Curve of a stable pool in one direction. */
export function stableV3Curve(current: BalancerV3At, direction: Direction, maxSell: number): PoolCurve {
  const { state, scaled, amplification, d } = current;
  const rates = factorsOf(current).map((factor, i) =>
    i === direction.sell ? mulDown(factor, complement(state.swapFee)) : factor,
  );
  const curve = stableswapCurve(
    {
      state: {
        ...{ balances: state.balances, rates, initialA: amplification, futureA: amplification, initialATime: 0n },
        ...{ futureATime: 0n, aPrecision: A_PRECISION, fee: 0n, adminFee: 0n, generation: "old", killed: false },
      },
      scaled,
      amplification,
      d,
    },
    direction,
    maxSell,
  );
  return { ...curve, gas: gasOf(current) };
}

/** Factors from base units to scaled ones, 36 decimals. */
function factorsOf({ state }: BalancerV3At): readonly bigint[] {
  return state.scales.map((scale, i) => scale * (state.rates[i] as bigint));
}

function gasOf({ state, scaled }: BalancerV3At): number {
  return Number(balancerV3Gas(state.kind, scaled.length));
}
