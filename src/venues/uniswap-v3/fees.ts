import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressOf } from "../reading/address-as-id.ts";
import { callGroups } from "../reading/call-groups.ts";
import { uintAt } from "../reading/words.ts";

/**
 * Returns the pools with their fees at `at`, read by the first of `getters` that a pool answers; those whose fee
 * cannot be read are left out.
 */
export async function withFees(
  chain: ChainReader,
  pools: readonly Pool[],
  at: BlockRef,
  getters: readonly Hex[],
): Promise<readonly Pool[]> {
  const calls = pools.map((pool) => getters.map((data): Call => ({ to: addressOf(pool), data })));
  const answers = await callGroups(chain, calls, at);
  return pools.flatMap((pool, index): Pool[] => {
    const answer = answers[index]?.find((each) => each !== undefined);
    const fee = answer === undefined ? undefined : uintAt(answer, 0, 24);
    if (pool.curve !== "concentrated" || fee === undefined || fee >= 1_000_000n) return [];
    const feePpm = Number(fee);
    return [pool.state.feePpm === feePpm ? pool : { ...pool, state: { ...pool.state, feePpm } }];
  });
}
