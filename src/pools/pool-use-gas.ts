import type { Fill } from "../domain/route.ts";
import { curveOf, type Pool } from "./pool.ts";
import type { Direction } from "./pool-math.ts";

/** Gas of a pool use that uses `gas` at a pool new to the transaction; `isFurther`: at a pool that it has met. */
export function gasOfUse(
  pool: Pool,
  direction: Direction,
  gas: bigint,
  isFurther: boolean,
): { readonly gas: bigint; readonly givenBack?: bigint; readonly passesOn?: true } {
  const { savedAgain, givenBack: given = 0n, passesOn: passes = false } = curveOf(pool).gas;
  const sold = direction.sell === 0 ? 0 : 1;
  const givenBack = typeof given === "bigint" ? given : given[sold];
  const passesOn = typeof passes === "boolean" ? passes : passes[sold];
  return {
    gas: isFurther ? gas - (savedAgain?.(gas, pool.state) ?? 0n) : gas,
    ...(givenBack > 0n && { givenBack }),
    ...(passesOn && { passesOn: true }),
  };
}

/**
 * The most gas that a use of a pool needs, where nothing of it has ever been written: before anything is given back, and
 * with what time alone may add until the transaction is mined. test/promise/cold-gas.test.ts sends transactions with it.
 */
export function mostGasOfUse(pool: Pool, fill: Pick<Fill, "gas" | "givenBack">, isFurther: boolean): bigint {
  const { gas, givenBack = 0n } = fill;
  return curveOf(pool).gas.most({ gas, givenBack, isFurther, tokens: BigInt(pool.tokens.length) }, pool.state);
}

/** Further gas of a pool use at a later time, unix seconds, compared with an earlier one. */
export function gasComingDue(pool: Pool, from: bigint, until: bigint): bigint {
  return curveOf(pool).gas.comingDue?.(pool.state, from, until) ?? 0n;
}
