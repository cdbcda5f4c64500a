import type { Hex } from "../../domain/address.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { Log } from "../../market/chain-reader.ts";
import { CatalogFault } from "../../market/pool-catalog.ts";
import type { Logger } from "../../ops/logger.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { Nodes } from "../node/nodes.ts";
import type { ReadBeside, ReadPools } from "../pools/concurrent-reads.ts";
import type { Found } from "../pools/found-pools.ts";
import type { PendingReads } from "../pools/pending-reads.ts";
import type { PoolTracker } from "../pools/pool-tracker.ts";
import type { Demand } from "../pools/wake-pools.ts";
import type { BlockMemory } from "../rpc/block-memory.ts";
import type { Header } from "../rpc/codec.ts";
import { inParallel } from "../rpc/in-parallel.ts";
import type { PoolSearch } from "../search/pool-search.ts";
import type { UndoBackfill } from "./backfill-undo.ts";
import type { Blocks } from "./blocks.ts";
import { lags, pathTo } from "./path-to-head.ts";
import type { Publisher } from "./publisher.ts";

interface StepOptions {
  readonly blocks: Blocks;
  readonly record: ChainRecord;
  readonly ringSize: number;
  readonly publisher: Publisher;
  readonly pending: PendingReads;
  readonly demand: Demand;
  readonly search: Pick<PoolSearch, "peek" | "drop">;
  /** Reads pools that the search has found. */
  readonly beside: ReadBeside;
  readonly undoBackfill: Pick<UndoBackfill, "backfill">;
  readonly memory: Pick<BlockMemory, "rewind">;
  readonly nodes: Pick<Nodes, "agreeOn"> | undefined;
  /** Whether other nodes know a block by the same logs of these topics. */
  readonly confirms: ((header: Header, logs: readonly Log[], topics: readonly Hex[]) => Promise<boolean>) | undefined;
  readonly logger: Logger;
}

/** The way to a head: its blocks above those that are held, linked by their hashes. */
interface Path {
  readonly head: Header;
  readonly headers: readonly Header[];
}

/** Polls in a row that have to name a lower block than our head before it is believed, while the node knows our head or it is below all that is held. */
const POLLS_TO_GO_BACK = 3;
const PARALLEL_LOG_READS = 4;
const BLOCKS_AT_A_TIME = 16;
/** Pools that are read beside at a time, and taken in with one step. */
const MAX_ADOPTED = 1_000;
/**
 * Pools that one block announces and that are read with it while the chain is followed. Anybody can fill blocks with pools,
 * and large ones take a dozen requests each: the rest sleep.
 */
const MAX_NEW = 8;

/** Takes the pools from the block that they are at to the head, and publishes what has come of it. */
export class StepToHead {
  readonly #options: StepOptions;
  #lag = 0n;
  #lowerPolls = 0;

  constructor(options: StepOptions) {
    this.#options = options;
  }

  /** Blocks that the node's newest block was ahead of ours when it was last seen. */
  get lag(): bigint {
    return this.#lag;
  }

