import { divRoundingUp, MAX_UINT256, mulDivRoundingUp, Q96 } from "./full-math.ts";

/** Amounts and prices of a stretch of constant liquidity, rounded as Uniswap V3's SqrtPriceMath.sol rounds them. */

/** Token 0 between two square root prices: liquidity × (1/√lower − 1/√upper). */
export function amount0Delta(a: bigint, b: bigint, liquidity: bigint, roundUp: boolean): bigint {
  const lower = a < b ? a : b;
  const upper = a < b ? b : a;
  const numerator = (liquidity << 96n) * (upper - lower);
  return roundUp ? divRoundingUp(divRoundingUp(numerator, upper), lower) : numerator / upper / lower;
}

/** Token 1 between two square root prices: liquidity × (√upper − √lower). */
export function amount1Delta(a: bigint, b: bigint, liquidity: bigint, roundUp: boolean): bigint {
  const numerator = liquidity * (a < b ? b - a : a - b);
  return roundUp ? divRoundingUp(numerator, Q96) : numerator / Q96;
}

/** Square root price after `amountIn` (fee taken off) has gone in. `liquidity` is above zero. */
export function sqrtPriceAfterInput(
  sqrtPrice: bigint,
  liquidity: bigint,
  amountIn: bigint,
  zeroForOne: boolean,
): bigint {
  if (!zeroForOne) return sqrtPrice + (amountIn * Q96) / liquidity;
  if (amountIn === 0n) return sqrtPrice;
  const scaled = liquidity << 96n;
  const product = amountIn * sqrtPrice;
  // The contract falls back to a coarser formula where its 256 bits overflow, and so must we.
  if (product <= MAX_UINT256 && scaled + product <= MAX_UINT256) {
    return mulDivRoundingUp(scaled, sqrtPrice, scaled + product);
  }
  return divRoundingUp(scaled, scaled / sqrtPrice + amountIn);
}

/** Square root price after `amountOut` has gone out. The stretch holds more than `amountOut`. */
export function sqrtPriceAfterOutput(
  sqrtPrice: bigint,
  liquidity: bigint,
  amountOut: bigint,
  zeroForOne: boolean,
): bigint {
  if (zeroForOne) return sqrtPrice - mulDivRoundingUp(amountOut, Q96, liquidity);
  const scaled = liquidity << 96n;
  return mulDivRoundingUp(scaled, sqrtPrice, scaled - amountOut * sqrtPrice);
}
