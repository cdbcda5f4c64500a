import type { Hex } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import type { PoolId } from "../domain/route.ts";
import type { ChainReader } from "../market/chain-reader.ts";
import type { LiquiditySource } from "../market/liquidity-source.ts";
import type { Market } from "../market/market.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { Logger } from "../ops/logger.ts";
import { createBlocks } from "./blocks.ts";
import type { ChainRecord } from "./chains/chain-record.ts";
import type { Clock } from "./clock.ts";
import { type DiscoveryProgress, discover, type Found } from "./discovery.ts";
import { readGasPrice } from "./gas-price.ts";
import type { Nodes } from "./nodes.ts";
import { type PoolTracker, startPoolTracker, topicsOf } from "./pool-tracker.ts";
import type { Provider } from "./provider.ts";
import { BlockGoneError } from "./provider-errors.ts";
import { inParallel } from "./reader.ts";
import type { SavedState } from "./state-file.ts";
import type { Header } from "./wire.ts";

export interface FollowerStatus {
  readonly phase: "stopped" | "syncing" | "following";
  /** The block that the newest snapshot is of. */
  readonly head: BlockRef | undefined;
  /** Blocks that the node's newest block was ahead of ours when it was last seen. */
  readonly lag: bigint;
  /** Pools that were announced, readable or not. */
  readonly pools: number;
  /** Why the last step failed; undefined when it did not. */
  readonly lastError: string | undefined;
  readonly resyncs: number;
  /** How far the search for pools has come, while there is one. */
  readonly discovery: DiscoveryProgress | undefined;
}

/** Follows the head of the chain and publishes one snapshot per step, always of a whole block. */
export interface Follower {
  start(): void;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
  status(): FollowerStatus;
  /** Calls `listener` with each snapshot; the answer ends that. */
  onSnapshot(listener: (snapshot: Snapshot) => void): () => void;
  /** Has pools read anew and their quarantine lifted with the next step. */
  repair(ids: readonly PoolId[]): void;
  /** All pools as the newest block left them that is not expected to go any more; undefined while there is none. */
  savedState(): SavedState | undefined;
  /** The hash held for a height. */
  canonicalHash(blockNumber: bigint): Hex | undefined;
  /** Ids of all pools that were announced. */
  ids(): readonly PoolId[];
  /** Pools that the newest block changed, in the order of their last change. */
  touched(): readonly PoolId[];
  /** A pool as it was announced. */
  tracked(id: PoolId): Found | undefined;
}

/** The state cannot be reached from what is held: it is read from the beginning. */
class ResyncNeeded extends Error {
  override readonly name = "ResyncNeeded";
}

/**
 * Pools are read this far below the head and followed from there: ranges of logs cannot be held to a bloom, and it is for
 * the newest blocks that nodes answer them short.
 */
const BASE_DEPTH = 16n;
/** Longest pause after failures, but for chains whose blocks come faster: there it is a block time. */
const MAX_BACKOFF_MS = 5_000;
/** Polls in a row that have to name a lower ancestor of our head before it is believed while the node knows our head. */
const POLLS_TO_GO_BACK = 3;
/** Failures in a row on a chain of blocks that cannot be linked or read before everything is read anew. */
const FAILURES_TO_RESYNC = 12;
const PARALLEL_LOG_READS = 4;
const HEADERS_AT_A_TIME = 16;
/** Blocks that a kept state is brought forward by their logs; beyond them reading all pools anew is quicker. */
const MAX_REPLAY = 2_000n;
const KEEP_DISCOVERY_EVERY_MS = 10_000;

