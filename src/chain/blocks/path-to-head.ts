import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { PoolTracker } from "../pools/pool-tracker.ts";
import type { Header } from "../rpc/codec.ts";
import { MalformedAnswerError } from "../rpc/provider-errors.ts";
import type { Blocks } from "./blocks.ts";

/** The state cannot be reached from what is held: it is read from the beginning. */
export class ResyncNeeded extends Error {
  override readonly name = "ResyncNeeded";
}

const HEADERS_AT_A_TIME = 16;

/**
 * The blocks from the newest that is held, exclusive, to `head`, linked by their hashes.
 * @throws ResyncNeeded when they do not lead to a block that is held, MalformedAnswerError when time goes back on the way.
 */
export async function pathTo(
  blocks: Blocks,
  pools: Pick<PoolTracker, "has" | "tip" | "oldest">,
  head: Header,
  ringSize: number,
): Promise<readonly Header[]> {
  const path: Header[] = [];
  const ahead = new Map<Hex, Header>();
  for (let header = head; !pools.has(header.hash); ) {
    path.push(header);
    if (header.number <= pools.oldest.number || path.length > ringSize) {
      const reorganized = header.number <= pools.tip.number;
      throw new ResyncNeeded(
        reorganized ? "a reorganization went deeper than can be taken back" : "it had fallen too far behind",
      );
    }
    // The next block, as a rule: its parent need not be asked for.
    if (header.parentHash === pools.tip.hash && header.number === pools.tip.number + 1n) {
      checkTime(pools.tip, header);
      break;
    }
    if (path.length > 1 && !ahead.has(header.parentHash)) await readBelow(blocks, header, ahead);
    const parent = ahead.get(header.parentHash) ?? (await blocks.byHash(header.parentHash));
    if (parent.number !== header.number - 1n) throw new ResyncNeeded("the node named a parent of another height");
    checkTime(parent, header);
    header = parent;
  }
  return path.reverse();
}

/** @throws MalformedAnswerError when time goes back from a block to the next */
function checkTime(parent: Header, { timestamp }: Header): void {
  if (parent.timestamp > timestamp) throw new MalformedAnswerError("block.timestamp: before its parent's");
}

/** Reads what is likely to be the next blocks on the way down, all at once; the hashes tell whether they are. */
async function readBelow(blocks: Blocks, header: Header, into: Map<Hex, Header>): Promise<void> {
  const numbers = Array.from({ length: HEADERS_AT_A_TIME }, (_, index) => header.number - 1n - BigInt(index));
  const read = numbers.map((number) => (number < 0n ? undefined : blocks.byNumber(number).catch(() => undefined)));
  for (const found of await Promise.all(read)) if (found !== undefined) into.set(found.hash, found);
}

/**
 * Whether a node's head is below a block that is known because the node is behind, or the chain stands still there. Where the
 * chain was taken back and goes on, what has come instead is younger. Blocks that come when they please are not waited for.
 */
export function lags(head: BlockRef, known: BlockRef, { blockTimeMs }: Pick<ChainRecord, "blockTimeMs">): boolean {
  return blockTimeMs > 0 && head.number < known.number && head.timestamp <= known.timestamp;
}
