import type { Registry } from "prom-client";
import type { Chain } from "../chain/chain.ts";
import type { ChainOptions } from "../chain/chain-parts.ts";
import type { MakerRecord } from "../makers/maker-record.ts";
import type { Makers } from "../makers/makers.ts";
import { marketWithMakers } from "../makers/market-with-makers.ts";
import type { Config } from "../ops/config.ts";
import type { Logger } from "../ops/logger.ts";
import { inSpan } from "../ops/spans.ts";
import type { Quoting } from "../quoting/answer/answers.ts";
import type { QuotedSource, SourceCatalog } from "../quoting/answer/route-view.ts";
import type { MarketView, Settlement, Simulator } from "../quoting/ports.ts";
import { createPoolTrial, type PoolTrial } from "../quoting/quote/pool-trial.ts";
import { createQuoting, type QuotingParts } from "../quoting/quoting.ts";
import type { AccountTurns, RouteSearch } from "../quoting/search/route-search.ts";
import { SEARCH_BUDGET } from "../quoting/search/search-budget.ts";
import { createSearchInThread } from "../quoting/search/search-in-thread.ts";
import { createThreadTurns } from "../quoting/search/thread-turns.ts";
import { createRouter } from "../routing/create-router.ts";
import type { Router } from "../routing/router.ts";
import type { RevertReader } from "../settlement/revert-reason.ts";
import { createSettlement } from "../settlement/settlement.ts";
import { CODECS } from "../venues/index.ts";
import { type Deployment, watchDeployment } from "./deployment.ts";
import { followChain } from "./followed-chain.ts";
import { startMakers } from "./makers.ts";
import type { Place } from "./place.ts";
import { searchThreadsOf, startSearchThreads } from "./search-threads.ts";

/** A market's prices and quotes, without door, queue and record. */
export interface Engine {
  readonly quoting: Quoting;
  readonly settlement: Settlement;
  readonly poolTrial: PoolTrial;
  /** Shares the threads among the accounts that search. */
  readonly turns: AccountTurns;
}

/** What an engine is made of, beside the settlement that it makes itself. */
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
  const { sources, config } = parts;
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
  return { quoting, settlement, poolTrial: createPoolTrial({ settlement, simulator, sources }), turns: search.turns };
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
}

/** Starts all that stands behind the door. @throws WrongChainError when the node serves another chain */
export async function startEngine(parts: {
  readonly config: Config;
  readonly place: Pick<Place, "record" | "rpcUrls" | "wsUrls" | "tokens">;
  readonly makers: readonly MakerRecord[];
  readonly switchedOff?: QuotingParts["switchedOff"];
  readonly registry: Registry;
  readonly logger: Logger;
  /** How the chain is followed otherwise than the configuration has it. */
  readonly following?: Partial<ChainOptions>;
  /** Milliseconds of a clock that never goes back; the machine's by default. */
  readonly elapsed?: () => number;
  onStarted(stop: () => Promise<void>): void;
}): Promise<RunningEngine> {
  const { config, place, registry, logger, switchedOff, onStarted, elapsed = () => performance.now() } = parts;
  const { record } = place;
  const { wrappedNative, blockTimeMs } = record;
  const { chain, sources, reverts } = await followChain(config, place, logger, {
    poolTrial: (pool, at) => engine.poolTrial(pool, at),
    ...parts.following,
  });
  onStarted(chain.stop);
  const makers = startMakers(parts.makers, { config, chain, record, registry, elapsed }, logger);
  onStarted(async () => makers.stop());
  const market = marketWithMakers(chain.market, makers, elapsed);
  const catalog = new Map<string, QuotedSource>([...sources, ...makers.sources].map((source) => [source.id, source]));
  const deployment = watchDeployment(chain, wrappedNative, logger);
  const count = searchThreadsOf(config);
  const threads =
    count === 0 ? undefined : startSearchThreads({ threads: count, chain, record, switchedOff, registry, logger });
  if (threads !== undefined) onStarted(() => threads.stop());
  const engine = createEngine({
    market,
    tokens: chain.registry,
    verdicts: chain.verdicts,
    sources: catalog,
    simulator: chain.simulator,
    accounts: chain.accounts,
    permits: chain.permits,
    makers,
    deployment,
    reverts,
    config: {
      wrappedNative,
      quoteTtlSeconds: config.QUOTE_TTL_SECONDS,
      blockTimeMs,
      budget: { ...SEARCH_BUDGET, maxHops: config.MAX_HOPS, maxFills: config.MAX_FILLS },
    },
    ...(switchedOff && { switchedOff }),
    ...(threads && { search: threads }),
    now: Date.now,
  });
  return { ...engine, chain, makers, market, catalog, deployment };
}
