import type { Address } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import type { PoolId } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import type { Pool } from "../pools/pool.ts";
import type { LeftOut } from "./eligibility.ts";
import type { KnownRoutes } from "./known-routes.ts";
import type { MarketGraph } from "./pool-store.ts";
import type { Rates } from "./rates.ts";
import type { Volatility } from "./volatility.ts";

/** A rollup's fee for a transaction's data, wei: what every transaction costs, and what each of its bytes adds. */
export interface DataFee {
  readonly fixed: bigint;
  readonly perByte: bigint;
  /** It is charged as gas, at the chain's own price: the gas limit has to have room for it (Arbitrum). */
  readonly asGas?: true;
}

/** All that is known of the market at one block. Immutable: a request takes one and never looks at anything newer. */
export interface Snapshot {
  readonly chainId: number;
  readonly block: BlockRef;
  /** Gas price that the node suggests at this block, wei per gas. */
  readonly gasPrice: bigint;
  /** Charge for a transaction's data on the parent chain; absent on chains that charge nothing for it. */
  readonly dataFee?: DataFee;
  /** Most gas that one transaction may be sent with. */
  readonly mostGas: bigint;
  readonly graph: MarketGraph;
  /** Values of tokens in the native token, from pools too deep to be moved by dust. */
  readonly rates: Rates;
  /** Routes that were found in earlier blocks, which searches begin with: they decide between routes as the pools do. */
  readonly known: KnownRoutes;
  /** Recent price volatility of pools; absent if blocks were not followed. */
  readonly volatility?: Volatility;
  readonly sources: ReadonlyMap<SourceId, SourceState>;
  /** Tokens that at least one pool holds. */
  readonly tokens: ReadonlySet<Address>;
  /** Pools in `graph` that are not of the block (makers' or overrides'), and the graph without them. */
  readonly offers?: { readonly pools: readonly Pool[]; readonly graph: MarketGraph };
  /** Overridden pools in `graph`, in order, and the number of future logs that changed one. */
  readonly overrides?: { readonly logs: number; readonly pools: readonly PoolId[] };
}

/** State of one source at a snapshot's block. */
export interface SourceState {
  readonly pools: number;
  /** Further pools that are known and have no state until somebody asks for one of their tokens. */
  readonly asleep: number;
  /** Pools that take no part in routes, or not in all. Absent: nobody counts them. */
  readonly leftOut?: () => readonly LeftOut[];
  readonly status: "live" | "syncing" | "stale" | "off";
  /** Why it is off; absent where it is not. */
  readonly reason?: string;
  /** The block that the source's pools are exact for. */
  readonly blockNumber: bigint;
}
