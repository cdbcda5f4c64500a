import type { Hex } from "./address.ts";

/** A block by number and hash: every state and every answer belongs to exactly one. */
export interface BlockRef {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
}
