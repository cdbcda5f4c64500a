import { randomBytes } from "node:crypto";
import { createMetricsServer } from "./api/metrics-server.ts";
import { createServer, DEFAULT_SERVER_CONFIG } from "./api/server.ts";
import { startChain } from "./chain/chain.ts";
import type { ChainRecord } from "./chain/chains/chain-record.ts";
import { systemClock } from "./chain/clock.ts";
import { describeChain, figuresOf } from "./chain/describe-chain.ts";
import { createStateKeeper } from "./chain/state-keeper.ts";
import { watchDeployment } from "./compose-deployment.ts";
import { accountsOf, checkFiles, operatorFilesOf, tlsOf } from "./compose-files.ts";
import { firstLevels, recordsOf as makerRecordsOf, startMakers } from "./compose-makers.ts";
import { findPlace } from "./compose-place.ts";
import type { Token } from "./domain/token.ts";
import { marketWithMakers } from "./makers/market-with-makers.ts";
import { addChainMetrics } from "./ops/chain-metrics.ts";
import { type Config, ConfigError } from "./ops/config.ts";
import { endAll } from "./ops/end-all.ts";
import type { Logger } from "./ops/logger.ts";
import { createMetrics } from "./ops/metrics.ts";
import { inSpan } from "./ops/spans.ts";
import { carryContexts } from "./ops/trace-context.ts";
import type { Quoting } from "./quoting/answers.ts";
import { logQuotes } from "./quoting/log-quotes.ts";
import { createPoolTrial } from "./quoting/pool-trial.ts";
import type { Simulator } from "./quoting/ports.ts";
import { createPriceCache } from "./quoting/price-cache.ts";
import { createQuoting } from "./quoting/quoting.ts";
import type { QuotedSource } from "./quoting/route-view.ts";
import { SEARCH_BUDGET } from "./quoting/search-budget.ts";
import { queueSearches } from "./quoting/search-queue.ts";
import { createPriceWatches } from "./quoting/watch/price-watches.ts";
import { createRouter } from "./routing/create-router.ts";
import { revertReason } from "./settlement/revert-reason.ts";
import { createSettlement } from "./settlement/settlement.ts";
import { createSources } from "./sources/index.ts";

/** The service, running. */
export interface Service {
  readonly url: string;
  readonly apiKey: string;
  readonly chain: ChainRecord;
  readonly tokens: readonly Token[];
  /** Resolves when the first snapshot can be quoted from. */
  readonly ready: Promise<void>;
  /** Finishes what is in flight and ends everything that was started. */
  stop(): Promise<void>;
}

/**
 * Puts all parts together and starts them, and ends again what it has started when one of them fails.
 * @throws Error with a sentence for the operator.
 */
export async function compose(config: Config, logger: Logger): Promise<Service> {
  const started: (() => Promise<void>)[] = [];
  const stop = () => endAll(started.splice(0).reverse());
  try {
    return await start(config, logger, started, stop);
  } catch (error) {
    await stop().catch((reason) => logger.error({ reason: String(reason) }, "what had been started did not all end"));
    throw error;
  }
}

