import { toFunctionSelector } from "viem";
import { type Address, ZERO_ADDRESS } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressAt, uintAt } from "../reading/words.ts";

const SWAP_FEE_MODULE = toFunctionSelector("swapFeeModule()");
const SECONDS_AGO = toFunctionSelector("secondsAgo()");

/** Over how many seconds a factory's module averages past prices for fees; undefined where there is none that does. */
export async function feeSecondsOf(factory: Address, chain: ChainReader, at: BlockRef): Promise<number | undefined> {
  const [named = "0x"] = await chain.calls([{ to: factory, data: SWAP_FEE_MODULE }], at);
  const module = addressAt(named, 0);
  if (module === undefined || module === ZERO_ADDRESS) return undefined;
  const [answer = "0x"] = await chain.calls([{ to: module, data: SECONDS_AGO }], at);
  const seconds = uintAt(answer, 0, 32);
  return seconds === undefined || seconds === 0n ? undefined : Number(seconds);
}

/** A pool with that, the same object where nothing changes: pools that are not Slipstream's own ask no module. */
export function withFeeSeconds(pool: Pool, seconds: number | undefined): Pool {
  if (pool.curve !== "concentrated" || pool.state.family !== "slipstream") return pool;
  const { feeSeconds, ...state } = pool.state;
  if (feeSeconds === seconds) return pool;
  return { ...pool, state: { ...state, ...(seconds !== undefined && { feeSeconds: seconds }) } };
}
