import type { Ratio } from "../../domain/ratio.ts";
import type { Direction } from "../pool-math.ts";
import { FEE_ONE, feeFor } from "./fee.ts";
import type { Moment } from "./moment.ts";
import type { StableswapState } from "./state.ts";

/**
 * Bought per sold base unit for a trade of no size. By the invariant the scaled rate is (Ann + K / x) / (Ann + K / y) with
 * K = D^(n+1) / (n^n times the product of all balances).
 */
export function spotOf(state: StableswapState, { scaled, amplification, d }: Moment, { sell, buy }: Direction): Ratio {
  const count = BigInt(scaled.length);
  const [x, y] = [scaled[sell] as bigint, scaled[buy] as bigint];
  const top = d ** (count + 1n) * state.aPrecision;
  const bottom = amplification * count * count ** count * scaled.reduce((product, balance) => product * balance, 1n);
  const keep = FEE_ONE - feeFor(state, x, y);
  return {
    num: (bottom * x + top) * y * keep * (state.rates[sell] as bigint),
    den: (bottom * y + top) * x * FEE_ONE * (state.rates[buy] as bigint),
  };
}
