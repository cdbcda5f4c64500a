import { createFairQueue } from "./fair-queue.ts";
import { createFairTime, type FairTime } from "./fair-time.ts";

/** Time left to other work besides searches, as a part of theirs, and the most at once, in milliseconds. */
const PART = 1 / 4;
const MOST = 500;
/** Milliseconds from which on a turn of the event loop is too little: others wait for the node, several times in a row. */
const LONG = 20;

/**
 * Searches hold the thread that also follows the chain, one slice after the other. Between two slices others have their
 * turn. The next slice is of the account that has used least of the thread, and there of the request that began first.
 */
export interface ThreadTurns extends Pick<FairTime, "of"> {
  begin(account: string): RequestTurns;
}

/** The turns of one request. */
export interface RequestTurns {
  /** Does what holds the thread, at the account's expense. */
  hold<T>(work: () => T): T;
  /**
   * Resolves when it is the account's turn: once others of the event loop had theirs, for a part of the time that the
   * thread was held. A turn that nothing was done with yet needs no other.
   */
  pass(): Promise<void>;
}

/** `now`: milliseconds, from any beginning. Accounts stand where they do in milliseconds of the thread. */
export function createThreadTurns(now: () => number): ThreadTurns {
  const time = createFairTime();
  const waiting = createFairQueue<() => void>(time);
  let held = 0;
  let heldUntil = 0;
  let begun = 0;
  let isDue = false;
  /** Account whose turn it is, as long as nothing was done with it. */
  let turn: string | undefined;

  /** Milliseconds that others have yet to get for what was held. */
  function owed(): number {
    const theirs = held < LONG ? 0 : Math.min(held * PART, MOST);
    return theirs - (now() - heldUntil);
  }

  function schedule(): void {
    if (isDue) return;
    isDue = true;
    setImmediate(next);
  }

  /** After a turn, and before the first one. */
  function next(): void {
    turn = undefined;
    isDue = waiting.size > 0;
    if (!isDue) return;
    const ms = owed();
    held = 0;
    if (ms > 0) setTimeout(grant, Math.ceil(ms));
    else grant();
  }

  function grant(): void {
    isDue = false;
    const granted = waiting.next();
    if (granted === undefined) return;
    turn = granted.who;
    time.served(turn);
    granted.item();
    schedule();
  }

  function hold<T>(account: string, work: () => T): T {
    const begun = now();
    turn = undefined;
    try {
      return work();
    } finally {
      heldUntil = now();
      held += heldUntil - begun;
      time.charge(account, heldUntil - begun);
    }
  }

  function pass(account: string, rank: number): Promise<void> {
    if (turn === account) return Promise.resolve();
    return new Promise((resolve) => {
      waiting.add(account, resolve, rank);
      schedule();
    });
  }

  return {
    of: time.of,
    begin(account) {
      begun += 1;
      const rank = begun;
      return { hold: (work) => hold(account, work), pass: () => pass(account, rank) };
    },
  };
}
