import { maxUint256 } from "viem";
import type { Address } from "../../domain/address.ts";
import { bundled } from "../contracts/bundle.ts";
import { callWith, type Transaction } from "../node/node-transactions.ts";
import type { FeeTier } from "../plan/catalog.ts";
import type { DevnetLayout } from "../plan/layout.ts";
import { type PositionShape, unitsWorth } from "../plan/liquidity.ts";
import type { PlannedPool } from "../plan/planned-pools.ts";

/** A planned pool, and the fee by which it is one of Uniswap V3. */
interface FeePool {
  readonly pool: PlannedPool;
  readonly fee: FeeTier;
}

/** Gives `percent` of the pool's value to these ticks of a Uniswap V3 pool, as a position of the owner's. */
export function mintPosition(
  { contracts: { positionManager } }: DevnetLayout,
  owner: Address,
  { pool: { token0, token1, sideUsd }, fee }: FeePool,
  { tickLower, tickUpper, percent }: PositionShape,
): Transaction {
  const usd = (sideUsd * percent) / 100n;
  return callWith(bundled("NonfungiblePositionManager").abi)("mint", positionManager, [
    {
      token0: token0.address,
      token1: token1.address,
      fee,
      tickLower,
      tickUpper,
      amount0Desired: unitsWorth(token0, usd),
      amount1Desired: unitsWorth(token1, usd),
      amount0Min: 0n,
      amount1Min: 0n,
      recipient: owner,
      deadline: maxUint256,
    },
  ]);
}
