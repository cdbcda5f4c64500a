import type { Clock } from "../rpc/clock.ts";

/** Work that is done turn after turn, for ever, with a pause after each. */
export interface PeriodicTask {
  start(): void;
  /**
   * Ends the pause; a turn that is under way is followed by another, unless it fails. Turns begin no more often than every
   * MIN_PERIOD_MS: a node that announces heads all the time must not make its listener ask without a rest.
   */
  wake(): void;
  /** No turn begins any more; resolves when the last has ended. */
  stop(): Promise<void>;
  readonly running: boolean;
}

/** Milliseconds from the beginning of a turn to the next: no chain's blocks come faster. */
const MIN_PERIOD_MS = 50;

/** A repeated task and its intervals. */
interface PeriodicTaskOptions {
  readonly turn: () => Promise<number>;
  readonly pauseMs: number;
  /** The pause after the turn that was taken last, which took so many milliseconds; a failure has its own. */
  readonly pauseAfter?: (tookMs: number) => number;
  readonly maxBackoffMs: number;
  readonly clock: Clock;
}

/** `turn` answers how many turns in a row have failed; the pause after them is longer each time, up to `maxBackoffMs`. */
export function createPeriodicTask(options: PeriodicTaskOptions): PeriodicTask {
  const { turn, pauseMs, maxBackoffMs, clock, pauseAfter = () => pauseMs } = options;
  let running: Promise<void> | undefined;
  let stopped = false;
  let endPause = () => {};
  let endRest = () => {};
  const minPeriodMs = Math.min(pauseMs, MIN_PERIOD_MS);
  /** Somebody wants another turn, maybe for what came after this one began. */
  let woken = false;

  const pause = (ms: number) =>
    wait(clock, ms, (end) => {
      endPause = end;
    });
  const rest = (ms: number) =>
    wait(clock, ms, (end) => {
      endRest = end;
    });

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false;
      const began = clock.elapsed();
      const failures = await turn();
      const isDue = woken && failures === 0;
      if (!stopped && !isDue) {
        const tookMs = clock.elapsed() - began;
        await pause(failures === 0 ? pauseAfter(tookMs) : Math.min(pauseMs * 2 ** failures, maxBackoffMs));
      }
      const leftMs = began + minPeriodMs - clock.elapsed();
      if (!stopped && leftMs > 0) await rest(leftMs);
    }
  }

  function wake(): void {
    woken = true;
    endPause();
  }

  return {
    start() {
      running ??= run();
    },
    wake,
    async stop() {
      stopped = true;
      wake();
      endRest();
      await running;
      running = undefined;
    },
    get running() {
      return running !== undefined;
    },
  };
}

/** Settles after `ms` milliseconds, or when what `begun` is given is called. */
function wait(clock: Clock, ms: number, begun: (end: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    begun(() => {
      cancel();
      resolve();
    });
  });
}
