import { toEventSelector, toFunctionSelector } from "viem";
import { type Hex, ZERO_ADDRESS } from "../../domain/address.ts";
import type { VenueAction } from "../../domain/venue-action.ts";
import { addressAt } from "../reading/words.ts";
import type { FamilyTold } from "./sync.ts";

/** In what pools with Uniswap V3's curve and reading functions differ from each other. */
export interface Dialect {
  /** First topic of the pool's Swap event. Price, liquidity and tick are its words 2, 3 and 4 in every dialect. */
  readonly swapTopic: Hex;
  /** Fees in parts per million that the factory has had from its beginning or that most of its pools have. */
  readonly fees: readonly bigint[];
  /** Absent: Uniswap's own. */
  readonly family?: FamilyTold & {
    /** First topic of the event by which it becomes another one, which has the answer for data. */
    readonly topic: Hex;
  };
  /** Which callback the pool asks for its payment in. */
  readonly action: Extract<VenueAction["action"], "v3-pool" | "pancake-v3-pool">;
}

/** UniswapV3Pool.sol as it is, SushiSwap's among others. */
export const UNISWAP: Dialect = {
  swapTopic: toEventSelector("Swap(address,address,int256,int256,uint160,uint128,int24)"),
  fees: [100n, 500n, 3_000n, 10_000n],
  action: "v3-pool",
};

/**
 * PancakeV3Pool.sol: the event tells the protocol's fees as well, and the callback has a name of its own. A pool may have
 * an `lmPool`, which is told of time and crossed ticks for the farming of positions and cannot change a swap's amounts.
 */
export const PANCAKESWAP: Dialect = {
  swapTopic: toEventSelector("Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)"),
  fees: [100n, 500n, 2_500n, 10_000n],
  family: {
    ask: toFunctionSelector("lmPool()"),
    topic: toEventSelector("SetLmPoolEvent(address)"),
    familyBy: (answer) =>
      (addressAt(answer ?? "0x", 0) ?? ZERO_ADDRESS) === ZERO_ADDRESS ? "pancakeswap" : "pancakeswap-farm",
  },
  action: "pancake-v3-pool",
};
