import { toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { type FeeTold, withSwapFees } from "../algebra/swap-fees.ts";
import { headCalls } from "../algebra/sync.ts";
import { callGroups } from "../reading/call-groups.ts";
import { inSlices } from "../reading/slices.ts";
import { addressAt, tickAt, uintAt, wordOf } from "../reading/words.ts";
import type { ChainAt, Head } from "../uniswap-v3/heads.ts";
import { withBitmapTicks } from "../uniswap-v3/sync.ts";
import type { AlgebraV1Record } from "./record.ts";

const TICK_TABLE = toFunctionSelector("tickTable(int16)");
const TRY_EXACT_IN = toFunctionSelector("quoteExactInputSingle(address,address,uint256,uint160)");

/**
 * Layout of pools' ticks and fees, by the words of their `globalState()` (PoolState.sol). Version 1 has one fee and a
 * table of every 60th tick; the directional one, v1.9, has two fees and a table of all ticks, since its tick spacing
 * may change.
 */
const VERSIONS: Readonly<
  Record<number, { readonly feeWords: readonly [number, number]; readonly tickSpacing: number }>
> = {
  7: { feeWords: [2, 2], tickSpacing: 60 },
  8: { feeWords: [2, 3], tickSpacing: 1 },
};

/**
 * Price, liquidity, fees and all ticks at block `at`, of pools only that the factory itself names for their tokens. A
 * pool that does not add up, or whose fee cannot be told, is left out.
 */
export async function syncPools(
  venue: AlgebraV1Record,
  reading: ChainAt,
  refs: readonly PoolRef[],
): Promise<readonly Pool[]> {
  const heads = await inSlices(refs, (slice) => readHeads(venue.factory, reading, slice));
  const pools = await withBitmapTicks(venue.source, reading, heads, TICK_TABLE);
  return withFeesOfBlock(venue, reading, pools);
}

/** Returns the pools with the fees that a swap in the block pays. */
export function withFeesOfBlock(
  { quoter }: AlgebraV1Record,
  reading: ChainAt,
  pools: readonly Pool[],
): Promise<readonly Pool[]> {
  const told: FeeTold = {
    tried: (sold, bought) => ({
      to: quoter,
      data: `${TRY_EXACT_IN}${[BigInt(sold), BigInt(bought), 1n, 0n].map(wordOf).join("")}`,
    }),
    feeWord: 1,
    storedWords: (stored) => versionOf(stored)?.feeWords ?? [2, 2],
  };
  return inSlices(pools, (slice) => withSwapFees(told, reading, slice));
}

async function readHeads(factory: Address, { chain, at }: ChainAt, refs: readonly PoolRef[]): Promise<readonly Head[]> {
  const answers = await callGroups(chain, headCalls(factory, refs), at);
  return refs.flatMap((ref, index): Head[] => {
    const [named, global = "0x", active = "0x"] = answers[index] ?? [];
    const version = versionOf(global);
    if (!named || version === undefined || addressAt(named, 0) !== ref.address) return [];
    const sqrtPriceX96 = uintAt(global, 0, 160);
    const tick = tickAt(global, 1);
    const liquidity = uintAt(active, 0, 128);
    if (sqrtPriceX96 === undefined || tick === undefined || liquidity === undefined) return [];
    // The fee is told once all of the pool is known.
    const terms = { feePpm: 0, tickSpacing: version.tickSpacing, family: "algebra-v1" } as const;
    return [{ ref, state: { sqrtPriceX96, tick, liquidity, ...terms, ticks: [] } }];
  });
}

function versionOf(globalState: Hex) {
  return VERSIONS[(globalState.length - 2) / 64];
}
