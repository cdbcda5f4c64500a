import type { BlockRef } from "../../domain/block.ts";
import type { ChainRecord } from "../chains/chain-record.ts";

/**
 * Whether a node's head is below a block that is known because the node is behind, or the chain stands still there. Where the
 * chain was taken back and goes on, what has come instead is younger. Blocks that come when they please are not waited for.
 */
export function lags(head: BlockRef, known: BlockRef, { blockTimeMs }: Pick<ChainRecord, "blockTimeMs">): boolean {
  return blockTimeMs > 0 && head.number < known.number && head.timestamp <= known.timestamp;
}
