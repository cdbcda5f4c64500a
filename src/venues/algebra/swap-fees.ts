import type { Address, Hex } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { ConcentratedState } from "../../pools/concentrated/state.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressOf } from "../reading/address-as-id.ts";
import { callGroups } from "../reading/call-groups.ts";
import { uintAt } from "../reading/words.ts";
import type { ChainAt } from "../uniswap-v3/heads.ts";
import { GLOBAL_STATE } from "./sync.ts";

/** Way to ask pools for the fee of a swap in a block, which nothing else of their contracts tells. */
export interface FeeTold {
  /** The call that has the venue's quoter try the smallest swap. */
  tried(sold: Address, bought: Address): Call;
  /** The word of its answer that is the fee. */
  readonly feeWord: number;
  /** The words of this answer of `globalState()` that are the fees of the last swap's block: token 0 in, token 1 in. */
  storedWords(stored: Hex): readonly [number, number];
}

/**
 * Returns the pools with the fees that a swap in block `at` pays, each way. A pool works its fee out of past prices in
 * the first swap of a block, so that its quoter tries one. Where no liquidity is active it may answer nothing: then the
 * fee stays the last one. Pools whose fee cannot be told are left out.
 */
export async function withSwapFees(told: FeeTold, { chain, at }: ChainAt, pools: readonly Pool[]): Promise<Pool[]> {
  const calls = pools.map((pool): readonly Call[] => {
    const [token0, token1] = pool.tokens as readonly [Address, Address];
    const tried = [told.tried(token0, token1), told.tried(token1, token0)];
    return [{ to: addressOf(pool), data: GLOBAL_STATE }, ...tried];
  });
  const answers = await callGroups(chain, calls, at);
  return pools.flatMap((pool, index): Pool[] => {
    if (pool.curve !== "concentrated") return [];
    const [stored = "0x", ...tried] = answers[index] ?? [];
    const [fee0, fee1] = told.storedWords(stored).map((word, way) => {
      const now = uintAt(tried[way] ?? "0x", told.feeWord, 16);
      return now ?? (pool.state.liquidity === 0n ? uintAt(stored, word, 16) : undefined);
    });
    return fee0 === undefined || fee1 === undefined ? [] : [withFees(pool, Number(fee0), Number(fee1))];
  });
}

/** The pool with such fees, the same object where it has them already. */
function withFees(pool: Extract<Pool, { curve: "concentrated" }>, feePpm: number, ofToken1: number): Pool {
  const state = feesSet(pool.state, feePpm, ofToken1);
  return state === pool.state ? pool : { ...pool, state };
}

/** The state with such fees, parts per million where token 0 goes in and where token 1 does. */
export function feesSet(state: ConcentratedState, feePpm: number, ofToken1: number): ConcentratedState {
  const { feeOfToken1Ppm, ...rest } = state;
  if (state.feePpm === feePpm && (feeOfToken1Ppm ?? feePpm) === ofToken1) return state;
  return { ...rest, feePpm, ...(ofToken1 !== feePpm && { feeOfToken1Ppm: ofToken1 }) };
}
