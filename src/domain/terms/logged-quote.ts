import type { Address, Hex } from "../address.ts";
import type { BlockRef } from "../block.ts";
import type { PoolId } from "../route.ts";
import type { SourceId } from "../source.ts";
import type { SwapFee } from "./swap-fee.ts";

/** A quote that was given out, with all that it takes to run its transaction again. Amounts are base units. */
export interface LoggedQuote {
  /** May be the caller's own: several quotes can have the same. */
  readonly requestId: string;
  /** When it was given out, milliseconds since the epoch. */
  readonly at: number;
  readonly chainId: number;
  readonly block: BlockRef;
  readonly taker: Address | undefined;
  readonly transaction: { readonly to: Address; readonly data: Hex; readonly value: bigint };
  /** keccak256 of the transaction's data. */
  readonly calldataHash: Hex;
  readonly allowanceTarget: Address;
  readonly terms: {
    readonly sellToken: Address;
    readonly buyToken: Address;
    readonly maxSellAmount: bigint;
    readonly minBuyAmount: bigint;
    readonly recipient: Address;
    /** Unix seconds. */
    readonly deadline: bigint;
    readonly fee: SwapFee | undefined;
  };
  /** Amounts promised at that block. */
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
  readonly route: readonly {
    readonly from: Address;
    readonly to: Address;
    readonly source: SourceId;
    readonly pool: PoolId;
    readonly sellAmount: bigint;
    readonly buyAmount: bigint;
  }[];
  /** The makers' firm orders that it was made with, as `orders[].fillData` shows them. */
  readonly makerOrders: readonly Readonly<Record<string, string>>[];
}
