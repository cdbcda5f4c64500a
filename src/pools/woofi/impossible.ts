import { MAX_UINT128 } from "../../math/full-math.ts";
import { areAbove, unless } from "../curve/faults.ts";
import type { WooBase, WooState } from "./state.ts";
import { FEE_ONE } from "./trade.ts";

/** Units of more decimals do not fit the contract's own. */
const MAX_UNIT = 10n ** 19n;
const MAX_UINT64 = (1n << 64n) - 1n;

/** Why no pool can be in such a state; undefined where one can. */
export function impossibleWoo({ quoteUnit, priceUnit, reserves, bases }: WooState): string | undefined {
  if (bases.length === 0 || reserves.length !== bases.length + 1)
    return "bases: none, or another number than of reserves";
  const units = [quoteUnit, priceUnit, ...bases.map(({ unit }) => unit)];
  if (!areAbove(0n, units) || units.some((unit) => unit > MAX_UNIT)) return "units of no token";
  return unless(bases.every(isOfPool), "bases: numbers that its contracts do not hold");
}

function isOfPool({ price, spread, coeff, feeRate, maxGamma, maxNotional }: WooBase): boolean {
  const isNarrow = spread <= MAX_UINT64 && coeff <= MAX_UINT64 && feeRate < FEE_ONE;
  return isNarrow && [price, maxGamma, maxNotional].every((each) => each <= MAX_UINT128);
}