/** A follower that nothing makes exit: what goes wrong is retried, and what cannot be right is read anew. */
export function createFollower(options: {
  readonly provider: Provider;
  readonly reader: ChainReader;
  readonly record: ChainRecord;
  readonly sources: readonly LiquiditySource[];
  readonly market: Market;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Milliseconds between looks at the head; a hint of the provider wakes it earlier. */
  readonly pollIntervalMs?: number;
  /**
   * Asked before every reading from the beginning: the sources, of `sources`, whose contracts stand at that block.
   * Throws when the node may not be believed (another chain).
   */
  readonly usableSources?: (at: BlockRef) => Promise<readonly LiquiditySource[]>;
  /** What was kept of an earlier run; it is asked for once. */
  readonly loadState?: () => Promise<SavedState | undefined>;
  /** Keeps what a search has found up to a block, so that the next run need not search it again. */
  readonly keepDiscovery?: (state: SavedState) => Promise<void>;
  /** The nodes behind `provider`, where there are several. */
  readonly nodes?: Pick<Nodes, "beginTurn" | "blame" | "agreeOn">;
}): Follower {
  const { provider, reader, record, market, logger, clock } = options;
  const pollIntervalMs = options.pollIntervalMs ?? Math.min(Math.max(record.blockTimeMs / 4, 100), 2_000);
  const maxBackoffMs = Math.min(Math.max(record.blockTimeMs, 2 * pollIntervalMs), MAX_BACKOFF_MS);
  const ringSize = Math.max(128, 2 * record.finalityDepth);
  const blocks = createBlocks(provider, record);
  const listeners = new Set<(snapshot: Snapshot) => void>();
  const repairs = new Set<PoolId>();

  let tracker: PoolTracker | undefined;
  let topics: readonly Hex[] = [];
  let published: Header | undefined;
  let withdrawn = false;
  let running: Promise<void> | undefined;
  let stopped = false;
  let endPause = () => {};
  /** Somebody wants another look, maybe at what came after this turn began. */
  let woken = false;
  let failures = 0;
  let lowerPolls = 0;
  let lag = 0n;
  let resyncs = 0;
  let lastError: string | undefined;
  let discovery: DiscoveryProgress | undefined;
  let loadState = options.loadState;

  async function bootstrap(): Promise<void> {
    const head = await blocks.latest();
    const sources = (await options.usableSources?.(head)) ?? options.sources;
    market.reset("The state of the chain is being read.");
    withdrawn = true;
    topics = topicsOf(sources);
    const saved = await loadSaved(sources, head);
    const started = (saved && (await bringForward(saved, sources, head))) ?? (await readAll(sources, head, saved));
    tracker = started;
    for (const id of started.ids()) if (market.pools.get(id) === undefined) repairs.add(id);
    logger.info({ block: Number(started.tip.number), pools: started.ids().length }, "pools read, following from here");
    await step(started);
  }

  /** What an earlier run kept, if its block is still on the chain. Whatever is wrong with it, it is done without. */
  async function loadSaved(sources: readonly LiquiditySource[], head: Header): Promise<Kept | undefined> {
    const load = loadState;
    loadState = undefined;
    const saved = await load?.().catch((error: unknown) => {
      logger.warn({ reason: error instanceof Error ? error.message : "unknown" }, "the kept state is of no use");
      return undefined;
    });
    if (saved === undefined || saved.block.number >= head.number) return undefined;
    const base = await blocks.byNumber(saved.block.number);
    if (base.hash !== saved.block.hash) {
      logger.warn({ block: Number(base.number) }, "the kept state is of another chain's block");
      return undefined;
    }
    const byId = new Map(sources.map((source) => [source.id, source]));
    const found: Found[] = [];
    const states: Kept["states"] = new Map();
    for (const { source: id, ref, pool } of saved.pools) {
      const source = byId.get(id);
      if (source === undefined) continue;
      found.push({ ref, source });
      if (pool !== undefined) states.set(ref.id, pool);
    }
    return { base, found, states };
  }

  /** The kept state, brought forward block by block; undefined when it is too old or the way is lost. */
  async function bringForward(
    { base, found, states }: Kept,
    sources: readonly LiquiditySource[],
    head: Header,
  ): Promise<PoolTracker | undefined> {
    if (head.number - base.number > MAX_REPLAY) return undefined;
    const pools = await startPoolTracker({
      reader,
      store: market.pools,
      sources,
      found,
      base,
      states,
      ringSize,
      clock,
    });
    const stride = BigInt(ringSize) / 2n;
    while (head.number - pools.tip.number > stride) {
      const path = await pathTo(pools, await blocks.byNumber(pools.tip.number + stride));
      if (path[0]?.parentHash !== pools.tip.hash) throw new BlockGoneError("the chain changed while it was read");
      const logs = await inParallel(path, PARALLEL_LOG_READS, (header) => blocks.logs(header, topics));
      for (const [index, header] of path.entries()) {
        await pools.apply(header, logs[index]!, (ids) => {
          for (const id of ids) repairs.add(id);
        });
      }
    }
    return pools;
  }

  /** Every pool, read near the head. */
  async function readAll(
    sources: readonly LiquiditySource[],
    head: Header,
    saved: Kept | undefined,
  ): Promise<PoolTracker> {
    const base = await blocks.byNumber(head.number > BASE_DEPTH ? head.number - BASE_DEPTH : 0n);
    let keptAt = clock.elapsed();
    const found = await discover({
      reader,
      sources,
      record,
      to: base,
      clock,
      headerOf: blocks.byNumber,
      ...(saved === undefined ? {} : { fromBlock: saved.base.number + 1n, found: saved.found }),
      async onWindow(progress, block, sofar) {
        discovery = progress;
        logger.info(
          {
            ...progress,
            fromBlock: Number(progress.fromBlock),
            nextBlock: Number(progress.nextBlock),
            toBlock: Number(progress.toBlock),
          },
          "searching for pools",
        );
        if (clock.elapsed() - keptAt < KEEP_DISCOVERY_EVERY_MS) return;
        keptAt = clock.elapsed();
        const pools = sofar.map(({ ref, source }) => ({ source: source.id, ref, pool: undefined }));
        await options.keepDiscovery?.({ block: blockRefOf(block), pools });
      },
    });
    const pools = await startPoolTracker({ reader, store: market.pools, sources, found, base, ringSize, clock });
    discovery = undefined;
    if (!(await blocks.knows(base.hash))) throw new BlockGoneError("the block that was read at is gone");
    return pools;
  }

  async function step(pools: PoolTracker): Promise<void> {
    const head = await blocks.latest();
    lag = head.number > pools.tip.number ? head.number - pools.tip.number : 0n;
    const path = await pathTo(pools, head);
    const ancestor = path[0]?.parentHash ?? head.hash;
    if (path.length === 0 && head.hash !== pools.tip.hash && !(await goesBack(pools))) return;
    lowerPolls = 0;
    if (path.length > 0 && options.nodes !== undefined && !(await options.nodes.agreeOn(head))) return;

    const logs = await inParallel(path, PARALLEL_LOG_READS, (header) => blocks.logs(header, topics));
    if (ancestor !== pools.tip.hash) {
      logger.warn({ from: Number(pools.tip.number), to: Number(head.number), blocks: path.length }, "reorganization");
      pools.unwindTo(ancestor);
      market.suspend("The chain is being reorganized.");
      withdrawn = true;
    }
    for (const [index, header] of path.entries()) await pools.apply(header, logs[index]!);
    const repaired = await repair(pools);
    if (pools.tip.hash === published?.hash && !repaired && !withdrawn) market.confirm();
    else await publish(pools.tip);
    lag = 0n;
  }

  /** The blocks from the newest that is held, exclusive, to `head`. */
  async function pathTo(pools: PoolTracker, head: Header): Promise<readonly Header[]> {
    const path: Header[] = [];
    const ahead = new Map<Hex, Header>();
    for (let header = head; !pools.has(header.hash); ) {
      path.push(header);
      if (header.number <= pools.oldest.number) throw new ResyncNeeded("a reorganization deeper than the undo ring");
      if (path.length > ringSize) throw new ResyncNeeded("too far behind the head");
      if (path.length > 1 && !ahead.has(header.parentHash)) await readBelow(header, ahead);
      const parent = ahead.get(header.parentHash) ?? (await blocks.byHash(header.parentHash));
      if (parent.number !== header.number - 1n) throw new ResyncNeeded("a parent of another height");
      header = parent;
    }
    return path.reverse();
  }

  /** Reads what is likely to be the next blocks on the way down, all at once; the hashes tell whether they are. */
  async function readBelow(header: Header, into: Map<Hex, Header>): Promise<void> {
    const numbers = Array.from({ length: HEADERS_AT_A_TIME }, (_, index) => header.number - 1n - BigInt(index));
    const read = numbers.map((number) => (number < 0n ? undefined : blocks.byNumber(number).catch(() => undefined)));
    for (const found of await Promise.all(read)) if (found !== undefined) into.set(found.hash, found);
  }

  /** Whether a head below ours means that our head is gone, and not only that the node that answered lags. */
  async function goesBack(pools: PoolTracker): Promise<boolean> {
    lowerPolls += 1;
    return lowerPolls >= POLLS_TO_GO_BACK || !(await blocks.knows(pools.tip.hash));
  }

  async function repair(pools: PoolTracker): Promise<boolean> {
    if (repairs.size === 0) return false;
    const ids = [...repairs];
    await pools.resync(ids);
    for (const id of ids) {
      repairs.delete(id);
      market.release(id);
    }
    return true;
  }

  async function publish(tip: Header): Promise<void> {
    const snapshot = market.publish(tip, await readGasPrice(provider, tip));
    published = tip;
    withdrawn = false;
    for (const listener of listeners) {
      try {
        listener(snapshot);
      } catch (error) {
        logger.error({ err: error }, "a listener of snapshots failed");
      }
    }
  }

  async function turn(): Promise<void> {
    options.nodes?.beginTurn();
    try {
      if (tracker === undefined) await bootstrap();
      else await step(tracker);
      failures = 0;
      lastError = undefined;
    } catch (error) {
      failures += 1;
      lastError = error instanceof Error ? error.message : String(error);
      logger.warn({ reason: lastError, failures }, "following the chain failed, trying again");
      if (error instanceof ResyncNeeded) failures = 1;
      else options.nodes?.blame();
      if (
        error instanceof ResyncNeeded ||
        (tracker !== undefined && failures % FAILURES_TO_RESYNC === 0 && !isSilent(error))
      ) {
        tracker = undefined;
        resyncs += 1;
        market.suspend("The state of the chain is being read anew.");
      }
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false;
      await turn();
      if (stopped || (woken && failures === 0)) continue;
      const backoffMs = failures === 0 ? pollIntervalMs : Math.min(pollIntervalMs * 2 ** failures, maxBackoffMs);
      await new Promise<void>((resolve) => {
        const cancel = clock.after(backoffMs, resolve);
        endPause = () => {
          cancel();
          resolve();
        };
      });
    }
  }

  function wake(): void {
    woken = true;
    endPause();
  }

  const unlisten = provider.onHeadHint(() => {
    if (failures === 0) wake();
  });

  return {
    start() {
      running ??= run();
    },
    async stop() {
      stopped = true;
      unlisten();
      wake();
      await running;
      running = undefined;
    },
    status: () => ({
      phase: running === undefined ? "stopped" : tracker === undefined ? "syncing" : "following",
      head: published === undefined ? undefined : blockRefOf(published),
      lag,
      pools: tracker?.ids().length ?? 0,
      lastError,
      resyncs,
      discovery,
    }),
    onSnapshot(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    repair(ids) {
      for (const id of ids) repairs.add(id);
      wake();
    },
    savedState() {
      if (tracker === undefined) return undefined;
      const depth = BigInt(record.finalityDepth);
      const state = tracker.tip.number > depth ? tracker.stateAt(tracker.tip.number - depth) : undefined;
      return state && { block: blockRefOf(state.header), pools: state.pools };
    },
    canonicalHash: (blockNumber) => tracker?.hashAt(blockNumber),
    ids: () => tracker?.ids() ?? [],
    touched: () => tracker?.touched() ?? [],
    tracked: (id) => tracker?.tracked(id),
  };
}

/** What an earlier run kept, made out with the sources of this one. */
interface Kept {
  readonly base: Header;
  readonly found: readonly Found[];
  readonly states: Map<PoolId, SavedState["pools"][number]["pool"] & object>;
}

function blockRefOf({ number, hash, parentHash, timestamp }: BlockRef): BlockRef {
  return { number, hash, parentHash, timestamp };
}

/** A node that does not answer at all says nothing against the state that is held. */
function isSilent(error: unknown): boolean {
  return error instanceof Error && error.name === "TransportError";
}
