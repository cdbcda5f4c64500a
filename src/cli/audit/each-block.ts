import type { AuditEngine } from "../../compose/audit.ts";
import type { Snapshot } from "../../market/snapshot.ts";

const MIN_WAIT_MS = 120_000;
const WAITED_BLOCKS = 30;

/**
 * Does `work` for each of so many new blocks, one after another, with the snapshot of the block before it. Where several blocks
 * came in one step, only those whose parent was seen count.
 * @returns how many there were; fewer than asked for where the chain stood still for two minutes, or thirty blocks' time
 */
export async function eachBlock(
  engine: AuditEngine,
  blocks: number,
  work: (before: Snapshot, now: Snapshot) => Promise<void>,
): Promise<number> {
  const { chain, record } = engine;
  const waiting: Snapshot[] = [];
  let wake = () => {};
  const stop = chain.onSnapshot((snapshot) => {
    waiting.push(snapshot);
    wake();
  });
  const patienceMs = Math.max(MIN_WAIT_MS, WAITED_BLOCKS * record.blockTimeMs);
  let before = engine.newest();
  let done = 0;
  try {
    while (done < blocks) {
      const now = waiting.shift();
      if (now === undefined) {
        if (!(await wokenWithin(patienceMs, (woken) => (wake = woken)))) break;
        continue;
      }
      if (now.block.parentHash === before.block.hash) {
        await work(before, now);
        done += 1;
      }
      before = now;
    }
  } finally {
    stop();
  }
  return done;
}

function wokenWithin(ms: number, listen: (woken: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    listen(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
