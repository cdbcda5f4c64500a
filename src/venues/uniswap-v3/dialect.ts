import { toEventSelector } from "viem";
import type { Hex } from "../../domain/address.ts";
import type { FamilyTold } from "./sync.ts";

/** In what pools with Uniswap V3's curve and reading functions differ from each other. */
export interface Dialect {
  /** First topic of the pool's Swap event. Price, liquidity and tick are its words 2, 3 and 4 in every dialect. */
  readonly swapTopic: Hex;
  /** Fees in parts per million that the factory has had from its beginning or that most of its pools have. */
  readonly fees: readonly bigint[];
  /** First topic of the event by which a pool's fee changes, whose words are the fee before and after. Absent: fees are fixed. */
  readonly feeTopic?: Hex;
  /** Absent: Uniswap's own. */
  readonly family?: FamilyTold & {
    /** First topic of the event by which it becomes another one, which has the answer for data. */
    readonly topic: Hex;
  };
  /** Name of the action that its pools are traded by: each brand's callback has another name. */
  readonly action: string;
}

/** UniswapV3Pool.sol as it is, SushiSwap's among others. */
export const UNISWAP: Dialect = {
  swapTopic: toEventSelector("Swap(address,address,int256,int256,uint160,uint128,int24)"),
  fees: [100n, 500n, 3_000n, 10_000n],
  action: "v3-pool",
};
