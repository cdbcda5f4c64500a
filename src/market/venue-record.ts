import type { z } from "zod";
import type { SourceId } from "../domain/source.ts";
import type { LiquiditySource } from "./liquidity-source.ts";

/** One deployment of an exchange on a chain, as data. Its other fields belong to the venue that `protocol` names. */
export interface VenueRecord {
  readonly protocol: string;
  readonly source: SourceId;
  /** Where the search for its pools begins. */
  readonly fromBlock: bigint;
}

/** A kind of venues as chain records list them: what such a record says, and the source that it makes. */
export interface ListedVenue<R extends VenueRecord = VenueRecord> {
  readonly protocol: R["protocol"];
  /** Of the record as it stands in a file. */
  readonly record: z.ZodType<R> & z.core.$ZodTypeDiscriminable;
  /** @throws RangeError when the record cannot be served */
  source(record: R): LiquiditySource;
}
