import { refuse, type SwapError } from "../../domain/errors/swap-error.ts";

/** Owner of a watch. */
export interface Watcher {
  /** Names the API key. */
  readonly key: string;
  /** Account whose turn at the thread and at the node its prices take. */
  readonly account: string;
}

/** Limit on a number of things. */
interface Bounds {
  readonly inAll: number;
  readonly perKey: number;
  /** Name of these things in the refusal. */
  readonly name: string;
}

/** Counts what keys hold of something that there is a limited number of. */
export interface Shares {
  /**
   * Whether a key may have one more.
   * @param taken what all keys hold together
   * @throws SwapError TOO_MANY_REQUESTS when the key has its share, UNAVAILABLE when all are taken
   */
  admit(key: string, taken: number): void;
  add(key: string): void;
  remove(key: string): void;
}

/** A key has at most this part of what is free: however many keys want all, some are free for one that has none. */
const OF_FREE = 1 / 2;

/** Shares by a dynamic threshold (Choudhury and Hahne, 1998): each key's grows with what is free, up to `perKey`. */
export function createShares({ inAll, perKey, name }: Bounds): Shares {
  const held = new Map<string, number>();
  return {
    admit(key, taken) {
      if (taken >= inAll) throw tooManyWatches();
      const count = held.get(key) ?? 0;
      const share = Math.min(perKey, Math.ceil(OF_FREE * (inAll - taken)));
      if (count < share) return;
      const message = `this key has ${count} ${name} and its share is ${share} now - end a stream first, or ask for the price instead`;
      throw refuse("TOO_MANY_STREAMS", message);
    },
    add(key) {
      held.set(key, (held.get(key) ?? 0) + 1);
    },
    remove(key) {
      const left = (held.get(key) ?? 0) - 1;
      if (left > 0) held.set(key, left);
      else held.delete(key);
    },
  };
}

function tooManyWatches(): SwapError {
  return refuse("TOO_MANY_WATCHES", "too many prices are being watched - try again, or ask for the price instead");
}
