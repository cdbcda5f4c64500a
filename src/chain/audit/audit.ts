import type { BlockRef } from "../../domain/block.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { PoolId } from "../../domain/route.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { Market } from "../../market/market.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Logger } from "../../ops/logger.ts";
import type { Follower } from "../blocks/follower.ts";
import { type PoolState, readPools } from "../pools/read-pools.ts";
import { sameValue } from "../rpc/same-value.ts";
import type { Panel } from "./node-vote.ts";

/** A pool as it is in memory. */
interface Held {
  readonly ref: PoolRef;
  readonly pool: PoolState;
}

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

/** Times that a pool may differ before it stays in quarantine: what keeps going wrong is not understood. */
const MAX_MISMATCHES = 3;

/** So many pools that differ within so many blocks put everything in doubt that was read. */
const TOO_MANY = 3;
const LATELY_BLOCKS = 20n;

/** Once in so many snapshots all nodes are asked for its block's logs: a node that hides pools has none that differ. */
const LOGS_EVERY = 16;

/** Suspected pools that wait for their check; more are left to the rounds. */
const MAX_SUSPECTS = 1_000;

/**
 * An audit that looks at `poolsPerBlock` pools of every snapshot in turn, and at as many of those that its block changed
 * last: a list of logs that was cut short where the header's bloom does not show it shows there.
 */
export function createAudit(options: {
  readonly reader: ChainReader;
  readonly sources: readonly LiquiditySource[];
  readonly follower: Pick<Follower, "onSnapshot" | "ids" | "touched" | "tracked" | "repair" | "startOver">;
  readonly market: Market;
  readonly logger: Logger;
  readonly poolsPerBlock: number;
  /** All nodes, to be asked who is right; without, what was read is. */
  readonly panel?: Panel;
}): Audit {
  const { reader, follower, market, logger } = options;
  const mismatches = new Map<PoolId, number>();
  let compared = 0;
  let mismatched = 0;
  /** Pools whose turns these are, and how many of them have had theirs. They are taken once a round: there may be millions. */
  let round: readonly PoolId[] = [];
  let cursor = 0;
  let snapshots = 0;
  let stopped = false;
  const suspects = new Set<PoolId>();
  let newest: Snapshot | undefined;
  let running: Promise<void> | undefined;
  /** Pools that differed in the last blocks. */
  let lately: readonly { readonly id: PoolId; readonly block: bigint }[] = [];

  async function differingFrom(held: readonly Held[], source: LiquiditySource, at: BlockRef): Promise<readonly Held[]> {
    const refs = held.map(({ ref }) => ref);
    const read = await readPools(reader, source, refs, at);
    return held.filter(({ ref, pool }) => !sameValue(pool, read.get(ref.id)));
  }

  async function recheck(ids: readonly PoolId[], snapshot: Snapshot): Promise<readonly PoolId[]> {
    const wrong: PoolId[] = [];
    for (const source of options.sources) {
      const held = ids.flatMap((id) => {
        const tracked = follower.tracked(id);
        const pool = snapshot.graph.pool(id);
        return tracked?.source === source && pool !== undefined ? [{ ref: tracked.ref, pool }] : [];
      });
      if (held.length === 0) continue;
      const differing = await differingFrom(held, source, snapshot.block);
      compared += held.length;
      // A slip is no difference: anvil, for one, answers now and then from the block that it is just mining.
      const again = differing.length === 0 ? [] : await differingFrom(differing, source, snapshot.block);
      for (const { ref, pool } of again) {
        const verdict = await options.panel?.poolAt(source, ref, snapshot.block);
        // The node that was read from said what is not so, and not the one that was followed.
        if (verdict !== undefined && sameValue(pool, verdict.answer)) continue;
        wrong.push(ref.id);
      }
    }
    for (const id of wrong) condemn(id, snapshot);
    // Memory is what the followed node's logs made it: were they what the others have?
    if (wrong.length > 0) await options.panel?.logsOf(snapshot.block);
    return wrong;
  }

  function condemn(id: PoolId, snapshot: Snapshot): void {
    mismatched += 1;
    const times = (mismatches.get(id) ?? 0) + 1;
    mismatches.set(id, times);
    market.quarantine(id, `its state differed from the chain's at block ${snapshot.block.number}`);
    logger.error({ pool: id, block: Number(snapshot.block.number), times }, "a pool's state differs from the chain's");
    if (times < MAX_MISMATCHES) follower.repair([id]);
    // Anybody can make pools that differ by what their strangers say: they put nothing else in doubt.
    if (follower.tracked(id)?.source.asksStrangers) return;
    lately = [
      ...lately.filter(({ block }) => snapshot.block.number - block < LATELY_BLOCKS),
      { id, block: snapshot.block.number },
    ];
    if (new Set(lately.map((entry) => entry.id)).size < TOO_MANY) return;
    lately = [];
    follower.startOver("Several pools differed from the chain: everything is read anew.", "announcements");
  }

  /** The next pools in turn of those that the snapshot has, and those that its block changed last. */
  function nextInTurn({ graph }: Snapshot): readonly PoolId[] {
    const chosen = new Set<PoolId>();
    for (let rounds = 0; chosen.size < options.poolsPerBlock; cursor++) {
      if (cursor >= round.length) {
        if (rounds++ > 0) break;
        round = follower.ids();
        cursor = 0;
      }
      const id = round[cursor];
      if (id !== undefined && graph.pool(id) !== undefined) chosen.add(id);
    }
    return [...new Set([...chosen, ...follower.touched().slice(-options.poolsPerBlock)])];
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
    newest = snapshot;
    snapshots += 1;
    lookInto(nextInTurn(snapshot));
  });

  return {
    recheck,
    suspect(ids) {
      for (const id of ids) if (suspects.size < MAX_SUSPECTS) suspects.add(id);
      lookInto([]);
    },
    counts: () => ({ compared, mismatched }),
    async stop() {
      stopped = true;
      unlisten();
      await running;
    },
  };
}
