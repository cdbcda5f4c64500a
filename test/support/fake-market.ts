import type { Snapshot } from "../../src/market/snapshot.ts";
import type { MarketFeed } from "../../src/quoting/ports.ts";

/** A market that is told when there is a new block, and when it is stale. */
export interface FakeMarket extends Pick<MarketFeed, "current" | "onSnapshot"> {
  /** Publishes the next block. */
  publish(): void;
  /** Why nothing may be quoted; undefined when it may. */
  unavailable: string | undefined;
}

export function createFakeMarket(): FakeMarket {
  const listeners = new Set<(snapshot: Snapshot) => void>();
  let height = 1n;
  let snapshot = snapshotAt(height);
  const market: FakeMarket = {
    unavailable: undefined,
    current: () => (market.unavailable === undefined ? { snapshot } : { unavailable: market.unavailable }),
    onSnapshot(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish() {
      height += 1n;
      snapshot = snapshotAt(height);
      for (const listener of listeners) listener(snapshot);
    },
  };
  return market;
}

/** A snapshot that has a block and nothing else. */
function snapshotAt(number: bigint): Snapshot {
  const hash = `0x${number.toString(16).padStart(64, "0")}` as const;
  return { block: { number, hash, timestamp: number } } as unknown as Snapshot;
}
