import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";

const LOOK_AGAIN_MS = 50;
/** A worker that was killed while it made something has left its lock: nobody waits for longer. */
const MOST_MS = 150_000;

/**
 * A file or folder that all files of a run of vitest share, by its name: made when one first asks for it. Others that ask
 * meanwhile wait, since they would make it with the same processor.
 */
export async function madeOnce(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const { path, part, isTaken, release } = placeOf(name);
  while (!existsSync(path)) {
    if (isTaken()) {
      await sleep(LOOK_AGAIN_MS);
      continue;
    }
    try {
      await make(part);
      renameSync(part, path);
    } finally {
      release();
    }
  }
  return path;
}

/** Does it without a promise: the worker sleeps while another one makes it. */
export function madeOnceSync(name: string, make: (path: string) => void): string {
  const { path, part, isTaken, release } = placeOf(name);
  while (!existsSync(path)) {
    if (isTaken()) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
      continue;
    }
    try {
      make(part);
      renameSync(part, path);
    } finally {
      release();
    }
  }
  return path;
}

function placeOf(name: string) {
  const path = join(inject("runFolder"), name);
  const lock = `${path}.lock`;
  const end = Date.now() + MOST_MS;
  return {
    path,
    /** Nobody takes half of it. */
    part: `${path}.part`,
    /** Whether another worker makes it; otherwise the caller does now. */
    isTaken() {
      try {
        mkdirSync(lock);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST" || Date.now() > end) throw error;
        return true;
      }
      // An attempt that failed may have left some of it.
      rmSync(`${path}.part`, { recursive: true, force: true });
      // It may have been made between the look and the lock.
      if (existsSync(path)) rmdirSync(lock);
      return existsSync(path);
    },
    release: () => rmdirSync(lock),
  };
}
