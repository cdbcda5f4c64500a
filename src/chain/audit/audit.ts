import { messageOf } from "../../domain/message-of.ts";
import type { PoolId } from "../../domain/route.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Market } from "../../market/market.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Logger } from "../../ops/logger.ts";
import type { Follower } from "../blocks/follower.ts";
import type { Clock } from "../rpc/clock.ts";
import { AuditRounds } from "./audit-rounds.ts";
import { Mismatches } from "./mismatches.ts";
import type { NodeVote } from "./node-vote.ts";
import { differingPools } from "./recheck.ts";

/** Compares what is in memory with what the chain says, at the same block, bit for bit. */
export interface Audit {
  /**
   * Reads pools of a snapshot again at its block. Those that differ, twice, are quarantined, read anew and returned.
   * @throws what the node failed with: then nothing is known.
   */
  recheck(ids: readonly PoolId[], snapshot: Snapshot): Promise<readonly PoolId[]>;
  /** Has pools checked like that soon, at the snapshot that is the newest by then. */
  suspect(ids: readonly PoolId[]): void;
  /** Pools compared, and pools that differed, since the start. */
  counts(): { readonly compared: number; readonly mismatched: number };
  stop(): Promise<void>;
}

/** Once in so many snapshots all nodes are asked for its block's logs: a node that hides pools has none that differ. */
const LOGS_EVERY = 16;

/** Suspected pools that wait for their check; more are left to the rounds. */
const MAX_SUSPECTS = 1_000;

/** Dependencies and limits of an audit. */
interface AuditOptions {
  readonly reader: ChainReader;
  readonly sources: readonly LiquiditySource[];
  readonly follower: Pick<Follower, "onSnapshot" | "ids" | "changed" | "tracked" | "repair" | "startOver">;
  readonly market: Market;
  readonly logger: Logger;
  readonly poolsPerBlock: number;
  /** All nodes, to be asked who is right; without, what was read is. */
  readonly panel?: NodeVote;
  /** Least time between two looks: a look may take many requests. Every snapshot is looked at without it. */
  readonly spacing?: { readonly ms: number; readonly clock: Pick<Clock, "elapsed"> };
}

/** Whether it is time for a look; asking when it is begins the time anew. */
function spaced(spacing: AuditOptions["spacing"]): () => boolean {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (spacing === undefined) return true;
    const now = spacing.clock.elapsed();
    if (now - lookedAt < spacing.ms) return false;
    lookedAt = now;
    return true;
  };
}

/**
 * An audit that looks at `poolsPerBlock` pools of every snapshot in turn, and at as many of those that its block changed
 * last: a list of logs that was cut short where the header's bloom does not show it shows there.
 */
export function createAudit(options: AuditOptions): Audit {
  const { follower, logger } = options;
  const mismatches = new Mismatches(options);
  const [rounds, isDue] = [new AuditRounds(follower, options.poolsPerBlock), spaced(options.spacing)];
  let compared = 0;
  let snapshots = 0;
  let stopped = false;
  const suspects = new Set<PoolId>();
  let newest: Snapshot | undefined;
  let running: Promise<void> | undefined;

  async function recheck(ids: readonly PoolId[], snapshot: Snapshot): Promise<readonly PoolId[]> {
    const wrong = await differingPools(ids, snapshot, options, (pools) => {
      compared += pools;
    });
    for (const id of wrong) mismatches.note(id, snapshot.block.number);
    // Memory is what the followed node's logs made it: were they what the others have?
    if (wrong.length > 0) await options.panel?.logsOf(snapshot.block);
    return wrong;
  }

  async function look(ids: readonly PoolId[], snapshot: Snapshot): Promise<void> {
    try {
      await recheck(ids, snapshot);
      if (snapshots % LOGS_EVERY === 0) await options.panel?.logsOf(snapshot.block);
    } catch (error) {
      logger.debug({ reason: messageOf(error) }, "an audit could not be finished");
    }
  }

  /** Suspects as long as there are any; one look at a time. */
  function lookInto(ids: readonly PoolId[]): void {
    const snapshot = newest;
    if (running !== undefined || snapshot === undefined || stopped) return;
    const chosen = [...ids, ...suspects];
    suspects.clear();
    running = look(chosen, snapshot).finally(() => {
      running = undefined;
      if (suspects.size > 0) lookInto([]);
    });
  }

  const unlisten = follower.onSnapshot((snapshot) => {
    [newest, snapshots] = [snapshot, snapshots + 1];
    // Once in so many snapshots logs are compared, whether or not it is time for a look at pools.
    if (isDue() || (options.panel !== undefined && snapshots % LOGS_EVERY === 0)) lookInto(rounds.next(snapshot));
  });

  return {
    recheck,
    suspect(ids) {
      for (const id of ids) if (suspects.size < MAX_SUSPECTS) suspects.add(id);
      lookInto([]);
    },
    counts: () => ({ compared, mismatched: mismatches.count }),
    async stop() {
      stopped = true;
      unlisten();
      await running;
    },
  };
}
