import type { Clock } from "../../src/chain/rpc/clock.ts";

/** A clock whose time passes only while a test lets it, and then at once. The same tasks run in the same order always. */
export interface VirtualClock extends Clock {
  /** Lets `ms` milliseconds pass, with everything that falls due in them. */
  advance(ms: number): Promise<void>;
  /** Lets time pass until `holds`. @throws Error when that has not come about within `patienceMs`. */
  until(holds: () => boolean, patienceMs?: number): Promise<void>;
  /** Work of the real world, like a file's: no virtual time passes before it is done. */
  outside<T>(work: Promise<T>): Promise<T>;
  /** The machine's clock is set back; no time passes by that. */
  setBack(ms: number): void;
  /** Tasks that wait for their time. */
  waiting(): number;
}

interface Task {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

const PATIENCE_MS = 120_000;

/** All waiting has to go through this clock, but for what is named to `outside`. */
export function createVirtualClock(startMs: number): VirtualClock {
  const tasks: Task[] = [];
  let nowMs = startMs;
  let setBackMs = 0;
  let orders = 0;
  let outside = 0;

  /** All promises that can settle now have settled, and what they led to. */
  async function settle(): Promise<void> {
    await new Promise(setImmediate);
    while (outside > 0) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      await new Promise(setImmediate);
    }
  }

  /** Runs the next task if it is due by `limit`. */
  function runNext(limit: number): boolean {
    const [next] = tasks;
    if (next === undefined || next.at > limit) return false;
    tasks.shift();
    nowMs = Math.max(nowMs, next.at);
    next.run();
    return true;
  }

  return {
    now: () => nowMs - setBackMs,
    elapsed: () => nowMs,
    after(ms, run) {
      const task = { at: nowMs + Math.max(0, ms), order: orders++, run };
      const place = tasks.findIndex(({ at }) => at > task.at);
      tasks.splice(place < 0 ? tasks.length : place, 0, task);
      return () => {
        const index = tasks.indexOf(task);
        if (index >= 0) tasks.splice(index, 1);
      };
    },
    breathe: () => Promise.resolve(),
    async advance(ms) {
      const limit = nowMs + ms;
      await settle();
      while (runNext(limit)) await settle();
      nowMs = limit;
    },
    async until(holds, patienceMs = PATIENCE_MS) {
      const limit = nowMs + patienceMs;
      await settle();
      while (!holds()) {
        if (!runNext(limit)) throw new Error(`waited in vain for ${patienceMs} virtual milliseconds`);
        await settle();
      }
    },
    outside(work) {
      outside += 1;
      return work.finally(() => {
        outside -= 1;
      });
    },
    setBack(ms) {
      setBackMs += ms;
    },
    waiting: () => tasks.length,
  };
}
