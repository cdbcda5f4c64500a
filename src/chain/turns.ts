import type { Clock } from "./clock.ts";

/** Work that is done turn after turn, for ever, with a pause after each. */
export interface Turns {
  start(): void;
  /** Ends the pause; a turn that is under way is followed by another at once, unless it fails. */
  wake(): void;
  /** No turn begins any more; resolves when the last has ended. */
  stop(): Promise<void>;
  readonly running: boolean;
}

/** `turn` answers how many turns in a row have failed; the pause after them is longer each time, up to `maxBackoffMs`. */
export function createTurns(options: {
  readonly turn: () => Promise<number>;
  readonly pauseMs: number;
  readonly maxBackoffMs: number;
  readonly clock: Clock;
}): Turns {
  const { turn, pauseMs, maxBackoffMs, clock } = options;
  let running: Promise<void> | undefined;
  let stopped = false;
  let endPause = () => {};
  /** Somebody wants another turn, maybe for what came after this one began. */
  let woken = false;

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(ms, resolve);
      endPause = () => {
        cancel();
        resolve();
      };
    });
  }

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false;
      const failures = await turn();
      if (stopped || (woken && failures === 0)) continue;
      await pause(failures === 0 ? pauseMs : Math.min(pauseMs * 2 ** failures, maxBackoffMs));
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
      await running;
      running = undefined;
    },
    get running() {
      return running !== undefined;
    },
  };
}
