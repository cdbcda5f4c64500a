import type { ListedVenue, VenueRecord } from "../market/venue-record.ts";
import type { ActionCodec } from "../settlement/action-codec.ts";

/** Documentation of one kind of source. */
export interface VenueAbout {
  readonly pools: string;
  /** State of a pool that moves without a log of its own, and is read again for every block. */
  readonly rereads: string;
  /** Compiled contracts (contracts/) that our numbers are compared with: all that has a part in an amount. */
  readonly contracts: readonly string[];
  /** Owner of the contracts, in words. */
  readonly truth: string;
  readonly tests: readonly string[];
}

/** A kind of venues that settlement can trade at. */
export interface TradedVenue {
  readonly codec: ActionCodec;
}

/** All that is known of one kind of venues: how records list it, its source, its bytes, and what the documentation says. */
export interface Venue<R extends VenueRecord = VenueRecord> extends ListedVenue<R>, TradedVenue {
  readonly about: VenueAbout;
}
