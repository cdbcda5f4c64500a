import type { BlockRef } from "../../domain/block.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { PoolId } from "../../domain/route.ts";
import type { Market } from "../../market/market.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Logger } from "../../ops/logger.ts";
import type { PoolTrial } from "../../quoting/quote/pool-trial.ts";
import type { BlockMemory } from "../rpc/block-memory.ts";
import type { Clock } from "../rpc/clock.ts";

/**
 * Puts pools aside that cannot be traded although their state is what the chain says. A failed route only raises the
 * suspicion: it may be another pool's fault, or a token's. Each suspected pool is then tried alone, from a stand-in, at
 * several blocks; only if every one of these trials fails it is put in quarantine, and tried again now and then.
 */
export interface Trials {
  /** A route over these pools failed, whoever sends it. */
  accuse(ids: readonly PoolId[]): void;
  /** Tries what is due, at a snapshot that is the newest. */
  look(snapshot: Snapshot): void;
  stop(): Promise<void>;
}

/** Trials in a row, each at a block of its own, that have to fail. */
const FAILURES_TO_CONVICT = 3;
/** Trials that say nothing before a suspicion is dropped. */
const MAX_UNKNOWN = 5;
/** Pools under suspicion at a time; more wait until their next failed route. */
const MAX_SUSPECTS = 200;
const TRIALS_PER_BLOCK = 2;
const FIRST_RETRY_MS = 10 * 60_000;
const MAX_RETRY_MS = 6 * 3_600_000;

interface Suspicion {
  failures: number;
  unknown: number;
}

interface Sentence {
  retryAt: number;
  readonly retryMs: number;
}

/** Pools that are put aside at a time; of more, the oldest is released. */
const MAX_SENTENCES = 10_000;

export function createTrials(options: {
  readonly trial: PoolTrial;
  readonly market: Pick<Market, "pools" | "quarantine" | "quarantined">;
  readonly memory: BlockMemory;
  /** Reads a pool anew and lifts its quarantine. */
  readonly release: (id: PoolId) => void;
  /** Wrappers are never accused: their swaps cannot be tried alone, and they have no state. */
  readonly exempt: (id: PoolId) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}): Trials {
  const { trial, market, clock, logger } = options;
  const suspicions = new Map<PoolId, Suspicion>();
  /** A pool that was put aside by what a block showed comes back when that block leaves the chain. */
  const sentences = options.memory.memo<PoolId, Sentence>({ most: MAX_SENTENCES, onForgotten: options.release });
  let running: Promise<void> | undefined;
  let stopped = false;

  function convict(id: PoolId, reason: string, at: BlockRef): void {
    suspicions.delete(id);
    const retryMs = Math.min((sentences.get(id, at)?.retryMs ?? FIRST_RETRY_MS / 2) * 2, MAX_RETRY_MS);
    sentences.set(id, { retryAt: clock.elapsed() + retryMs, retryMs }, at);
    // The block has left the chain meanwhile.
    if (sentences.get(id, undefined) === undefined) {
      sentences.delete(id);
      options.release(id);
      return;
    }
    market.quarantine(id, `its swaps fail: ${reason}`);
    logger.warn({ pool: id, reason, retryMs }, "a pool's swaps fail block after block: it is put aside");
  }

  function acquit(id: PoolId, at: BlockRef): void {
    suspicions.delete(id);
    if (sentences.get(id, at) !== undefined) {
      sentences.delete(id);
      logger.info({ pool: id }, "a pool that was put aside works again");
      options.release(id);
    }
  }

  async function tryPool(id: PoolId, snapshot: Snapshot): Promise<void> {
    const sentence = sentences.get(id, snapshot.block);
    const pool = market.pools.get(id);
    if (pool === undefined) {
      // It sleeps, or cannot be read now. What was put aside stays so until it can be tried.
      suspicions.delete(id);
      if (sentence !== undefined) sentence.retryAt = clock.elapsed() + sentence.retryMs;
      return;
    }
    const outcome = await trial(pool, snapshot.block);
    if (outcome.kind === "works") return acquit(id, snapshot.block);
    const suspicion = suspicions.get(id);
    if (outcome.kind === "fails") {
      if (suspicion === undefined || ++suspicion.failures >= FAILURES_TO_CONVICT)
        convict(id, outcome.reason, snapshot.block);
    } else {
      if (suspicion !== undefined && ++suspicion.unknown >= MAX_UNKNOWN) suspicions.delete(id);
      if (sentence !== undefined) sentence.retryAt = clock.elapsed() + sentence.retryMs;
    }
  }

  /** What is due, the longest waiting first; it goes to the end of its line. */
  function due(): readonly PoolId[] {
    const served = [...sentences.entries()].filter(([, { retryAt }]) => retryAt <= clock.elapsed()).map(([id]) => id);
    const chosen = [...new Set([...served, ...suspicions.keys()])].slice(0, TRIALS_PER_BLOCK);
    for (const id of chosen) {
      const suspicion = suspicions.get(id);
      if (suspicion === undefined) continue;
      suspicions.delete(id);
      suspicions.set(id, suspicion);
    }
    return chosen;
  }

  async function tryAll(ids: readonly PoolId[], snapshot: Snapshot): Promise<void> {
    try {
      await Promise.all(ids.map((id) => tryPool(id, snapshot)));
    } catch (error) {
      logger.debug({ reason: messageOf(error) }, "a trial could not be finished");
    }
  }

  return {
    accuse(ids) {
      for (const id of ids) {
        if (suspicions.size >= MAX_SUSPECTS || options.exempt(id) || market.quarantined().has(id)) continue;
        if (!suspicions.has(id)) suspicions.set(id, { failures: 0, unknown: 0 });
      }
    },
    look(snapshot) {
      if (running !== undefined || stopped) return;
      const ids = due();
      if (ids.length === 0) return;
      running = tryAll(ids, snapshot).finally(() => {
        running = undefined;
      });
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}
