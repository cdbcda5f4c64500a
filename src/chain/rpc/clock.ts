/** Time as everything here sees it: the machine's, or in tests one that stands still until it is told to go on. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since some moment, never going back: for measuring. */
  elapsed(): number;
  /** Calls `task` once in `ms` milliseconds; the answer takes that back. */
  after(ms: number, task: () => void): () => void;
  /** Settles when other work of the process has had its turn. */
  breathe(): Promise<void>;
}

export const systemClock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
  breathe: () => new Promise(setImmediate),
};

/** A point in long work where other work may have its turn: something to wait for when it is due. */
export type Pause = () => Promise<void> | undefined;

/** Longest stretch of computing before other work gets its turn. */
const SLICE_MS = 4;

/** Pauses for work that begins now: others get their turn once a slice of time is over, else nothing is waited for. */
export function slicing(clock: Clock): Pause {
  let began = clock.elapsed();
  return () => {
    if (clock.elapsed() - began <= SLICE_MS) return undefined;
    return clock.breathe().then(() => {
      began = clock.elapsed();
    });
  };
}

/** Settles after `ms` milliseconds. */
export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
