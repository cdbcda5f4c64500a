import { z } from "zod";
import { isAddressText, NATIVE_TOKEN, toAddress, ZERO_ADDRESS } from "../domain/address.ts";
import { MAX_UINT128 } from "../math/full-math.ts";

const WHOLE = /^(0|[1-9][0-9]{0,77})$/;

/** A whole number from `least` to `most` as a decimal string: no sign, no exponent, no leading zeros. */
export function decimal(least: bigint, most: bigint) {
  return z
    .string()
    .refine((text) => WHOLE.test(text) && BigInt(text) >= least && BigInt(text) <= most, {
      error: `must be a whole number from ${least} to ${most} as a decimal string`,
    })
    .transform(BigInt);
}

/** An amount of tokens in base units, above zero. */
export const amountText = decimal(1n, MAX_UINT128);

/** An address in any letter case. */
export const addressText = z
  .string()
  .refine(isAddressText, { error: "must be an address: 0x and 40 hex digits" })
  .transform(toAddress);

/** A token that orders can move: the native one is traded in its wrapped form. */
export const tokenText = addressText.refine((address) => address !== NATIVE_TOKEN && address !== ZERO_ADDRESS, {
  error: "must be the address of an ERC-20 token; the native token is traded in its wrapped form",
});
