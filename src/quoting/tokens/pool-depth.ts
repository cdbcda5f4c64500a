import { curveOf, mathOf, type Pool } from "../../pools/pool.ts";
import { type Direction, NARROW } from "../../pools/pool-math.ts";

/** No balance is larger than this in practice; a float curve without an end answers more. */
const MAX_DEPTH = 2 ** 128;

/**
 * Amount of each of its tokens, in base units, that moves a pool's price by 2 %: in the direction that takes
 * most. By floating-point curves. A wrapper of the native token has no depth: its price never moves.
 */
export function depthsOf(pool: Pool, time: bigint): readonly bigint[] {
  if (curveOf(pool).oneToOneGas !== undefined) return pool.tokens.map(() => 0n);
  return pool.tokens.map((_, sell) => {
    let most = 0;
    for (const buy of pool.tokens.keys()) if (buy !== sell) most = Math.max(most, widthOf(pool, { sell, buy }, time));
    return BigInt(Math.floor(most));
  });
}

function widthOf(pool: Pool, direction: Direction, time: bigint): number {
  const math = mathOf(pool);
  const width = math.outline?.(pool.state, direction)?.width ?? widthOfCurve(math.curve(pool.state, direction, time));
  return width > 0 && Number.isFinite(width) ? Math.min(width, MAX_DEPTH) : 0;
}

function widthOfCurve(curve: ReturnType<ReturnType<typeof mathOf>["curve"]>): number {
  const rate = curve?.marginalRate(0) ?? 0;
  return curve !== undefined && rate > 0 ? curve.sellAmountAtRate(rate * NARROW) : 0;
}
