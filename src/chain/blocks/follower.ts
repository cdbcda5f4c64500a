import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { ChainReader, Log } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Market } from "../../market/market.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Logger } from "../../ops/logger.ts";
import type { KeptState } from "../../snapshot/kept-state.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { Nodes } from "../node/nodes.ts";
import type { DiscoveryProgress } from "../pools/discovery.ts";
import type { Found } from "../pools/found-pools.ts";
import { createPendingReads } from "../pools/pending-reads.ts";
import { type PoolTracker, topicsOf } from "../pools/pool-tracker.ts";
import { createDemand } from "../pools/wake-pools.ts";
import type { BlockMemory } from "../rpc/block-memory.ts";
import type { Clock } from "../rpc/clock.ts";
import type { Header } from "../rpc/codec.ts";
import { inParallel } from "../rpc/in-parallel.ts";
import type { Provider } from "../rpc/provider.ts";
import { BlockGoneError, reasonOf } from "../rpc/provider-errors.ts";
import { createBlocks } from "./blocks.ts";
import { createBeginning } from "./bootstrap.ts";
import { readDataFee } from "./data-fee.ts";
import { createGasPrices } from "./gas-price.ts";
import { lags } from "./lag.ts";
import { pathTo, ResyncNeeded } from "./path-to-head.ts";
import { createWayBack } from "./roll-back.ts";
import { createSnapshotListeners } from "./snapshot-listeners.ts";
import { createTurns } from "./turns.ts";

export interface FollowerStatus {
  readonly phase: "stopped" | "syncing" | "following";
  /** The block that the newest snapshot is of. */
  readonly head: BlockRef | undefined;
  /** Blocks that the node's newest block was ahead of ours when it was last seen. */
  readonly lag: bigint;
  /** Pools that were announced, readable or not. */
  readonly pools: number;
  /** Pools among them that are too small to be followed before somebody asks for one of their tokens. */
  readonly asleep: number;
  /** Why the last step failed; undefined when it did not. */
  readonly lastError: string | undefined;
  readonly resyncs: number;
  /** How far the search for pools has come, while there is one. */
  readonly discovery: DiscoveryProgress | undefined;
}

/**
 * What still holds when everything is read anew: pools with their states at a block that is not expected to go, which are
 * brought forward if it is still on the chain; which pools there are; or nothing.
 */
type Trust = "states" | "announcements" | "nothing";

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
  /** Somebody asks for a token: its pools are followed from the next step on. */
  want(token: Address): void;
  /** What was read is in doubt: nothing is quoted until everything has been read anew, but for what is trusted. */
  startOver(reason: string, trust: Exclude<Trust, "states">): void;
  /** All pools as the newest block left them that is not expected to go any more; undefined while there is none. */
  savedState(): KeptState | undefined;
  /** The hash held for a height. */
  canonicalHash(blockNumber: bigint): Hex | undefined;
  /** Ids of all pools that were announced. */
  ids(): readonly PoolId[];
  /** Pools that the newest block changed, in the order of their last change. */
  touched(): readonly PoolId[];
  /** Pools of a source that are too small to be followed before somebody asks for one of their tokens. */
  asleep(source: SourceId): number;
  /** A pool as it was announced. */
  tracked(id: PoolId): Found | undefined;
}

/** Longest pause after failures, but for chains whose blocks come faster: there it is a block time. */
const MAX_BACKOFF_MS = 5_000;
/** Polls in a row that have to name a lower block than our head before it is believed, while the node knows our head or it is below all that is held. */
const POLLS_TO_GO_BACK = 3;
/** Failures in a row on a chain of blocks that cannot be linked or read before everything is read anew. */
const FAILURES_TO_RESYNC = 12;
/** Failures in a row for want of a block that the node does not give, though it gives later ones: it never may. */
const HOLES_TO_RESYNC = 3;
const PARALLEL_LOG_READS = 4;
const BLOCKS_AT_A_TIME = 16;
/** Pools that are taken in with one step: more would hold up the head. */
const MOST_ADOPTED = 500;
/**
 * Pools that one block announces and that are read with it while the chain is followed. Anybody can fill blocks with pools,
 * and large ones take a dozen requests each: the rest sleep.
 */
const MOST_NEW = 8;

