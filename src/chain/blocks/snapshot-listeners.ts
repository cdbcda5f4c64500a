import type { Snapshot } from "../../market/snapshot.ts";
import type { Logger } from "../../ops/logger.ts";

/** Those who are told of each snapshot, in the order in which they came. */
export interface SnapshotListeners {
  /** Calls `listener` with each snapshot; the answer ends that. */
  add(listener: (snapshot: Snapshot) => void): () => void;
  /** Tells all of them: one that throws keeps it from nobody else. */
  tell(snapshot: Snapshot): void;
}

export function createSnapshotListeners(logger: Logger): SnapshotListeners {
  const listeners = new Set<(snapshot: Snapshot) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell(snapshot) {
      for (const listener of listeners) {
        try {
          listener(snapshot);
        } catch (error) {
          logger.error({ err: error }, "a listener of snapshots failed");
        }
      }
    },
  };
}
