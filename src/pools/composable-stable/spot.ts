import type { Ratio } from "../../domain/ratio.ts";
import { ONE } from "../../math/fixed-point.ts";
import type { Direction } from "../pool-math.ts";
import { A_PRECISION } from "./invariant.ts";
import { type ComposableStableAt, indexWithoutShare } from "./state-at.ts";
import { supplyBefore } from "./supply.ts";

/** Bought per sold base unit for a trade of no size, fee included; undefined when there is none. */
export function spotOf(current: ComposableStableAt, { sell, buy }: Direction): Ratio | undefined {
  const { state, factors } = current;
  const [factorIn, factorOut] = [factors[sell] as bigint, factors[buy] as bigint];
  if (sell !== state.share && buy !== state.share) {
    const [sold, bought] = [slope(current, sell), slope(current, buy)];
    const keep = ONE - state.swapFee;
    return { num: sold.num * bought.den * keep * factorIn, den: sold.den * bought.num * ONE * factorOut };
  }
  const supply = supplyBefore(current);
  if (supply === undefined) return undefined;
  const token = buy === state.share ? sell : buy;
  const { num, den } = slope(current, token);
  // The fee is taken of what is not in proportion: of all but the token's own part of the pool.
  const sum = current.scaled.reduce((a, b) => a + b, 0n);
  const own = current.scaled[indexWithoutShare(state, token)] as bigint;
  const keep = { num: ONE * sum - state.swapFee * (sum - own), den: ONE * sum };
  const factor = { num: factorIn * keep.num, den: factorOut * keep.den };
  return buy === state.share
    ? { num: num * supply.shares * factor.num, den: den * supply.invariant * factor.den }
    : { num: den * supply.invariant * factor.num, den: num * supply.shares * factor.den };
}

/**
 * Derivative of the invariant by one token's scaled balance x:
 * (Ann + G / x) / (Ann - 1 + (n + 1) G / D) for G = D^(n+1) / (n^n times the product of all balances).
 */
function slope({ state, scaled, amplification, d }: ComposableStableAt, index: number): Ratio {
  const count = BigInt(scaled.length);
  const x = scaled[indexWithoutShare(state, index)] as bigint;
  const ann = amplification * count;
  const top = d ** (count + 1n) * A_PRECISION;
  const product = count ** count * scaled.reduce((all, balance) => all * balance, 1n);
  return {
    num: (ann * x * product + top) * d,
    den: x * ((ann - A_PRECISION) * product * d + (count + 1n) * top),
  };
}
