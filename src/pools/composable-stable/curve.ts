import { complement, mulDown } from "../../math/fixed-point.ts";
import type { Direction, PoolCurve } from "../pool-math.ts";
import { stableswapCurve } from "../stableswap/curve.ts";
import { composableStableGas } from "./gas.ts";
import { A_PRECISION } from "./invariant.ts";
import { type ComposableStableAt, indexWithoutShare, withoutShare } from "./state-at.ts";

/** The float view of one direction between two tokens: Curve's, with the fee on what goes in. */
export function composableStableCurve(
  current: ComposableStableAt,
  { sell, buy }: Direction,
  maxSell: number,
): PoolCurve {
  const { state, factors, scaled, amplification, d } = current;
  const rates = factors.map((factor, i) => (i === sell ? mulDown(factor, complement(state.swapFee)) : factor));
  const amplified = { initialA: amplification, futureA: amplification, initialATime: 0n, futureATime: 0n };
  const curve = stableswapCurve(
    {
      state: {
        ...{ balances: withoutShare(state, state.balances), rates: withoutShare(state, rates), ...amplified },
        ...{ aPrecision: A_PRECISION, fee: 0n, adminFee: 0n, generation: "old", killed: false },
      },
      scaled,
      amplification,
      d,
    },
    { sell: indexWithoutShare(state, sell), buy: indexWithoutShare(state, buy) },
    maxSell,
  );
  const gasOf = (exactOut: boolean) => Number(composableStableGas(scaled.length, false, exactOut, state.roundsUp));
  return { ...curve, gas: gasOf(false), gasToBuy: gasOf(true) };
}
