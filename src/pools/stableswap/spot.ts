import { inFewBits, type Ratio } from "../../domain/ratio.ts";
import type { Direction } from "../pool-math.ts";
import { FEE_ONE, feeFor, grownFee, imbalanceFee } from "./fee.ts";
import type { StableswapAt } from "./state-at.ts";

/** Bits that the shorter part of a ratio keeps. */
const RATIO_BITS = 160;

/**
 * Bought per sold base unit for a trade of no size. By the invariant the scaled rate is (Ann + K / x) / (Ann + K / y) with
 * K = D^(n+1) / (n^n times the product of all balances).
 */
export function spotOf({ state, scaled, amplification, d }: StableswapAt, { sell, buy }: Direction): Ratio {
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

/**
 * Spot price between a coin and the pool's share. A coin's part of the pool's value is w / W for w = Ann x P + K and
 * W = (Ann - 1) D P + (n + 1) K, with P = n^n times the product of all balances and K = D^(n+1): the invariant grows by
 * (w / W) (D / x) for one more of it, and all but that part of a change is out of proportion.
 */
export function shareSpot(
  { state, scaled, amplification, d }: StableswapAt,
  supply: bigint,
  { sell, buy }: Direction,
): Ratio {
  const count = BigInt(scaled.length);
  const buysShare = buy === scaled.length;
  const coin = buysShare ? sell : buy;
  const ann = amplification * count;
  const top = d ** (count + 1n) * state.aPrecision;
  const product = count ** count * scaled.reduce((all, balance) => all * balance, 1n);
  const whole = (ann - state.aPrecision) * d * product + (count + 1n) * top;
  const part = (balance: bigint) => ann * balance * product + top;
  const base = imbalanceFee(state);
  const taken = scaled.reduce((sum, balance, i) => {
    const own = part(balance);
    return sum + grownFee(state, base, balance, d / count) * (i === coin ? whole - own : own);
  }, 0n);
  const keep = FEE_ONE * whole - taken;
  const [x, rate] = [scaled[coin] as bigint, state.rates[coin] as bigint];
  // Shares have 18 decimals as scaled balances do.
  const own = part(x);
  return buysShare
    ? heldByFloats(own * keep * rate * supply, whole * x * FEE_ONE * whole * 10n ** 18n)
    : heldByFloats(x * keep * 10n ** 18n, own * FEE_ONE * supply * rate);
}

/** A ratio that floats can hold several of multiplied, no lower than the one that it stands for. */
function heldByFloats(num: bigint, den: bigint): Ratio {
  const few = inFewBits({ num, den }, RATIO_BITS);
  return { num: few.num + 1n, den: few.den };
}
