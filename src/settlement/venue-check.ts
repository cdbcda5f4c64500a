import type { Fill } from "../domain/route.ts";
import type { VenueAction } from "../domain/venue-action.ts";
import type { ByteReader } from "./byte-reader.ts";
import { type Expectation, type GivenVenue, same } from "./expectation.ts";

/** A venue that is held against its fill. */
export interface VenueCheck<A extends VenueAction = VenueAction> {
  readonly expected: Expectation;
  /** Rest of the payload after the fill. */
  readonly payload: ByteReader;
  readonly fill: Fill;
  readonly given: GivenVenue;
  /** Action of the fill, if known. */
  readonly action: A | undefined;
  /** Names the fill in errors. */
  readonly where: string;
}

/** Bytes of a fill, and of each entry that says more of one. */
const ENTRY_BYTES = 30;

/** Reads the zeros up to the next whole entry; answers how many entries `used` bytes and they are. */
export function restOf({ payload, where }: VenueCheck, used: number): bigint {
  const entries = Math.ceil(used / ENTRY_BYTES);
  same(`${where} bytes after the venue`, payload.uint(entries * ENTRY_BYTES - used), 0n);
  return BigInt(entries);
}
