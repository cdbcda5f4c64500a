import type { Hex } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { PoolTracker } from "../pools/pool-tracker.ts";
import type { Header } from "../rpc/codec.ts";
import { inParallel } from "../rpc/in-parallel.ts";
import { BlockGoneError } from "../rpc/provider-errors.ts";
import type { Blocks } from "./blocks.ts";
import { pathTo } from "./path-to-head.ts";

const PARALLEL_LOG_READS = 4;

/**
 * Moves pools by the blocks' logs, without a read of their states, until they are no more than `stride` blocks below
 * `head`. `later` takes pools whose state could not be brought forward: they are to be read at the head.
 * @throws BlockGoneError when their block is not on the chain of `head`, and what the node failed with.
 */
export async function catchUp(
  pools: PoolTracker,
  options: {
    readonly blocks: Blocks;
    readonly head: Header;
    /** First topics of the logs that matter. */
    readonly topics: readonly Hex[];
    readonly stride: number;
    readonly later: (ids: readonly PoolId[]) => void;
  },
): Promise<void> {
  const { blocks, head, topics, stride, later } = options;
  while (head.number - pools.tip.number > BigInt(stride)) {
    const path = await pathTo(blocks, pools, await blocks.byNumber(pools.tip.number + BigInt(stride)), stride);
    if (path[0]?.parentHash !== pools.tip.hash) throw new BlockGoneError("the chain changed while it was read");
    const logs = await inParallel(path, PARALLEL_LOG_READS, (header) => blocks.logs(header, topics));
    for (const [index, header] of path.entries()) await pools.apply(header, logs[index]!, { later });
  }
}
