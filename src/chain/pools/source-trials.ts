import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Market } from "../../market/market.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Logger } from "../../ops/logger.ts";
import type { PoolTrial, TrialOutcome } from "../../quoting/quote/pool-trial.ts";
import type { Clock } from "../rpc/clock.ts";

/**
 * Trades once over each source when its first pools are there, so that wrong terms in the chain's record show before a caller
 * meets them. A source all of whose tried pools fail, at two blocks and while another source works, is off with the reason, and
 * tried again now and then.
 */
export interface SourceTrials {
  /** Tries what is due, at a snapshot that is the newest. */
  look(snapshot: Snapshot): void;
  stop(): Promise<void>;
}

/** Pools of a source that are tried; one that works is enough. */
const POOLS_TRIED = 3;
/** Blocks at which all of them have to fail. */
const FAILURES_TO_CONVICT = 2;
/** Blocks at which trials may say nothing before a source is taken to work. */
const MAX_UNKNOWN = 5;
const RETRY_MS = 10 * 60_000;

interface Standing {
  failures: number;
  unknown: number;
  /** When a source that is off is tried again, by the clock that never goes back. */
  retryAt: number | undefined;
  /** The pools that were tried last: those of a source that is off are in no snapshot. */
  pools: readonly PoolId[];
}

interface SourceTrialOptions {
  readonly trial: PoolTrial;
  readonly market: Pick<Market, "pools" | "hideSource" | "showSource">;
  readonly sources: readonly Pick<LiquiditySource, "id" | "wrapsNative">[];
  /** Pools that say nothing of their source: those with a token that does not move exactly. */
  readonly exempt: (id: PoolId) => boolean;
  readonly clock: Pick<Clock, "elapsed">;
  readonly logger: Logger;
}

/** Sources that have not been seen to work, in the order of their turns. */
class DoubtfulSources implements SourceTrials {
  readonly #options: SourceTrialOptions;
  readonly #standings: Map<SourceId, Standing>;
  /** Whether a trade over the settlement contracts did what it should: where none does, the means are at fault. */
  #anyWorks = false;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(options: SourceTrialOptions) {
    this.#options = options;
    this.#standings = new Map(
      options.sources.map(({ id }) => [id, { failures: 0, unknown: 0, retryAt: undefined, pools: [] }]),
    );
  }

  look(snapshot: Snapshot): void {
    if (this.#running !== undefined || this.#stopped) return;
    const due = this.#next(snapshot);
    if (due === undefined) return;
    const { logger } = this.#options;
    this.#running = this.#try(...due, snapshot.block)
      .catch((error) => logger.debug({ reason: messageOf(error) }, "a source could not be tried"))
      .finally(() => {
        this.#running = undefined;
      });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /** The source whose turn it is; those that have not had one go first. */
  #next({ graph }: Snapshot): readonly [SourceId, Standing] | undefined {
    const { market, clock } = this.#options;
    for (const [id, standing] of this.#standings) {
      if (standing.retryAt === undefined)
        standing.pools = market.pools.count(id) === 0 ? [] : this.#chosenOf(id, graph);
      else if (standing.retryAt > clock.elapsed()) continue;
      if (standing.pools.length === 0) continue;
      // Goes to the end of the line.
      this.#standings.delete(id);
      this.#standings.set(id, standing);
      return [id, standing];
    }
    return undefined;
  }

  /** The oldest pools of a source whose tokens routes may lead over: of others anybody may have made any. */
  #chosenOf(source: SourceId, graph: Snapshot["graph"]): readonly PoolId[] {
    const isKnown = (token: Address) => graph.hops?.has(token) ?? true;
    const ids: PoolId[] = [];
    for (const pool of graph.all()) {
      if (pool.source !== source || !pool.tokens.every(isKnown) || this.#options.exempt(pool.id)) continue;
      if (ids.push(pool.id) === POOLS_TRIED) break;
    }
    return ids;
  }

  async #try(id: SourceId, standing: Standing, block: BlockRef): Promise<void> {
    const { clock, market, logger } = this.#options;
    const outcome = await this.#tryPools(standing.pools, block);
    const isOff = standing.retryAt !== undefined;
    if (outcome.kind === "fails") standing.failures += 1;
    if (outcome.kind === "works") {
      this.#standings.delete(id);
      this.#anyWorks ||= this.#options.sources.some((source) => source.id === id && source.wrapsNative !== true);
      if (!isOff) return;
      market.showSource(id);
      logger.info({ source: id }, "a source that was off works: it is used again");
    } else if (isOff) {
      standing.retryAt = clock.elapsed() + RETRY_MS;
    } else if (outcome.kind === "unknown") {
      if (++standing.unknown >= MAX_UNKNOWN) this.#standings.delete(id);
    } else if (standing.failures >= FAILURES_TO_CONVICT && this.#anyWorks) {
      const { reason } = outcome;
      standing.retryAt = clock.elapsed() + RETRY_MS;
      market.hideSource(id, `its trades fail when they are tried (pool ${reason})`);
      logger.error({ source: id, reason }, "every pool of a source that was tried fails: it is off; run the doctor");
    }
  }

  /** Tries pools of a source. The outcome is a failure if every one of them fails. */
  async #tryPools(ids: readonly PoolId[], block: BlockRef): Promise<TrialOutcome> {
    const { market, trial } = this.#options;
    let failed: TrialOutcome | undefined;
    let unknown = false;
    for (const id of ids) {
      const pool = market.pools.get(id);
      const outcome = pool === undefined ? UNKNOWN : await trial(pool, block);
      if (outcome.kind === "works") return outcome;
      if (outcome.kind === "fails") failed ??= { kind: "fails", reason: `${id}: ${outcome.reason}` };
      else unknown = true;
    }
    return unknown ? UNKNOWN : (failed ?? UNKNOWN);
  }
}

const UNKNOWN: TrialOutcome = { kind: "unknown" };

export function createSourceTrials(options: SourceTrialOptions): SourceTrials {
  return new DoubtfulSources(options);
}