/** A follower that nothing makes exit: what goes wrong is retried, and what cannot be right is read anew. */
export function createFollower(options: {
  readonly provider: Provider;
  readonly reader: ChainReader;
  /** Told of the blocks that leave the chain. */
  readonly memory: Pick<BlockMemory, "rewind" | "clear">;
  readonly record: ChainRecord;
  /** Tokens whose pools are asked of the factories first, where the search for all pools would take long. */
  readonly tokens?: readonly Address[];
  /** Blocks whose search is waited for; a longer one goes on beside the following. */
  readonly searchAtOnce?: bigint;
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
  /** What was kept of an earlier run; it is asked for until the chain is followed. */
  readonly loadState?: () => Promise<KeptState | undefined>;
  /** Keeps what a search has found up to a block, so that the next run need not search it again. */
  readonly keepDiscovery?: (state: KeptState) => Promise<void>;
  /** The nodes behind `provider`, where there are several. */
  readonly nodes?: Pick<Nodes, "beginTurn" | "blame" | "agreeOn" | "panel">;
  /** Whether every block's logs are proved by its receipts; they are not by default. */
  readonly proves?: boolean;
  /** Whether other nodes, as many as are wanted, know a block by the same logs of these topics. */
  readonly confirms?: (header: Header, logs: readonly Log[], topics: readonly Hex[]) => Promise<boolean>;
}): Follower {
  const { provider, reader, memory, record, market, logger, clock } = options;
  const pollIntervalMs = options.pollIntervalMs ?? Math.min(Math.max(record.blockTimeMs / 4, 100), 2_000);
  const maxBackoffMs = Math.min(Math.max(record.blockTimeMs, 2 * pollIntervalMs), MAX_BACKOFF_MS);
  const ringSize = Math.max(128, 2 * record.finalityDepth);
  const finalityDepth = BigInt(record.finalityDepth);
  const blocks = createBlocks(provider, record, { clock, proves: options.proves ?? false });
  const wayBack = createWayBack(blocks);
  const listeners = createSnapshotListeners(logger);
  const pending = createPendingReads(market);
  const demand = createDemand(market);
  const gasPriceAfter = createGasPrices(provider, () => {
    const panel = options.nodes?.panel() ?? [];
    return panel.flatMap((node) => (node.followed ? [] : [node.provider]));
  });

  async function loadState(): Promise<KeptState | undefined> {
    const saved = await options.loadState?.();
    market.recallDepths(saved?.deepSince ?? []);
    return saved;
  }

  const beginning = createBeginning({
    reader,
    record,
    blocks,
    store: () => market.pools,
    tokens: options.tokens ?? [],
    ...(options.searchAtOnce === undefined ? {} : { searchAtOnce: options.searchAtOnce }),
    ringSize,
    clock,
    logger,
    later: pending.later,
    loadState: options.loadState && loadState,
    keepDiscovery: options.keepDiscovery,
  });

  let tracker: PoolTracker | undefined;
  let topics: readonly Hex[] = [];
  /** Those of `tracker`. */
  let followedSources: readonly SourceId[] = [];
  let published: Header | undefined;
  let withdrawn = false;
  let stopped = false;
  let failures = 0;
  /** Of these, the last in a row for want of a block. */
  let holes = 0;
  let lowerPolls = 0;
  let lag = 0n;
  let resyncs = 0;
  let lastError: string | undefined;
  /** Why everything is to be read anew, but for what is trusted. */
  let doubt: { readonly reason: string; readonly trust: Trust } | undefined;
  /** The same while it is being read, for those who ask meanwhile. */
  let whyAnew: string | undefined;
  /** Pools that slept when everything was to be read anew. */
  let slept: ReadonlySet<PoolId> = new Set();

  async function bootstrap(): Promise<void> {
    const head = await blocks.latest();
    const sources = (await options.usableSources?.(head)) ?? options.sources;
    market.reset(whyAnew ?? "The state of the chain is being read.");
    withdrawn = true;
    topics = topicsOf(sources);
    const started = await beginning.start(sources, head, topics, {
      asleep: slept,
      hasHoles: holes >= HOLES_TO_RESYNC,
    });
    tracker = started;
    followedSources = sources.map(({ id }) => id);
    pending.later(started.ids().filter((id) => market.pools.get(id) === undefined));
    logger.info({ block: Number(started.tip.number), pools: started.ids().length }, "pools read, following from here");
    await step(started);
  }

  async function step(pools: PoolTracker): Promise<void> {
    const head = await blocks.latest();
    lag = head.number > pools.tip.number ? head.number - pools.tip.number : 0n;
    // Below all that is held: a node that lags by so much is no reason to read everything anew.
    if (lags(head, pools.oldest, record)) return;
    if (head.number <= pools.oldest.number && head.hash !== pools.oldest.hash && !isLowAgain()) return;
    const path = await pathTo(blocks, pools, head, ringSize);
    const ancestor = path[0]?.parentHash ?? head.hash;
    if (path.length === 0 && head.hash !== pools.tip.hash && !(await goesBack(pools))) return;
    lowerPolls = 0;
    if (path.length > 0 && options.nodes !== undefined && !(await options.nodes.agreeOn(head))) return;

    // A long way is gone in parts, so that a node that fails now and then does not send us back to its beginning.
    for (let start = 0; start === 0 || start < path.length; start += BLOCKS_AT_A_TIME) {
      const part = path.slice(start, start + BLOCKS_AT_A_TIME);
      const logs = await inParallel(part, PARALLEL_LOG_READS, (header) => blocks.logs(header, topics));
      if (!(await confirmed(part, logs))) return;
      if (start === 0 && ancestor !== pools.tip.hash) {
        logger.warn({ from: Number(pools.tip.number), to: Number(head.number), blocks: path.length }, "reorganization");
        pending.later(pools.unwindTo(ancestor));
        memory.rewind(pools.tip.number);
        market.suspend("The chain is being reorganized.");
        withdrawn = true;
      }
      for (const [index, header] of part.entries()) {
        // What cannot be told from logs is read once, at the last block: nobody looks at those before it.
        const later = header === path.at(-1) ? undefined : pending.later;
        await pools.apply(header, logs[index]!, withdrawn ? { later } : { later, mostNew: MOST_NEW });
      }
    }
    await pools.freshen();
    // What can be bought from a pool that was found is told by the rates of a snapshot.
    const changes = [await pending.read(pools), !withdrawn && (await grow(pools)), await demand.wake(pools)];
    const repaired = changes.some(Boolean);
    if (pools.tip.hash === published?.hash && !repaired && !withdrawn) market.confirm();
    else await publish(pools.tip);
    lag = 0n;
    wayBack.lengthen(pools, topics);
    // Nobody has asked for these: the block does not wait for them.
    if (path.length > 0 && (await demand.wakeGrown(pools))) await publish(pools.tip);
  }

  async function confirmed(part: readonly Header[], logs: readonly (readonly Log[])[]): Promise<boolean> {
    const { confirms } = options;
    if (confirms === undefined) return true;
    const answers = await inParallel(part, PARALLEL_LOG_READS, (header, index) => {
      return confirms(header, logs[index]!, topics);
    });
    return answers.every(Boolean);
  }

  /** Whether a head below ours means that our head is gone, and not only that the node that answered lags. */
  async function goesBack(pools: PoolTracker): Promise<boolean> {
    return isLowAgain() || !(await blocks.knows(pools.tip.hash));
  }

  /** Whether the head has been below ours often enough in a row. */
  function isLowAgain(): boolean {
    lowerPolls += 1;
    return lowerPolls >= POLLS_TO_GO_BACK;
  }

  /** Takes in some of the pools that the search beside the following has found. Small ones sleep, as those of old blocks do. */
  async function grow(pools: PoolTracker): Promise<boolean> {
    const found = await beginning.handOver(MOST_ADOPTED, pools.adopt);
    const ids = found.map(({ ref }) => ref.id);
    demand.sleepSmall(pools, [...ids, ...pools.settled()]);
    return ids.length > 0;
  }

  async function publish(tip: Header): Promise<void> {
    const [gasPrice, dataFee] = await Promise.all([gasPriceAfter(tip), readDataFee(reader, record, tip)]);
    if (doubt !== undefined) return;
    const snapshot = market.publish(tip, gasPrice, dataFee);
    published = tip;
    withdrawn = false;
    whyAnew = undefined;
    listeners.tell(snapshot);
  }

  /** All pools as a block left them that has so many on top of it. */
  function stateBelow(pools: PoolTracker, depth: bigint): KeptState | undefined {
    // A pool in quarantine may be in it because its state is not what the chain says.
    const state = pools.stateAt(pools.tip.number - depth, market.quarantined());
    if (state === undefined) return undefined;
    const block = blockRefOf(state.header);
    const deepSince = market.deepSince();
    return { block, pools: state.pools, sources: followedSources, deepSince, search: beginning.rest() };
  }

  /** Everything is to be read anew, but for what is trusted and what slept. `why` is a sentence for those who ask meanwhile. */
  function dropTracker(why: string, trust: Trust): void {
    if (tracker !== undefined && trust !== "nothing") {
      const known = tracker.tip.number - tracker.oldest.number;
      const state = stateBelow(tracker, known < finalityDepth ? known : finalityDepth);
      if (state !== undefined) beginning.hold(state, trust === "states");
    }
    slept = tracker?.asleep.ids() ?? slept;
    tracker = undefined;
    memory.clear();
    pending.forgetUnread();
    resyncs += 1;
    whyAnew = why;
    market.suspend(why);
  }

  /** Goes on from where the chain is followed, or begins to; answers how often in a row that has failed. */
  async function turn(): Promise<number> {
    options.nodes?.beginTurn();
    if (doubt !== undefined) {
      if (doubt.trust === "nothing") beginning.forget();
      if (tracker !== undefined) dropTracker(doubt.reason, doubt.trust);
      doubt = undefined;
    }
    try {
      if (tracker === undefined) await bootstrap();
      else await step(tracker);
      failures = 0;
      holes = 0;
      lastError = undefined;
    } catch (error) {
      if (!stopped) fail(error);
    }
    return failures;
  }

  /** Notes why a turn failed, and has everything read anew where another turn would fail for the same reason. */
  function fail(error: unknown): void {
    failures += 1;
    holes = error instanceof BlockGoneError ? holes + 1 : 0;
    lastError = reasonOf(error);
    const reason = messageOf(error);
    logger.warn({ reason, failures }, "following the chain failed, trying again");
    const anew = "The state of the chain is being read anew";
    if (error instanceof ResyncNeeded) {
      failures = 1;
      dropTracker(`${anew}: ${error.message}.`, "states");
      return;
    }
    options.nodes?.blame();
    if (tracker === undefined) return;
    if (holes > 0 && holes % HOLES_TO_RESYNC === 0)
      dropTracker(`${anew}: the node lacks blocks of it.`, "announcements");
    else if (failures % FAILURES_TO_RESYNC === 0 && !isSilent(error))
      dropTracker(`${anew}: ${failures} looks at it in a row failed.`, "announcements");
  }

  const turns = createTurns({ turn, pauseMs: pollIntervalMs, maxBackoffMs, clock });
  const unlisten = provider.onHeadHint(() => {
    if (failures === 0) turns.wake();
  });

  return {
    start: turns.start,
    async stop() {
      stopped = true;
      unlisten();
      await Promise.all([turns.stop(), beginning.stop()]);
      await wayBack.settled();
    },
    status: () => ({
      phase: !turns.running ? "stopped" : tracker === undefined ? "syncing" : "following",
      head: published === undefined ? undefined : blockRefOf(published),
      lag,
      pools: tracker?.size ?? 0,
      asleep: tracker?.asleep.size ?? 0,
      lastError,
      resyncs,
      discovery: beginning.progress(),
    }),
    onSnapshot: listeners.add,
    repair(ids) {
      pending.repair(ids);
      turns.wake();
    },
    want: (token) => demand.want(token, tracker),
    startOver(reason, trust) {
      doubt = { reason, trust: doubt?.trust === "nothing" ? "nothing" : trust };
      market.suspend(reason);
      turns.wake();
    },
    savedState: () => (tracker === undefined || doubt !== undefined ? undefined : stateBelow(tracker, finalityDepth)),
    canonicalHash: (blockNumber) => tracker?.hashAt(blockNumber),
    ids: () => tracker?.ids() ?? [],
    touched: () => tracker?.touched() ?? [],
    asleep: (source) => tracker?.asleep.count(source) ?? 0,
    tracked: (id) => tracker?.tracked(id),
  };
}

function blockRefOf({ number, hash, parentHash, timestamp }: BlockRef): BlockRef {
  return { number, hash, parentHash, timestamp };
}

/** A node that does not answer at all says nothing against the state that is held. */
function isSilent(error: unknown): boolean {
  return error instanceof Error && error.name === "TransportError";
}
