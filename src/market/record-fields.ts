import { z } from "zod";
import { isAddressText, toAddress } from "../domain/address.ts";

/** An address in a record file, in any letter case. */
export const address = z
  .string()
  .refine(isAddressText, { error: "must be an address: 0x and 40 hex digits" })
  .transform((text) => toAddress(text));

/** A whole number of a record file from zero up, as a bigint. */
export const wholeBigInt = z.int().nonnegative().transform(BigInt);

/** What the record of every venue says beside its protocol. */
export const RECORD_FIELDS = {
  /** The source's name in the API. */
  source: z.string().regex(/^\w+$/),
  /** Where the search for its pools begins: the block of the factory's deployment. */
  fromBlock: wholeBigInt,
};
