import type { Hex } from "../../domain/address.ts";
import type { PoolTracker } from "../pools/pool-tracker.ts";
import { inParallel } from "../rpc/in-parallel.ts";
import type { Blocks } from "./blocks.ts";
import { linkedBelow } from "./linked-blocks.ts";

type BackfillTarget = Pick<PoolTracker, "tip" | "oldest" | "capacityLeft" | "reachBack">;

/**
 * Extends the undo history of pools backwards. They are read close below the head, and until the head has gone far enough
 * from there, a reorganization could reach deeper than the history does.
 */
export interface UndoBackfill {
  /** Adds some older blocks, up to the capacity of the history, in parallel to following the head. */
  backfill(pools: BackfillTarget, topics: readonly Hex[]): void;
  /** Settles when nothing of it runs any more. */
  settled(): Promise<void>;
}

const BLOCKS_AT_A_TIME = 16;
const PARALLEL_LOG_READS = 4;

export function createUndoBackfill(blocks: Pick<Blocks, "byNumber" | "logs">): UndoBackfill {
  let running: Promise<void> | undefined;
  /** The head at which the node gave nothing: the next try waits for another. */
  let stuckAt: Hex | undefined;

  async function backfill(pools: BackfillTarget, topics: readonly Hex[]): Promise<void> {
    const { oldest, tip } = pools;
    const links = await linkedBelow(blocks, oldest, Math.min(pools.capacityLeft, BLOCKS_AT_A_TIME));
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
      // Meanwhile the head may have moved, and the capacity have been used up.
      if (ofChild === undefined || pools.oldest.hash !== child.hash || pools.capacityLeft === 0) return;
      pools.reachBack(parent, ofChild);
    }
  }

  return {
    backfill(pools, topics) {
      if (running !== undefined || pools.capacityLeft === 0 || pools.oldest.number === 0n || pools.tip.hash === stuckAt)
        return;
      running = backfill(pools, topics).finally(() => {
        running = undefined;
      });
    },
    async settled() {
      await running;
    },
  };
}
