import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Market } from "../../market/market.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Logger } from "../../ops/logger.ts";
import type { PoolTrial } from "../../quoting/quote/pool-trial.ts";
import type { Clock } from "../rpc/clock.ts";

/**
 * Trades once over each source when its first pools are there, so that wrong terms in the chain's record show before a caller
 * meets them. A source all of whose tried pools fail, at two blocks, is off with the reason, and tried again now and then.
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
  readonly sources: readonly SourceId[];
  /** Pools that say nothing of their source: those with a token that does not move exactly. */
  readonly exempt: (id: PoolId) => boolean;
  readonly clock: Pick<Clock, "elapsed">;
  readonly logger: Logger;
}

export function createSourceTrials(options: SourceTrialOptions): SourceTrials {
  const { trial, market, clock, logger } = options;
  /** Sources that have not been seen to work. */
  const doubtful = new Map<SourceId, Standing>(
    options.sources.map((id) => [id, { failures: 0, unknown: 0, retryAt: undefined, pools: [] }]),
  );
  let running: Promise<void> | undefined;
  let stopped = false;

  /** What trying a source's pools came to: why all of them failed, whether one worked, or undefined for neither. */
  async function tryPools(ids: readonly PoolId[], block: BlockRef): Promise<{ readonly fails?: string } | undefined> {
    let reason: string | undefined;
    let unknown = false;
    for (const id of ids) {
      const pool = market.pools.get(id);
      const outcome = pool === undefined ? ({ kind: "unknown" } as const) : await trial(pool, block);
      if (outcome.kind === "works") return {};
      if (outcome.kind === "fails") reason ??= `${id}: ${outcome.reason}`;
      else unknown = true;
    }
    return reason === undefined || unknown ? undefined : { fails: reason };
  }

  async function trySource(id: SourceId, standing: Standing, block: BlockRef): Promise<void> {
    const found = await tryPools(standing.pools, block);
    const isOff = standing.retryAt !== undefined;
    if (found === undefined) {
      if (isOff) standing.retryAt = clock.elapsed() + RETRY_MS;
      else if (++standing.unknown >= MAX_UNKNOWN) doubtful.delete(id);
      return;
    }
    if (found.fails === undefined) {
      doubtful.delete(id);
      if (!isOff) return;
      market.showSource(id);
      logger.info({ source: id }, "a source that was off works: it is used again");
      return;
    }
    standing.failures += 1;
    if (standing.failures < FAILURES_TO_CONVICT) return;
    standing.retryAt = clock.elapsed() + RETRY_MS;
    if (isOff) return;
    market.hideSource(id, `its trades fail when they are tried (pool ${found.fails})`);
    const says = "every pool of a source that was tried fails: it is off; hold its record against the chain (doctor)";
    logger.error({ source: id, reason: found.fails }, says);
  }

  /** The oldest pools of a source whose tokens routes may lead over: of others anybody may have made any. */
  function chosenOf(source: SourceId, graph: Snapshot["graph"]): readonly PoolId[] {
    const isKnown = (token: Address) => graph.hops?.has(token) ?? true;
    const ids: PoolId[] = [];
    for (const pool of graph.all()) {
      if (pool.source !== source || !pool.tokens.every(isKnown) || options.exempt(pool.id)) continue;
      if (ids.push(pool.id) === POOLS_TRIED) break;
    }
    return ids;
  }

  /** The source whose turn it is; those that have not had one go first. */
  function next({ graph }: Snapshot): readonly [SourceId, Standing] | undefined {
    for (const [id, standing] of doubtful) {
      if (standing.retryAt === undefined) standing.pools = market.pools.count(id) === 0 ? [] : chosenOf(id, graph);
      else if (standing.retryAt > clock.elapsed()) continue;
      if (standing.pools.length === 0) continue;
      // Goes to the end of the line.
      doubtful.delete(id);
      doubtful.set(id, standing);
      return [id, standing];
    }
    return undefined;
  }

  return {
    look(snapshot) {
      if (running !== undefined || stopped) return;
      const due = next(snapshot);
      if (due === undefined) return;
      running = trySource(...due, snapshot.block)
        .catch((error) => logger.debug({ reason: messageOf(error) }, "a source could not be tried"))
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
