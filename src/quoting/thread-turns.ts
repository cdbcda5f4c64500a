/** What others are left of the thread beside searches, as a part of what those take, and the most at once, in milliseconds. */
const PART = 1 / 4;
const MOST = 500;
/** Milliseconds from which on a turn of the event loop is too little: others wait for the node, several times in a row. */
const LONG = 20;

/** Searches hold the thread that also follows the chain: whoever begins one lets others have their turn first. */
export interface ThreadTurns {
  /** Does what holds the thread. */
  hold<T>(work: () => T): T;
  /** Resolves once others had a turn: of the event loop, or of a part of the time that the thread was held for since the last. */
  pass(): Promise<void>;
}

/** `now`: milliseconds, from any beginning. */
export function createThreadTurns(now: () => number): ThreadTurns {
  let held = 0;
  return {
    hold(work) {
      const begun = now();
      try {
        return work();
      } finally {
        held += now() - begun;
      }
    },
    pass() {
      const owed = held < LONG ? 0 : Math.min(held * PART, MOST);
      held = 0;
      return new Promise((resolve) => (owed === 0 ? setImmediate(resolve) : setTimeout(resolve, owed)));
    },
  };
}
