import type { Hex } from "../domain/address.ts";
import type { Pool } from "../pools/pool.ts";
import type { PoolFilter, RouteQuery } from "../quoting/search/route-search.ts";
import type { RouteResult } from "../routing/router.ts";

/** Message to a search thread. */
export type ToThread =
  | { readonly kind: "feed"; readonly bytes: Uint8Array }
  | { readonly kind: "search"; readonly search: SearchMessage }
  /** Nobody waits for that search any more. */
  | { readonly kind: "cancel"; readonly id: number };

/** A query with the state that it is for, by its name: the thread has the state from the feed. */
export interface SearchMessage extends Omit<RouteQuery, "snapshot" | "pools"> {
  readonly id: number;
  /** Number of the feed's state, and hash of its block: another block is never answered for. */
  readonly sequence: number;
  readonly blockHash: Hex;
  /** Absent rules are those of the state. */
  readonly pools: Omit<PoolFilter, "off" | "keptOut"> & Partial<Pick<PoolFilter, "off" | "keptOut">>;
  /** Makers' offers that are laid over the graph; absent: none. */
  readonly offers?: OffersMessage;
  /** Milliseconds since the epoch. */
  readonly deadlineMs?: number;
}

/** Offers by a number of theirs; `pools` where the thread has not been told them yet. */
export interface OffersMessage {
  readonly number: number;
  readonly pools?: readonly Pool[];
}

/** Message from a search thread. */
export type FromThread =
  /** It can be asked. */
  { readonly kind: "ready" } | { readonly kind: "done"; readonly id: number; readonly outcome: SearchOutcome };

/** Outcome of a search. */
export type SearchOutcome =
  | {
      readonly kind: "answered";
      readonly result: RouteResult;
      /** Evaluations of one pool that it took, and milliseconds of the thread. */
      readonly steps: number;
      readonly ms: number;
    }
  /** The thread does not have the state any more. */
  | { readonly kind: "unknownState" }
  /** The search threw: a defect of ours. */
  | { readonly kind: "threw"; readonly error: unknown };