  /** One step: the head is asked for once. `topics` are those of all logs that the pools' sources want. */
  async take(pools: PoolTracker, topics: readonly Hex[]): Promise<void> {
    const { publisher, undoBackfill, demand } = this.#options;
    const path = await this.#findPath(pools);
    if (path === undefined || !(await this.#applyBlocks(pools, path, topics))) return;
    await pools.freshen();
    await publisher.publishOrConfirm(pools.tip, await this.#readBeside(pools));
    this.#lag = 0n;
    undoBackfill.backfill(pools, topics);
    // Nobody has asked for these: the block does not wait for them.
    if (path.headers.length > 0 && (await demand.wakeGrown(pools))) await publisher.publish(pools.tip);
  }

  /** The blocks on the way to the head that the nodes agree on; undefined where the head is not believed yet. */
  async #findPath(pools: PoolTracker): Promise<Path | undefined> {
    const { blocks, record, ringSize, nodes } = this.#options;
    const head = await blocks.latest();
    this.#lag = head.number > pools.tip.number ? head.number - pools.tip.number : 0n;
    // Below all that is held: a node that lags by so much is no reason to read everything anew.
    if (lags(head, pools.oldest, record)) return undefined;
    if (head.number <= pools.oldest.number && head.hash !== pools.oldest.hash && !this.#isLowAgain()) return undefined;
    const path = await pathTo(blocks, pools, head, ringSize);
    if (path.length === 0 && head.hash !== pools.tip.hash && !(await this.#goesBack(pools))) return undefined;
    this.#lowerPolls = 0;
    if (path.length > 0 && nodes !== undefined && !(await nodes.agreeOn(head))) return undefined;
    return { head, headers: path };
  }

  /** Applies a path block by block; answers false where other nodes do not confirm it. */
  async #applyBlocks(pools: PoolTracker, { head, headers }: Path, topics: readonly Hex[]): Promise<boolean> {
    const { blocks, pending, publisher } = this.#options;
    const ancestor = headers[0]?.parentHash ?? head.hash;
    // A long way is gone in parts, so that a node that fails now and then does not send us back to its beginning.
    for (let start = 0; start === 0 || start < headers.length; start += BLOCKS_AT_A_TIME) {
      const part = headers.slice(start, start + BLOCKS_AT_A_TIME);
      const logs = await inParallel(part, PARALLEL_LOG_READS, (header) => blocks.logs(header, topics));
      if (!(await this.#confirmed(part, logs, topics))) return false;
      if (start === 0 && ancestor !== pools.tip.hash) this.#rollBack(pools, ancestor, { head, headers });
      for (const [index, header] of part.entries()) {
        // State that logs do not tell is read once, at the last block: nobody looks at the blocks before it.
        const later = header === headers.at(-1) ? undefined : pending.later;
        await pools.apply(header, logs[index]!, publisher.isWithdrawn ? { later } : { later, mostNew: MAX_NEW });
        this.#options.beside.passed(header, logs[index]!);
      }
    }
    return true;
  }

  #rollBack(pools: PoolTracker, ancestor: Hex, { head, headers }: Path): void {
    const { logger, pending, memory, publisher } = this.#options;
    const [from, to] = [Number(pools.tip.number), Number(head.number)];
    logger.warn({ from, to, blocks: headers.length }, "reorganization");
    pending.later(pools.unwindTo(ancestor));
    memory.rewind(pools.tip.number);
    publisher.withdraw("The chain is being reorganized.");
  }

  /** Reads at the tip what logs do not tell: pools in doubt, found in the background, or wanted. Answers whether there were any. */
  async #readBeside(pools: PoolTracker): Promise<boolean> {
    const { pending, demand, publisher } = this.#options;
    // A snapshot's rates tell the value of the tokens that a found pool sells.
    const hasAdopted = !publisher.isWithdrawn && (await this.#adoptFound(pools));
    const changes = [await pending.read(pools), hasAdopted, await demand.wake(pools)];
    return changes.some(Boolean);
  }

  /**
   * Takes in pools that the search has found and that were read beside the following, and begins to read the next. Small
   * ones sleep, as those of old blocks do. Answers whether there were any.
   */
  async #adoptFound(pools: PoolTracker): Promise<boolean> {
    const { search, beside, demand, pending, logger } = this.#options;
    const read = beside.take(pools.tip.hash);
    let hasTaken = false;
    try {
      await demand.sleepSmall(pools, pools.settled());
      if (read !== undefined && read !== "again") {
        const [followed, slept] = this.#sorted(pools, read);
        await pools.keep(slept);
        demand.noteSlept(slept);
        const unknown = pools.adopt({ ...read, found: followed });
        hasTaken = read.found.length > 0;
        pending.later(unknown);
        pools.refuse(search.drop(read.found));
      }
    } catch (error) {
      if (!(error instanceof CatalogFault)) throw error;
      // They are found again: the search goes no further until they can be kept.
      logger.debug({ reason: messageOf(error) }, "found pools could not be put to sleep");
    }
    const next = beside.isBusy ? [] : search.peek(MAX_ADOPTED);
    if (next.length > 0) beside.begin(next, pools.tip, pools.isHeld.bind(pools));
    return hasTaken;
  }

  /** Pools that were read: those that are to be followed, and those that sleep until they are asked for. */
  #sorted(pools: PoolTracker, { found, states, told }: ReadPools): readonly [readonly Found[], readonly Found[]] {
    const isFollowed = ({ ref: { id }, source }: Found) => {
      const state = states.get(id);
      if (state !== undefined) return this.#options.demand.isWorthFollowing(state);
      // Lists tell of a pool again that could not be read; what an announced one lacks, most of them lack for ever.
      return told.has(id) || source.creation === undefined;
    };
    const fresh = found.filter(({ ref }) => !pools.isHeld(ref.id));
    const followed = new Set(fresh.filter(isFollowed));
    return [[...followed], fresh.filter((pool) => !followed.has(pool))];
  }

  async #confirmed(
    part: readonly Header[],
    logs: readonly (readonly Log[])[],
    topics: readonly Hex[],
  ): Promise<boolean> {
    const { confirms } = this.#options;
    if (confirms === undefined) return true;
    const answers = await inParallel(part, PARALLEL_LOG_READS, (header, index) => {
      return confirms(header, logs[index]!, topics);
    });
    return answers.every(Boolean);
  }

  /** Whether a head below ours means that our head is gone, and not only that the node that answered lags. */
  async #goesBack(pools: PoolTracker): Promise<boolean> {
    return this.#isLowAgain() || !(await this.#options.blocks.knows(pools.tip.hash));
  }

  /** Whether the head has been below ours often enough in a row. */
  #isLowAgain(): boolean {
    this.#lowerPolls += 1;
    return this.#lowerPolls >= POLLS_TO_GO_BACK;
  }
}
