import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { ChainReader, Log } from "../../market/chain-reader.ts";
import type { LeftOut } from "../../market/eligibility.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Market } from "../../market/market.ts";
import type { PoolCatalog } from "../../market/pool-catalog.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Logger } from "../../ops/logger.ts";
import type { KeptState } from "../../snapshot/kept-state.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { Nodes } from "../node/nodes.ts";
import type { Found } from "../pools/found-pools.ts";
import type { BlockMemory } from "../rpc/block-memory.ts";
import type { Clock } from "../rpc/clock.ts";
import type { Header } from "../rpc/codec.ts";
import type { Provider } from "../rpc/provider.ts";
import type { SearchRange } from "../search/background-search.ts";
import type { DiscoveryProgress } from "../search/discovery.ts";

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
  /** Progress of the search for pools, while one runs. */
  readonly discovery: DiscoveryProgress | undefined;
}

/**
 * Knowledge that stays valid when everything is read anew. "states": pools with their states at a final block, brought
 * forward if that block is still on the chain; "announcements": the list of pools; or nothing.
 */
export type Trust = "states" | "announcements" | "nothing";

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
  /** Withdraws all snapshots until everything has been read anew, except for the data that `trust` names. */
  startOver(reason: string, trust: Exclude<Trust, "states">): void;
  /** All pools as the newest block left them that is not expected to go any more; undefined while there is none. */
  savedState(): KeptState | undefined;
  /** Blocks whose announcements of pools are not searched yet. */
  searchLeft(): readonly SearchRange[];
  /** The hash held for a height. */
  canonicalHash(blockNumber: bigint): Hex | undefined;
  /** All pools that were announced, those that sleep last. */
  known(): Iterable<Found>;
  /** Ids of those that are awake. */
  ids(): readonly PoolId[];
  /** Pools that the newest block changed, in the order of their last change. */
  changed(): readonly PoolId[];
  /** Pools of a source that are too small to be followed before somebody asks for one of their tokens. */
  asleep(source: SourceId): number;
  /** Pools of a source that were seen on the chain and are not served. */
  unserved(source: LiquiditySource): readonly LeftOut[];
  /** A pool as it was announced. */
  tracked(id: PoolId): Found | undefined;
}

/** Dependencies and limits of a follower. */
export interface FollowerOptions {
  readonly provider: Provider;
  readonly reader: ChainReader;
  /** Reads what nobody waits for: pools that the search beside the following has found. `reader` where it is left out. */
  readonly patient?: ChainReader;
  /** Reads logs of old blocks for the search. `patient` where it is left out. */
  readonly history?: ChainReader;
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
  /** Loads the state that an earlier run kept; called until the chain is followed. */
  readonly loadState?: () => Promise<KeptState | undefined>;
  /** Catalog of sleeping pools; without it they are kept in memory. */
  readonly catalog?: PoolCatalog | undefined;
  /** Terms that each source's pools are read with. */
  readonly terms?: ReadonlyMap<SourceId, string>;
  /** Keeps what a search has found up to a block, so that the next run need not search it again. */
  readonly keepDiscovery?: (state: KeptState) => Promise<void>;
  /** The nodes behind `provider`, where there are several. */
  readonly nodes?: Pick<Nodes, "beginTurn" | "blame" | "agreeOn" | "panel">;
  /** Whether every block's logs are proved by its receipts; they are not by default. */
  readonly proves?: boolean;
  /** Whether other nodes, as many as are wanted, know a block by the same logs of these topics. */
  readonly confirms?: (header: Header, logs: readonly Log[], topics: readonly Hex[]) => Promise<boolean>;
}
