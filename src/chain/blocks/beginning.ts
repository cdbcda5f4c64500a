import type { Address, Hex } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { PoolStore } from "../../market/pool-store.ts";
import type { Logger } from "../../ops/logger.ts";
import type { KeptState } from "../../snapshot/kept-state.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { SearchRange } from "../pools/background-search.ts";
import type { DiscoveryProgress } from "../pools/discovery.ts";
import type { Found } from "../pools/found-pools.ts";
import type { PoolTracker } from "../pools/pool-tracker.ts";
import type { Clock } from "../rpc/clock.ts";
import type { Header } from "../rpc/codec.ts";
import type { Blocks } from "./blocks.ts";

/** Where following begins: with what an earlier run kept, brought forward, or with everything read anew. */
export interface Beginning {
  /**
   * The pools of `sources` at a block near `head`, those in `asleep` without a state. Where the node `hasHoles`, they are
   * read no further below the head than it can give blocks that are linked to it.
   * @throws what the node failed with: then it is tried again.
   */
  start(
    sources: readonly LiquiditySource[],
    head: Header,
    topics: readonly Hex[],
    options: { readonly asleep: ReadonlySet<PoolId>; readonly hasHoles: boolean },
  ): Promise<PoolTracker>;
  /** Has the next start begin with what was followed so far: with the states, or with what pools there are alone. */
  hold(state: KeptState, withStates: boolean): void;
  /** Nothing of what was found so far is believed any more. */
  forget(): void;
  /** How far the search for pools has come, while there is one. */
  progress(): DiscoveryProgress | undefined;
  /** The next pools that the search in the background has found, at most so many. They stay until they are dropped. */
  peek(most: number): readonly Found[];
  /** So many of the next pools were taken in. */
  drop(count: number): void;
  /** What of the search in the background is left to a later run. */
  rest(): readonly SearchRange[];
  /** Ends the search in the background; none begins any more. */
  stop(): Promise<void>;
}

/** What a beginning works with. */
export interface BeginningOptions {
  readonly reader: ChainReader;
  /** Reads logs of old blocks for the search beside the following. */
  readonly history: ChainReader;
  readonly record: ChainRecord;
  readonly blocks: Blocks;
  /** The store to fill. */
  readonly store: () => PoolStore;
  readonly ringSize: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Takes pools whose state could not be brought forward: they are to be read at the head. */
  readonly later: (ids: readonly PoolId[]) => void;
  /** Tokens whose pools matter most, the most important first. */
  readonly tokens: readonly Address[];
  /** Blocks whose search is waited for. */
  readonly searchAtOnce?: bigint;
  readonly loadState: (() => Promise<KeptState | undefined>) | undefined;
  readonly keepDiscovery: ((state: KeptState) => Promise<void>) | undefined;
}
