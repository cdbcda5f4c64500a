import { divRoundingUp, MAX_UINT256 } from "../../math/full-math.ts";
import { squareRoot } from "../../math/square-root.ts";
import type { PriceRange } from "./program.ts";

const ONE = 10n ** 18n;

/** Reserves that a constant product trades on: what it takes and what it pays. */
export interface Reserves {
  readonly sold: bigint;
  readonly bought: bigint;
}

/**
 * Reserves with the virtual ones of a price range (1inch/swap-vm, XYCConcentrate.sol): what is sold is raised rounding up, what
 * is bought rounding down. Undefined where the router's numbers overflow.
 */
export function reservesInRange(
  [first, second]: readonly [bigint, bigint],
  range: PriceRange,
  sell: number,
): Reserves | undefined {
  const liquidity = liquidityOf(first, second, range);
  if (liquidity === undefined) return undefined;
  const { sqrtMin, sqrtMax } = range;
  const [byMax, byMin] = [liquidity * ONE, liquidity * sqrtMin];
  const raised = sell === 0 ? byMax : byMin;
  if (raised > MAX_UINT256) return undefined;
  const [sold, bought] =
    sell === 0
      ? [first + divRoundingUp(byMax, sqrtMax), second + byMin / ONE]
      : [second + divRoundingUp(byMin, ONE), first + byMax / sqrtMax];
  return sold > MAX_UINT256 || bought > MAX_UINT256 ? undefined : { sold, bought };
}

/**
 * Liquidity L of a range that holds x of token 0 and y of token 1: the positive root of
 * (1 - min / max) L^2 - (x min + y / max) L - x y = 0, by the router's own roundings. Undefined where they overflow.
 */
function liquidityOf(x: bigint, y: bigint, { sqrtMin, sqrtMax }: PriceRange): bigint | undefined {
  const width = ONE - (sqrtMin * ONE) / sqrtMax;
  const held = (x * sqrtMin) / ONE + (y * ONE) / sqrtMax;
  const product = ((4n * width * x) / ONE) * y;
  const square = held * held + product;
  if (square > MAX_UINT256) return undefined;
  const liquidity = ((held + squareRoot(square)) * ONE) / (2n * width);
  return liquidity > MAX_UINT256 ? undefined : liquidity;
}
