import type { Registry } from "prom-client";
import type { Chain } from "../chain/chain.ts";
import type { ChainOptions } from "../chain/chain-options.ts";
import { ALL_ON, type SwitchedOff } from "../domain/switches.ts";
import type { MakerRecord } from "../makers/maker-record.ts";
import type { Makers } from "../makers/makers.ts";
import { marketWithMakers } from "../makers/market-with-makers.ts";
import type { MarketRules } from "../market/feed/feed-state.ts";
import type { Config } from "../ops/config.ts";
import type { Logger } from "../ops/logger.ts";
import { inSpan } from "../ops/spans.ts";
import type { QuotedSource, SourceCatalog } from "../quoting/answer/route-view.ts";
import type { Quoting } from "../quoting/answer/types.ts";
import type { MarketView, Settlement, Simulator } from "../quoting/ports.ts";
import { createPoolTrial } from "../quoting/quote/pool-trial.ts";
import { createQuoting, type QuotingParts } from "../quoting/quoting.ts";
import type { AccountTurns, RouteSearch } from "../quoting/search/route-search.ts";
import { SEARCH_BUDGET } from "../quoting/search/search-budget.ts";
import { createSearchInThread } from "../quoting/search/search-in-thread.ts";
import { createThreadTurns } from "../quoting/search/thread-turns.ts";
import { createRouter } from "../routing/create-router.ts";
import type { Router } from "../routing/router.ts";
import { settlementCode } from "../settlement/contracts.ts";
import type { RevertReader } from "../settlement/revert-reason.ts";
import { createSettlement } from "../settlement/settlement.ts";
import type { SharedMemory } from "../stores/redis/open-fleet.ts";
import { CODECS } from "../venues/index.ts";
import type { ChainSetup } from "./chain-setup.ts";
import { type Deployment, watchDeployment } from "./deployment.ts";
import { createFeed, fleetOptionsOf, publishMarket, switchedOffOf } from "./fleet.ts";
import { followChain } from "./followed-chain.ts";
import { startMakers } from "./makers.ts";
import { searchThreadsOf, startDeepSearches, startSearchThreads } from "./search-threads.ts";

/** A market's prices and quotes, without API, queue and record. */
export interface Engine {
  readonly quoting: Quoting;
  readonly settlement: Settlement;
  /** Shares the threads among the accounts that search. */
  readonly turns: AccountTurns;
}

/** Dependencies of an engine; it makes the settlement itself. */
export type EngineParts = Omit<QuotingParts, "search" | "settlement"> & {
  /** Absent: routes are found on this thread. */
  readonly search?: RouteSearch;
  /** Whether the settlement contracts stand on the chain; undefined while nobody has looked. */
  readonly deployment: Pick<Deployment, "deployed">;
  /** Absent where nothing is simulated. */
  readonly reverts?: RevertReader;
};

/** Puts a market, the router and the settlement together. Nothing else does. */
export function createEngine({ deployment, reverts, ...parts }: EngineParts): Engine {
  const { config } = parts;
  const search = parts.search ?? searchHere();
  const settlement = createSettlement({
    codecs: CODECS,
    wrappedNative: config.wrappedNative,
    ...(reverts && { reverts }),
    get deployed() {
      return deployment.deployed;
    },
  });
  const simulator: Simulator = {
    simulate: (request) => inSpan("simulate", {}, () => parts.simulator.simulate(request)),
  };
  const quoting = createQuoting({
    ...parts,
    search,
    settlement,
    simulator,
  });
  return { quoting, settlement, turns: search.turns };
}

/** Routes that are found on this thread. */
function searchHere(): RouteSearch {
  const router = createRouter();
  const traced: Router = { findBest: (request) => inSpan("search", {}, () => router.findBest(request)) };
  return createSearchInThread(
    traced,
    createThreadTurns(() => performance.now()),
    Date.now,
  );
}