async function start(
  config: Config,
  logger: Logger,
  started: (() => Promise<void>)[],
  stop: () => Promise<void>,
): Promise<Service> {
  // The devnet takes its time, and what a start has to undo is better not begun.
  checkFiles(config);
  carryContexts();
  const metrics = createMetrics();
  const apiKey = config.TRIBUTARY_API_KEY ?? `trb_${randomBytes(24).toString("base64url")}`;
  const accounts = accountsOf(config, apiKey, logger);
  started.push(async () => accounts.stop());
  const files = operatorFilesOf(config, logger);
  started.push(async () => files.close());
  const place = await findPlace(config, logger, (end) => started.push(end));
  const { record, tokens } = place;

  const sources = createSources(record);
  const makerRecords = makerRecordsOf(config, record, place.makers);
  const chain = await startChain({
    ...place,
    quorum: config.RPC_QUORUM,
    proveLogs: config.PROVE_LOGS,
    keeper:
      config.DATA_DIR === undefined
        ? undefined
        : createStateKeeper({ folder: config.DATA_DIR, record, clock: systemClock, logger }),
    sources,
    explainRevert: revertReason,
    poolTrial: (pool, at) => poolTrial(pool, at),
    logger,
  });
  started.push(chain.stop);
  addChainMetrics(metrics.registry, () => figuresOf(chain.status()));

  const { wrappedNative } = record;
  const makers = startMakers(makerRecords, { config, chain, record, registry: metrics.registry }, logger);
  started.push(async () => makers.stop());
  const market = marketWithMakers(chain.market, makers, () => performance.now());
  const catalog = new Map<string, QuotedSource>([...sources, ...makers.sources].map((source) => [source.id, source]));
  const settlement = createSettlement(watchDeployment(chain, wrappedNative, logger));
  const router = createRouter();
  const simulator: Simulator = {
    simulate: (request) => inSpan("simulate", {}, () => chain.simulator.simulate(request)),
  };
  const poolTrial = createPoolTrial({ settlement, simulator, sources: catalog });
  const searching = createQuoting({
    market,
    tokens: chain.registry,
    verdicts: chain.verdicts,
    sources: catalog,
    router: { findBest: (query) => inSpan("search", {}, () => router.findBest(query)) },
    settlement,
    simulator,
    accounts: chain.accounts,
    makers,
    config: {
      wrappedNative,
      quoteTtlSeconds: config.QUOTE_TTL_SECONDS,
      budget: { ...SEARCH_BUDGET, maxHops: config.MAX_HOPS },
    },
    switchedOff: files.switches.off,
    now: Date.now,
  });
  const logged = logQuotes(searching, files.quotes, {
    now: Date.now,
    onFault: (error) => logger.error({ err: error }, "a quote could not be put on record"),
  });
  const { quoting, epoch } = createPriceCache({
    quoting: queueSearches(inSpans(logged), { atOnce: config.MAX_SEARCHES, mostWaiting: config.MAX_WAITING }).quoting,
    market,
    versions: () => [files.switches.off(), chain.verdicts.keptOut()],
    most: config.MAX_CACHED_PRICES,
    now: Date.now,
  });

  const watches = createPriceWatches({
    quoting,
    market: { current: market.current, onSnapshot: chain.onSnapshot },
    limits: {
      mostWatches: config.MAX_WATCHES,
      mostRequests: config.MAX_WATCHED_REQUESTS,
      heartbeatMs: config.WATCH_HEARTBEAT_MS,
    },
    onDefect: (error) => logger.error({ err: error }, "pricing a watched request failed"),
  });
  started.push(async () => watches.stop());

  const server = createServer({
    quoting,
    watches,
    epoch,
    catalog: {
      chainId: record.chainId,
      tokens: chain.registry,
      wrappedNative,
      settlementContracts: settlement.contracts,
      sourceIds: () => [...catalog.keys()],
    },
    keys: accounts.keys,
    charge: accounts.charge,
    usage: accounts.usage,
    readiness: () => {
      const current = chain.market.current();
      return "unavailable" in current ? { ready: false, reason: current.unavailable } : { ready: true };
    },
    tokens: () => place.tokenList,
    chainStatus: () => describeChain(chain.status()),
    config: {
      ...DEFAULT_SERVER_CONFIG,
      corsOrigins: config.CORS_ORIGINS,
      reflection: config.REFLECTION,
      docs: config.DOCS,
      mostStreamsPerKey: config.MAX_WATCHES_PER_KEY,
      wrongKeysPerMinute: config.WRONG_KEYS_PER_MINUTE,
      tls: tlsOf(config),
      deadline: {
        defaultMs: config.REQUEST_TIMEOUT_MS,
        mostMs: Math.max(DEFAULT_SERVER_CONFIG.deadline.mostMs, config.REQUEST_TIMEOUT_MS),
      },
      connections: { ...DEFAULT_SERVER_CONFIG.connections, maxConnections: config.MAX_CONNECTIONS },
    },
    logger,
    metrics,
  });
  await listen("PORT", config.PORT, (port) => server.listen(port, config.HOST));
  started.push(() => server.drain(config.DRAIN_TIMEOUT_MS));

  if (config.METRICS_PORT !== undefined) {
    const metricsServer = createMetricsServer(metrics.registry);
    await listen("METRICS_PORT", config.METRICS_PORT, (port) => metricsServer.listen(port, config.HOST));
    started.push(metricsServer.close);
  }

  const host = config.HOST.includes(":") ? `[${config.HOST}]` : config.HOST;
  const ready = chain.firstSnapshot.then(() => firstLevels(makers, place.makers.length));
  const scheme = config.TLS_CERT_FILE === undefined ? "http" : "https";
  return { url: `${scheme}://${host}:${server.port()}`, apiKey, chain: record, tokens, ready, stop };
}

/** Prices and quotes in spans of their own: from when it is their turn until they are made. */
function inSpans(quoting: Quoting): Quoting {
  return {
    ...quoting,
    price: (request, call) => inSpan("price", {}, () => quoting.price(request, call)),
    quote: (request, call) => inSpan("quote", {}, () => quoting.quote(request, call)),
  };
}

/** What a host's name or address is at fault for, when it is listened on. */
const FAULTS_OF_HOST = new Set(["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"]);

/** Listens, and says in a sentence which option it is that cannot be listened on. */
async function listen(option: string, port: number, open: (port: number) => Promise<void>): Promise<void> {
  try {
    await open(port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new ConfigError([`${option}: port ${port} is taken by another program; set ${option} to a free one`]);
    }
    if (code === "EACCES") throw new ConfigError([`${option}: ${message}`]);
    if (FAULTS_OF_HOST.has(code ?? "")) throw new ConfigError([`HOST: ${message}`]);
    throw error;
  }
}
