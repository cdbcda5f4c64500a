import { complement, divDown, divUp, mulDown, mulUp, ONE } from "../../math/fixed-point.ts";
import { stableBalance, stableInvariant } from "./invariant.ts";
import type { ComposableStableAt } from "./state-at.ts";
import type { Supply } from "./supply.ts";

/**
 * One token for shares and back, scaled amounts (StableMath.sol): the fee is taken of what is not in proportion. Undefined
 * where the contract would revert.
 */

/** _calcBptOutGivenExactTokensIn */
export function sharesForTokens(
  current: ComposableStableAt,
  { shares, invariant }: Supply,
  index: number,
  amount: bigint,
) {
  const { scaled, amplification, state } = current;
  const sum = sumOf(scaled);
  let ideal = 0n;
  const ratios = scaled.map((balance, i) => {
    const ratio = divDown(i === index ? balance + amount : balance, balance);
    ideal += mulDown(ratio, divDown(balance, sum));
    return ratio;
  });
  let broken = false;
  const after = scaled.map((balance, i) => {
    const added = i === index ? amount : 0n;
    if ((ratios[i] as bigint) <= ideal) return balance + added;
    // A sum of weights that were rounded down may be less than one.
    if (ideal < ONE) broken = true;
    const untaxed = mulDown(balance, ideal - ONE);
    if (untaxed > added) broken = true;
    return balance + untaxed + mulDown(added - untaxed, ONE - state.swapFee);
  });
  const next = broken ? undefined : stableInvariant(after, amplification);
  if (next === undefined) return undefined;
  const ratio = divDown(next, invariant);
  return ratio > ONE ? mulDown(shares, ratio - ONE) : 0n;
}

/** _calcTokenInGivenExactBptOut */
export function tokensForShares(
  current: ComposableStableAt,
  { shares, invariant }: Supply,
  index: number,
  wanted: bigint,
) {
  const { scaled, amplification, state } = current;
  const next = mulUp(divUp(shares + wanted, shares), invariant);
  const balance = stableBalance(scaled, index, next, amplification);
  const had = scaled[index] as bigint;
  if (balance === undefined || balance < had) return undefined;
  const { taxed, untaxed } = partsOf(scaled, index, balance - had);
  return untaxed + divUp(taxed, ONE - state.swapFee);
}

/** _calcTokenOutGivenExactBptIn */
export function tokensFromShares(
  current: ComposableStableAt,
  { shares, invariant }: Supply,
  index: number,
  amount: bigint,
) {
  const { scaled, amplification, state } = current;
  if (amount > shares) return undefined;
  const next = mulUp(divUp(shares - amount, shares), invariant);
  const balance = stableBalance(scaled, index, next, amplification);
  const had = scaled[index] as bigint;
  if (balance === undefined || balance > had) return undefined;
  const { taxed, untaxed } = partsOf(scaled, index, had - balance);
  return untaxed + mulDown(taxed, ONE - state.swapFee);
}

/** _calcBptInGivenExactTokensOut */
export function sharesFromTokens(
  current: ComposableStableAt,
  { shares, invariant }: Supply,
  index: number,
  wanted: bigint,
) {
  const { scaled, amplification, state } = current;
  const sum = sumOf(scaled);
  if (wanted >= (scaled[index] as bigint)) return undefined;
  let ideal = 0n;
  const ratios = scaled.map((balance, i) => {
    const ratio = divUp(i === index ? balance - wanted : balance, balance);
    ideal += mulUp(ratio, divUp(balance, sum));
    return ratio;
  });
  let broken = false;
  const after = scaled.map((balance, i) => {
    const taken = i === index ? wanted : 0n;
    if (ideal <= (ratios[i] as bigint)) return balance - taken;
    const untaxed = mulDown(balance, complement(ideal));
    if (untaxed > taken) broken = true;
    const left = balance - untaxed - divUp(taken - untaxed, ONE - state.swapFee);
    if (left <= 0n) broken = true;
    return left;
  });
  const next = broken ? undefined : stableInvariant(after, amplification);
  return next === undefined ? undefined : mulUp(shares, complement(divDown(next, invariant)));
}

function sumOf(scaled: readonly bigint[]): bigint {
  return scaled.reduce((a, b) => a + b, 0n);
}

/** Splits a change of one balance into the part out of proportion, which pays the fee, and the rest. */
function partsOf(scaled: readonly bigint[], index: number, amount: bigint) {
  const taxed = mulUp(amount, complement(divDown(scaled[index] as bigint, sumOf(scaled))));
  return { taxed, untaxed: amount - taxed };
}
