import type { PoolId } from "../../domain/route.ts";
import type { Market } from "../../market/market.ts";
import type { PoolTracker } from "./pool-tracker.ts";

/** Pools that are to be read anew with the next step, because their state is not known any more or is in doubt. */
export interface PendingReads {
  /** The state of some pools is not known any more. */
  later(ids: readonly PoolId[]): void;
  /** Somebody wants pools read anew and their quarantine lifted. */
  repair(ids: readonly PoolId[]): void;
  /** Everything is to be read anew: which pools are unread does not matter. What is to be repaired still is. */
  forgetUnread(): void;
  /** Reads them; whether there were any. Those that could not be read stay. @throws what the node failed with */
  read(pools: Pick<PoolTracker, "resync">): Promise<boolean>;
}

export function createPendingReads(market: Pick<Market, "release">): PendingReads {
  const unread = new Set<PoolId>();
  const repairs = new Set<PoolId>();
  return {
    later(ids) {
      for (const id of ids) unread.add(id);
    },
    repair(ids) {
      for (const id of ids) repairs.add(id);
    },
    forgetUnread: () => unread.clear(),
    async read(pools) {
      const [repaired, ids] = [[...repairs], [...new Set([...repairs, ...unread])]];
      if (ids.length === 0) return false;
      await pools.resync(ids);
      for (const id of ids) unread.delete(id);
      for (const id of repaired) {
        repairs.delete(id);
        market.release(id);
      }
      return true;
    },
  };
}
