import type { Ratio } from "../../domain/ratio.ts";
import { complement, ONE } from "../../math/fixed-point.ts";
import { A_PRECISION } from "../composable-stable/invariant.ts";
import type { Direction } from "../pool-math.ts";
import type { BalancerV3At } from "./state-at.ts";

/** Bought per sold base unit for a trade of no size, fee included. */
export function spotOf(current: BalancerV3At, { sell, buy }: Direction): Ratio {
  const { state, scaled } = current;
  const [x, y] = [scaled[sell] as bigint, scaled[buy] as bigint];
  const keep = {
    num: complement(state.swapFee) * (state.scales[sell] as bigint) * (state.rates[sell] as bigint),
    den: ONE * (state.scales[buy] as bigint) * (state.rates[buy] as bigint),
  };
  if (state.kind === "weighted") {
    const [weightIn, weightOut] = [state.weights[sell] as bigint, state.weights[buy] as bigint];
    return { num: y * weightIn * keep.num, den: x * weightOut * keep.den };
  }
  // (Ann + K / x) / (Ann + K / y) with K = D^(n+1) / (n^n times the product of all balances).
  const count = BigInt(scaled.length);
  const top = current.d ** (count + 1n) * A_PRECISION;
  const bottom = current.amplification * count * count ** count * scaled.reduce((all, balance) => all * balance, 1n);
  return { num: (bottom * x + top) * y * keep.num, den: (bottom * y + top) * x * keep.den };
}
