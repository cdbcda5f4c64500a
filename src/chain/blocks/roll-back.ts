import type { Hex } from "../../domain/address.ts";
import type { PoolTracker } from "../pools/pool-tracker.ts";
import { inParallel } from "../rpc/in-parallel.ts";
import type { Blocks } from "./blocks.ts";
import { linkedBelow } from "./linked-blocks.ts";

type FarEnd = Pick<PoolTracker, "tip" | "oldest" | "room" | "reachBack">;

/**
 * Makes the way back of pools longer at its far end. They are read close below the head, and until the head has gone far
 * enough from there, a reorganization could come from deeper than they can be taken back.
 */
export interface WayBack {
  /** Adds some blocks as long as there is room, beside whatever else is done: the head does not wait for it. */
  lengthen(pools: FarEnd, topics: readonly Hex[]): void;
  /** Settles when nothing of it runs any more. */
  settled(): Promise<void>;
}

const BLOCKS_AT_A_TIME = 16;
const PARALLEL_LOG_READS = 4;

export function createWayBack(blocks: Pick<Blocks, "byNumber" | "logs">): WayBack {
  let running: Promise<void> | undefined;
  /** The head at which the node gave nothing: the next try waits for another. */
  let stuckAt: Hex | undefined;

  async function lengthen(pools: FarEnd, topics: readonly Hex[]): Promise<void> {
    const { oldest, tip } = pools;
    const links = await linkedBelow(blocks, oldest, Math.min(pools.room, BLOCKS_AT_A_TIME));
    let broken = false;
    const logs = await inParallel(links, PARALLEL_LOG_READS, async ({ child }) => {
      if (broken) return undefined;
      return blocks.logs(child, topics).catch(() => {
        broken = true;
        return undefined;
      });
    });
    if (logs[0] === undefined) stuckAt = tip.hash;
    for (const [index, { child, parent }] of links.entries()) {
      const ofChild = logs[index];
      // Meanwhile the head may have come along, and the room have been used up.
      if (ofChild === undefined || pools.oldest.hash !== child.hash || pools.room === 0) return;
      pools.reachBack(parent, ofChild);
    }
  }

  return {
    lengthen(pools, topics) {
      if (running !== undefined || pools.room === 0 || pools.oldest.number === 0n || pools.tip.hash === stuckAt) return;
      running = lengthen(pools, topics).finally(() => {
        running = undefined;
      });
    },
    async settled() {
      await running;
    },
  };
}
