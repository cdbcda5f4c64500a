import { z } from "zod";
import { isAddressText, toAddress } from "../domain/address.ts";
import type { SourceId } from "../domain/source.ts";
import type { LiquiditySource } from "./liquidity-source.ts";

/** One deployment of an exchange on a chain, as data. Its other fields belong to the venue that `protocol` names. */
export interface VenueRecord {
  readonly protocol: string;
  readonly source: SourceId;
  /** First block of the search for its pools. */
  readonly fromBlock: bigint;
}

/** A kind of venues as chain records list them: what such a record says, and the source that it makes. */
export interface ListedVenue<R extends VenueRecord = VenueRecord> {
  readonly protocol: R["protocol"];
  /** Schema of the record in a chain file. */
  readonly record: z.ZodType<R> & z.core.$ZodTypeDiscriminable;
  /** @throws RangeError when the record cannot be served */
  source(record: R): LiquiditySource;
}

/** An address in a record file, in any letter case. */
export const address = z
  .string()
  .refine(isAddressText, { error: "must be an address: 0x and 40 hex digits" })
  .transform((text) => toAddress(text));

/** A whole number of a record file from zero up, as a bigint. */
export const wholeBigInt = z.int().nonnegative().transform(BigInt);

/** Fields that every venue's record has beside `protocol`. */
export const RECORD_FIELDS = {
  /** The source's name in the API. */
  source: z.string().regex(/^\w+$/),
  /** First block of the search for its pools: the factory's deployment. */
  fromBlock: wholeBigInt,
};
