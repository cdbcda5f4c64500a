import { mulDivRoundingUp } from "./full-math.ts";
import { amount0Delta, amount1Delta, sqrtPriceAfterInput, sqrtPriceAfterOutput } from "./sqrt-price-math.ts";

/** Fees are parts of a million. */
const PPM = 1_000_000n;

/** Result of a swap step within constant liquidity. */
export interface SwapStep {
  readonly sqrtPrice: bigint;
  /** Amount in, without the fee. */
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly feeAmount: bigint;
}

/**
 * One step of a swap from `sqrtPrice` towards `target`, which lies below for token 0 in and above for token 1 in.
 * `remaining` is what is left to sell (`exactIn`) or to buy. Source: SwapMath.computeSwapStep.
 */
export function swapStep(
  sqrtPrice: bigint,
  target: bigint,
  liquidity: bigint,
  remaining: bigint,
  feePpm: bigint,
  exactIn: boolean,
): SwapStep {
  const zeroForOne = sqrtPrice >= target;
  const inputTo = (price: bigint) =>
    zeroForOne ? amount0Delta(price, sqrtPrice, liquidity, true) : amount1Delta(sqrtPrice, price, liquidity, true);
  const outputTo = (price: bigint) =>
    zeroForOne ? amount1Delta(price, sqrtPrice, liquidity, false) : amount0Delta(sqrtPrice, price, liquidity, false);

  if (exactIn) {
    const available = (remaining * (PPM - feePpm)) / PPM;
    const toTarget = inputTo(target);
    if (available >= toTarget) {
      const feeAmount = mulDivRoundingUp(toTarget, feePpm, PPM - feePpm);
      return { sqrtPrice: target, amountIn: toTarget, amountOut: outputTo(target), feeAmount };
    }
    const next = sqrtPriceAfterInput(sqrtPrice, liquidity, available, zeroForOne);
    const amountIn = inputTo(next);
    return { sqrtPrice: next, amountIn, amountOut: outputTo(next), feeAmount: remaining - amountIn };
  }

  const toTarget = outputTo(target);
  const next = remaining >= toTarget ? target : sqrtPriceAfterOutput(sqrtPrice, liquidity, remaining, zeroForOne);
  const amountIn = inputTo(next);
  const amountOut = outputTo(next);
  return {
    sqrtPrice: next,
    amountIn,
    amountOut: amountOut > remaining ? remaining : amountOut,
    feeAmount: mulDivRoundingUp(amountIn, feePpm, PPM - feePpm),
  };
}
