import type { Hex } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import type { Call, ChainReader } from "../market/chain-reader.ts";

/** Calls that are asked for at a time, so that no pool with many ticks makes a request that a node refuses. */
const CALLS_AT_A_TIME = 2_000;

/** `chain.calls` in bounded batches, one after another; answers in the order of `calls`. */
export async function callInBatches(
  chain: ChainReader,
  calls: readonly Call[],
  at: BlockRef,
): Promise<readonly (Hex | undefined)[]> {
  const answers: (Hex | undefined)[] = [];
  for (let start = 0; start < calls.length; start += CALLS_AT_A_TIME) {
    answers.push(...(await chain.calls(calls.slice(start, start + CALLS_AT_A_TIME), at)));
  }
  return answers;
}
