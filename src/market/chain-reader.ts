import type { Address, Hex } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";

/** A log that belongs to a block by hash. */
export interface Log {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockHash: Hex;
  readonly blockNumber: bigint;
  readonly logIndex: number;
}

/** One call of a contract's view function. */
export interface Call {
  readonly to: Address;
  readonly data: Hex;
  /**
   * Whether anybody may have made what is called: it could trade while it answers, and what is read behind it in the same
   * request would be of another state. It goes in requests of its own kind.
   */
  readonly isForeignCall?: true;
}

/** Chain access of the sources. Every read is of one named block, or of a range that ends in one. */
export interface ChainReader {
  /**
   * Answers of `calls` at block `at`, in order; undefined where the call reverted or there is no contract. `deadlineMs`:
   * when nobody waits for them any more, milliseconds since 1970.
   */
  calls(
    calls: readonly Call[],
    at: BlockRef,
    limits?: { readonly deadlineMs?: number | undefined },
  ): Promise<readonly (Hex | undefined)[]>;
  /**
   * Runs creation code at block `at`: the bytes that it returns, or undefined where it reverts or takes more gas than the node
   * gives, or where the node runs no creation code. Absent: there is no such node.
   */
  run?(code: Hex, at: BlockRef): Promise<Hex | undefined>;
  /** Logs of blocks `fromBlock` to `to`, ascending. Splits ranges as the node demands. */
  logs(filter: {
    readonly addresses?: readonly Address[];
    readonly topics: readonly Hex[];
    readonly fromBlock: bigint;
    readonly to: BlockRef;
  }): Promise<readonly Log[]>;
}
