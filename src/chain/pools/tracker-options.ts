import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { CatalogFault, PoolCatalog } from "../../market/pool-catalog.ts";
import type { PoolStore } from "../../market/pool-store.ts";
import type { Clock } from "../rpc/clock.ts";
import type { Header } from "../rpc/codec.ts";
import type { LaterStates } from "./awaited-states.ts";
import type { Found } from "./found-pools.ts";
import type { PoolState } from "./read-pools.ts";
import type { RefusedCount } from "./unserved-pools.ts";

/** Initial pools and dependencies of a pool tracker. */
export interface TrackerOptions {
  readonly reader: ChainReader;
  readonly store: PoolStore;
  readonly sources: readonly LiquiditySource[];
  readonly found: readonly Found[];
  readonly base: Header;
  /** The states at `base`, where they are known: then nothing is read, and a pool without one stays unread. */
  readonly states?: ReadonlyMap<PoolId, PoolState>;
  /** States at a block above `base` of pools without one there. */
  readonly later?: LaterStates | undefined;
  /** Pools that are to sleep, where they are among `found`. */
  readonly asleep?: ReadonlySet<PoolId>;
  /** Pools that were announced up to `base` and are not served. */
  readonly refused?: readonly RefusedCount[];
  /** Blocks that can be taken back. */
  readonly ringSize: number;
  readonly clock: Clock;
  /** Catalog of sleeping pools with final announcements; without it they are kept in memory. */
  readonly catalog?: PoolCatalog | undefined;
  /** Terms that each source's pools are read with. Pools in the catalog with other terms are dropped. */
  readonly terms?: ReadonlyMap<SourceId, string> | undefined;
  readonly onCatalogFault?: ((fault: CatalogFault) => void) | undefined;
}
