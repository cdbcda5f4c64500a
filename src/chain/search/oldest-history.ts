import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import { isPruned } from "../rpc/provider-errors.ts";
import { announcementsOf } from "./discovery.ts";

/**
 * The first block from `from` on whose logs the node still keeps, found by halving; undefined where it keeps none up to `to`.
 * @throws what the node failed with otherwise
 */
export async function oldestBlockServed(
  reader: Pick<ChainReader, "logs">,
  sources: readonly LiquiditySource[],
  range: { readonly from: bigint; readonly to: bigint },
  headerOf: (blockNumber: bigint) => Promise<BlockRef>,
): Promise<bigint | undefined> {
  const filter = announcementsOf(sources);

  async function isKept(height: bigint): Promise<boolean> {
    try {
      await reader.logs({ ...filter, fromBlock: height, to: await headerOf(height) });
      return true;
    } catch (error) {
      if (!isPruned(error)) throw error;
      return false;
    }
  }

  if (await isKept(range.from)) return range.from;
  if (!(await isKept(range.to))) return undefined;
  let [pruned, kept] = [range.from, range.to];
  while (kept - pruned > 1n) {
    const middle = (pruned + kept) / 2n;
    if (await isKept(middle)) kept = middle;
    else pruned = middle;
  }
  return kept;
}