/** An engine over a chain that is followed, with the makers that are asked. */
export interface RunningEngine extends Engine {
  readonly chain: Chain;
  readonly makers: Makers;
  /** The chain's market with what makers offer. */
  readonly market: MarketView;
  readonly catalog: SourceCatalog;
  readonly deployment: Deployment;
  /** Switches that are off, here or at the fleet's leader: one object until they change. */
  readonly switchedOff: () => SwitchedOff;
}

/** Starts all that is behind the API. @throws WrongChainError when the node serves another chain */
export async function startEngine(parts: {
  readonly config: Config;
  readonly place: Pick<ChainSetup, "record" | "rpcUrls" | "wsUrls" | "tokens">;
  readonly makers: readonly MakerRecord[];
  readonly switchedOff?: QuotingParts["switchedOff"];
  /** Memory shared with the other processes of a fleet. */
  readonly shared?: SharedMemory | undefined;
  readonly registry: Registry;
  readonly logger: Logger;
  /** Overrides of the configuration's chain options. */
  readonly following?: Partial<ChainOptions>;
  /** Milliseconds of a clock that never goes back; the machine's by default. */
  readonly elapsed?: () => number;
  onStarted(stop: () => Promise<void>): void;
}): Promise<RunningEngine> {
  const { config, place, registry, logger, switchedOff, onStarted, elapsed = () => performance.now() } = parts;
  const { record } = place;
  const { wrappedNative } = record;
  const count = searchThreadsOf(config);
  const feed = count === 0 && parts.shared === undefined ? undefined : createFeed(record, logger);
  let renew = () => {};
  const { chain, sources, reverts } = await followChain(config, place, logger, {
    poolTrial: (pool, at) => poolTrial(pool, at),
    ...(feed && parts.shared && { fleet: fleetOptionsOf(config, parts.shared, { feed, renew: () => renew() }) }),
    ...parts.following,
  });
  onStarted(chain.stop);
  const makers = startMakers(parts.makers, { config, chain, record, registry, elapsed }, logger);
  onStarted(async () => makers.stop());
  const market = marketWithMakers(chain.market, makers, elapsed);
  const catalog = new Map<string, QuotedSource>([...sources, ...makers.sources].map((source) => [source.id, source]));
  const deployment = watchDeployment(chain, wrappedNative, logger);
  const off = switchedOffOf(switchedOff ?? (() => ALL_ON), chain.switchedOffByLeader);
  const rules = (): MarketRules => ({ off: off(), keptOut: chain.verdicts.keptOut() });
  if (feed !== undefined) renew = publishMarket(feed, chain, rules);
  const threads = feed && count > 0 ? startSearchThreads({ threads: count, feed, registry, logger }) : undefined;
  if (threads !== undefined) onStarted(() => threads.stop());
  const engine = createEngine({
    market,
    tokens: chain.registry,
    verdicts: chain.verdicts,
    sources: catalog,
    ...{ simulator: chain.simulator, accounts: chain.accounts, permits: chain.permits, reader: chain.reader },
    makers,
    deployment,
    reverts,
    config: quotingConfig(config, record),
    switchedOff: off,
    ...(threads && { search: threads, ...startDeepSearches({ threads, chain, most: config.DEEP_SEARCHES, logger }) }),
    now: Date.now,
  });
  const poolTrial = createPoolTrial({
    settlement: engine.settlement,
    ...{ runner: chain.runner, reader: chain.reader },
    sources: catalog,
    code: () => (deployment.deployed === true ? [] : settlementCode(wrappedNative)),
  });
  return { ...engine, chain, makers, market, catalog, deployment, switchedOff: off };
}

/** Quoting settings of a configuration and a chain's record. */
export function quotingConfig(
  config: Config,
  { wrappedNative, blockTimeMs }: ChainSetup["record"],
): QuotingParts["config"] {
  return {
    wrappedNative,
    quoteTtlSeconds: config.QUOTE_TTL_SECONDS,
    blockTimeMs,
    budget: { ...SEARCH_BUDGET, maxHops: config.MAX_HOPS, maxFills: config.MAX_FILLS },
  };
}
