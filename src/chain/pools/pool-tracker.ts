import type { Hex } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { CatalogMark } from "../../market/pool-catalog.ts";
import type { KeptPool } from "../../snapshot/kept-state.ts";
import type { Header } from "../rpc/codec.ts";
import type { ReadPools } from "./concurrent-reads.ts";
import type { Found } from "./found-pools.ts";
import type { PoolState } from "./read-pools.ts";
import type { SleepingPools } from "./sleeping-pools.ts";
import type { RefusedCount, Unserved } from "./unserved-pools.ts";

/** The pools at the tip of a chain of blocks linked by parentHash, with the undo history. */
export interface PoolTracker {
  readonly tip: Header;
  /** The block that the undo history ends at. */
  readonly oldest: Header;
  /** Older blocks that the undo history may still take. */
  readonly capacityLeft: number;
  /**
   * Extends the undo history by one block: it ends at the parent of `oldest` then, whose logs are `logs`. The states before
   * it are not known: pools that it changed are to be read anew once it is taken back.
   */
  reachBack(parent: Header, logs: readonly Log[]): void;
  has(hash: Hex): boolean;
  hashAt(blockNumber: bigint): Hex | undefined;
  /**
   * Moves from the tip to its child `header` by that block's logs. Either all of the block is applied or, when the node
   * fails, nothing of it. What moves without a log is left as it was: see `freshen`. Pools that have to be read are read
   * at that block or, with `later`, left without a state and handed over: a node need not have the state of old blocks.
   * Reads at most `mostNew` of the pools that the block announces; the rest sleep.
   */
  apply(
    header: Header,
    logs: readonly Log[],
    options?: { readonly later?: ((ids: readonly PoolId[]) => void) | undefined; readonly mostNew?: number },
  ): Promise<void>;
  /** Reads at the tip what moves without a log, where that was not done. Before it the tip is no state to quote from. */
  freshen(): Promise<void>;
  /**
   * Goes back to a block that `has` knows. Answers pools that are without a state there, since it was read later or never:
   * they are to be read anew.
   */
  unwindTo(hash: Hex): readonly PoolId[];
  /**
   * Takes in pools that were read and were not announced since the undo history begins, also those that are there and could not
   * be read then. Answers those whose state is to be read at the tip.
   */
  adopt(read: ReadPools): readonly PoolId[];
  /** Counts pools that were announced before the undo history begins and are not served. */
  refuse(counts: readonly RefusedCount[]): void;
  /** Pools whose announcements can not be taken back any more, since this was asked last. */
  settled(): readonly PoolId[];
  /** Lets pools go without a state, whose announcements cannot be taken back: their logs are passed over until they are woken. */
  sleep(ids: readonly PoolId[]): Promise<void>;
  /** Lets pools sleep that need not be there yet, and were not announced since the undo history begins. */
  keep(pools: readonly Found[]): Promise<void>;
  /** Reads sleeping pools at the tip and follows them from there. */
  wake(ids: readonly PoolId[]): Promise<void>;
  /** Whether a pool is there, and has a state or sleeps. */
  isHeld(id: PoolId): boolean;
  /** Pools of a source that were announced or listed, are awake, and are not served, by reason. */
  unserved(source: LiquiditySource): readonly Unserved[];
  readonly asleep: Pick<SleepingPools, "size" | "has" | "with" | "count" | "next">;
  /** States of pools at the tip, without those that cannot be read; none of it is kept. */
  peek(ids: readonly PoolId[]): Promise<readonly PoolState[]>;
  /** Reads pools anew at the tip. The undo history keeps its old states. */
  resync(ids: readonly PoolId[]): Promise<void>;
  /**
   * All pools as a block of the undo history left them. Without a state are those that could not be read then, and those whose
   * state there is in doubt: they were read anew since, or are among `doubted`.
   */
  stateAt(
    blockNumber: bigint,
    doubted: Pick<ReadonlySet<PoolId>, "has">,
  ):
    | { readonly header: Header; readonly pools: readonly KeptPool[]; readonly refused: readonly RefusedCount[] }
    | undefined;
  /** Source and reference of a known pool, even if it sleeps or cannot be read. */
  tracked(id: PoolId): Found | undefined;
  /** Number of known pools; `known` lists them, sleeping pools last. */
  readonly size: number;
  known(): Iterable<Found>;
  /** Those that are awake. */
  ids(): readonly PoolId[];
  /** Awake pools without a state that none is waiting for at a later block either. */
  unread(): readonly PoolId[];
  /** Mark of the catalog that a state kept now relies on; undefined without a catalog. @throws CatalogFault */
  mark(): CatalogMark | undefined;
  /** Pools that the tip's block changed, in the order of their last change. */
  changed(): readonly PoolId[];
}
