import { messageOf } from "../../domain/message-of.ts";
import type { PoolId } from "../../domain/route.ts";
import type { Market } from "../../market/market.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { PoolTrial } from "../../quoting/quote/pool-trial.ts";
import { Quarantine, type QuarantineOptions } from "./quarantine.ts";

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
/** Fewer where nothing but its contract's word is known of what a pool pays. */
const FAILURES_OF_WORD = 2;
/** Trials that say nothing before a suspicion is dropped. */
const MAX_UNKNOWN = 5;
/** Pools under suspicion at a time; more wait until their next failed route. */
const MAX_SUSPECTS = 200;
const TRIALS_PER_BLOCK = 2;

interface Suspicion {
  failures: number;
  unknown: number;
}

/** Pools under suspicion, the longest waiting first. */
class Suspicions {
  readonly #suspicions = new Map<PoolId, Suspicion>();

  get pools(): Iterable<PoolId> {
    return this.#suspicions.keys();
  }

  get isFull(): boolean {
    return this.#suspicions.size >= MAX_SUSPECTS;
  }

  raise(id: PoolId): void {
    if (!this.#suspicions.has(id)) this.#suspicions.set(id, { failures: 0, unknown: 0 });
  }

  drop(id: PoolId): void {
    this.#suspicions.delete(id);
  }

  /** A suspected pool is tried now, and goes to the end of the line. */
  putLast(id: PoolId): void {
    const suspicion = this.#suspicions.get(id);
    if (suspicion === undefined) return;
    this.#suspicions.delete(id);
    this.#suspicions.set(id, suspicion);
  }

  /** A trial failed. @returns whether that is enough, or the pool was not suspected at all but tried again */
  failed(id: PoolId, enough: number): boolean {
    const suspicion = this.#suspicions.get(id);
    if (suspicion !== undefined && ++suspicion.failures < enough) return false;
    this.drop(id);
    return true;
  }

  /** A trial said nothing. */
  saidNothing(id: PoolId): void {
    const suspicion = this.#suspicions.get(id);
    if (suspicion !== undefined && ++suspicion.unknown >= MAX_UNKNOWN) this.drop(id);
  }
}

/** Dependencies of the trials of pools. */
interface TrialOptions extends QuarantineOptions {
  readonly trial: PoolTrial;
  readonly market: Pick<Market, "pools" | "quarantine" | "quarantined">;
  /** Wrappers are never accused: their swaps cannot be tried alone, and they have no state. */
  readonly exempt: (id: PoolId) => boolean;
  /** Pools of which nothing is known but what their contracts quote; none by default. */
  readonly isTakenAtWord?: (id: PoolId) => boolean;
}

export function createTrials(options: TrialOptions): Trials {
  const { trial, market, logger, isTakenAtWord = () => false } = options;
  const suspicions = new Suspicions();
  const quarantine = new Quarantine(options);
  let running: Promise<void> | undefined;
  let stopped = false;

  async function tryPool(id: PoolId, { block }: Snapshot): Promise<void> {
    const pool = market.pools.get(id);
    if (pool === undefined) {
      // It sleeps, or cannot be read now. What was put aside stays so until it can be tried.
      suspicions.drop(id);
      return quarantine.postpone(id, block);
    }
    const outcome = await trial(pool, block);
    if (outcome.kind === "works") {
      suspicions.drop(id);
      quarantine.release(id, block);
    } else if (outcome.kind === "fails") {
      if (suspicions.failed(id, isTakenAtWord(id) ? FAILURES_OF_WORD : FAILURES_TO_CONVICT))
        quarantine.add(id, outcome.reason, block);
    } else {
      suspicions.saidNothing(id);
      quarantine.postpone(id, block);
    }
  }

  /** Pools due for a trial, the longest waiting first. */
  function due(): readonly PoolId[] {
    const chosen = [...new Set([...quarantine.due(), ...suspicions.pools])].slice(0, TRIALS_PER_BLOCK);
    for (const id of chosen) suspicions.putLast(id);
    return chosen;
  }

  return {
    accuse(ids) {
      for (const id of ids) {
        if (!suspicions.isFull && !options.exempt(id) && !market.quarantined().has(id)) suspicions.raise(id);
      }
    },
    look(snapshot) {
      if (running !== undefined || stopped) return;
      const ids = due();
      if (ids.length === 0) return;
      running = Promise.all(ids.map((id) => tryPool(id, snapshot)))
        .then(() => {})
        .catch((error) => logger.debug({ reason: messageOf(error) }, "a trial could not be finished"))
        .finally(() => {
          running = undefined;
        });
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}
