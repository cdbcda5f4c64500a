import { complement, mulDown } from "../../math/fixed-point.ts";
import { A_PRECISION } from "../composable-stable/invariant.ts";
import type { Direction, PoolCurve } from "../pool-math.ts";
import { stableswapCurve } from "../stableswap/curve.ts";
import { weightedCurve } from "../weighted/curve.ts";
import { balancerV3Gas } from "./gas.ts";
import { type Moment, pairOf } from "./moment.ts";

/** The float view of one direction: the same curves as in Balancer V2, over what rates make of the balances. */
export function balancerV3Curve(moment: Moment, direction: Direction, maxSell: number): PoolCurve {
  const { state, scaled, amplification, d } = moment;
  const gas = Number(balancerV3Gas(state.kind, scaled.length));
  const factors = state.scales.map((scale, i) => scale * (state.rates[i] as bigint));
  if (state.kind === "weighted") {
    const scales = factors.map((factor) => Number(factor) / 1e18);
    return { ...weightedCurve({ scales, swapFee: state.swapFee }, pairOf(moment, direction), direction, maxSell), gas };
  }
  const rates = factors.map((factor, i) =>
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
  return { ...curve, gas };
}
