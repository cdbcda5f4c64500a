import type { Hex } from "../domain/address.ts";
import type { Token } from "../domain/token.ts";
import type { EligibilityRule } from "../market/eligibility.ts";
import type { LiquiditySource } from "../market/liquidity-source.ts";
import type { Freshness } from "../market/market.ts";
import type { PoolCatalog } from "../market/pool-catalog.ts";
import type { Logger } from "../ops/logger.ts";
import type { PoolTrial } from "../quoting/quote/pool-trial.ts";
import type { ChainRecord } from "./chains/chain-record.ts";
import type { FleetOptions } from "./fleet/fleet.ts";
import type { Clock } from "./rpc/clock.ts";
import type { Provider } from "./rpc/provider.ts";
import type { StateKeeper } from "./state/state-keeper.ts";
import type { LookupLimits } from "./tokens/token-lookups.ts";

/** The chain to follow, its nodes, and the limits of what is done with it. */
export interface ChainOptions {
  readonly record: ChainRecord;
  /** The nodes, most trusted first. */
  readonly rpcUrls: readonly string[];
  /** Nodes that the search for pools reads old logs from; those of `rpcUrls` where there is none. */
  readonly historyUrls?: readonly string[] | undefined;
  /** WebSockets of the same nodes, where they have one: `wsUrls[i]` belongs to `rpcUrls[i]`. */
  readonly wsUrls?: readonly string[] | undefined;
  /** Nodes that have to have a block before it is published; 1 by default. */
  readonly quorum?: number | undefined;
  readonly sources: readonly LiquiditySource[];
  /** Rule for the pools and tokens of a route; everything is allowed by default. */
  readonly eligibility?: EligibilityRule | undefined;
  /** Tokens of the list: known without asking the node. */
  readonly tokens: readonly Token[];
  /** Whether every block's logs are proved by its receipts; they are not by default. */
  readonly proveLogs?: boolean;
  /** By default what the block time asks for (`freshnessFor`). */
  readonly freshness?: Freshness;
  readonly logger: Logger;
  /** Explains revert data in words. */
  readonly explainRevert: (data: Hex) => string;
  /** Tries a pool alone on the node; without it no pool is put aside because its swaps fail. */
  readonly poolTrial?: PoolTrial;
  readonly pollIntervalMs?: number;
  /** Blocks whose search for pools is waited for at the first start; a longer one goes on in the background. */
  readonly searchAtOnce?: bigint;
  readonly auditedPerBlock?: number;
  readonly maxSimulationsInFlight?: number;
  /** Requests for callers that are on their way to one node at a time. */
  readonly mostForCallers?: number;
  /** Limits on unknown addresses that wait to be looked up as tokens. */
  readonly lookups?: Partial<LookupLimits>;
  /** The nodes, when they are not to be reached at `rpcUrls`. */
  readonly providers?: readonly Provider[];
  /** Those of the search, when they are not to be reached at `historyUrls`. */
  readonly historyProviders?: readonly Provider[];
  readonly clock?: Clock;
  /** Keeps the pools' state for the next start; without it every start reads it anew. */
  readonly keeper?: StateKeeper | undefined;
  /** Catalog of sleeping pools, closed with the chain; without it they are kept in memory. */
  readonly catalog?: PoolCatalog | undefined;
  /** The fleet of which one process follows the chain for all; without, this one does for itself. */
  readonly fleet?: FleetOptions | undefined;
}
