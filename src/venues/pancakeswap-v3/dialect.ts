import { toEventSelector, toFunctionSelector } from "viem";
import { ZERO_ADDRESS } from "../../domain/address.ts";
import { addressAt } from "../reading/words.ts";
import type { Dialect } from "../uniswap-v3/dialect.ts";

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
