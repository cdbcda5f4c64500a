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
  let snapshot = {} as Snapshot;
  const market: FakeMarket = {
    unavailable: undefined,
    current: () => (market.unavailable === undefined ? { snapshot } : { unavailable: market.unavailable }),
    onSnapshot(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish() {
      snapshot = {} as Snapshot;
      for (const listener of listeners) listener(snapshot);
    },
  };
  return market;
}
