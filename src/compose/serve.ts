import { randomBytes } from "node:crypto";
import type { Registry } from "prom-client";
import { MetricsThread, type MetricsThreadParts } from "../api/http/metrics-thread.ts";
import type { Readiness } from "../api/http/probes.ts";
import { createServer } from "../api/server.ts";
import type { Chain } from "../chain/chain.ts";
import type { ChainRecord } from "../chain/chains/chain-record.ts";
import { describeChain, discoveryInWords, figuresOf } from "../chain/describe-chain.ts";
import { systemClock } from "../chain/rpc/clock.ts";
import { createStateKeeper } from "../chain/state/state-keeper.ts";
import { createServiceTokens } from "../chain/tokens/service-tokens.ts";
import { messageOf } from "../domain/message-of.ts";
import type { TokenListEntry } from "../domain/token-list.ts";
import { addChainMetrics } from "../ops/chain-metrics.ts";
import type { Config } from "../ops/config.ts";
import { endAll } from "../ops/end-all.ts";
import { addFleetMetrics } from "../ops/fleet-metrics.ts";
import { addLoadMetrics } from "../ops/load-metrics.ts";
import type { Logger } from "../ops/logger.ts";
import { createMetrics } from "../ops/metrics.ts";
import { carryContexts } from "../ops/trace-context.ts";
import { createPriceWatches } from "../quoting/watch/price-watches.ts";
import { openCatalog } from "../stores/open-stores.ts";
import type { SharedMemory } from "../stores/redis/open-fleet.ts";
import { serverConfigOf } from "./api-server.ts";
import { configuredChain, findChain } from "./chain-setup.ts";
import { type RunningEngine, startEngine } from "./engine.ts";
import { fleetFiguresOf, openFleet } from "./fleet.ts";
import { apiListener, assertFree, type Listener, listen, metricsListener } from "./listen.ts";
import { composeListing } from "./listing.ts";
import { firstLevels, recordsOf as makerRecordsOf } from "./makers.ts";
import { composeQuoting } from "./quoting.ts";
import { checkService, openKept } from "./stores.ts";

/** The service, running. */
export interface Service {
  readonly url: string;
  readonly apiKey: string;
  readonly chain: ChainRecord;
  /** The tokens that it shows. */
  tokens(): readonly TokenListEntry[];
  /** Resolves when the first snapshot can be quoted from and the settlement contracts have been looked for. */
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
  checkService(config);
  const [api, ofMetrics] = [apiListener(config), metricsListener(config)];
  await assertFree([api, ofMetrics]);
  carryContexts();
  const metrics = createMetrics();
  const { registry } = metrics;
  const onStarted = (end: () => Promise<void>) => void started.push(end);
  const apiKey = config.TRIBUTARY_API_KEY ?? `trb_${randomBytes(24).toString("base64url")}`;
  const shared = openFleet(config, configuredChain(config), logger);
  if (shared !== undefined) started.push(shared.close);
  const kept = await openKept({ config, apiKey, logger, registry, shared });
  started.push(kept.close);
  const { keys, charge, usage } = kept.accounts;
  const place = await findChain(config, logger, onStarted);
  const { record } = place;

  const engine = await startEngine({
    config,
    place,
    makers: makerRecordsOf(config, record, place.makers),
    switchedOff: kept.switches.off,
    shared,
    registry,
    logger,
    following: {
      mostForCallers: config.MAX_NODE_REQUESTS,
      lookups: { inAll: config.MAX_TOKEN_LOOKUPS, perAccount: config.MAX_TOKEN_LOOKUPS_PER_ACCOUNT },
      ...keptPoolsOf(config, record, logger),
    },
    onStarted,
  });
  const { chain, makers, market, catalog, deployment, settlement } = engine;
  const shownTokens = createServiceTokens({
    record,
    listed: place.tokenList,
    registry: chain.tokens,
    verdicts: chain.verdicts,
    now: Date.now,
  });
  chain.onSnapshot((snapshot) => void shownTokens.look(snapshot));
  measureChain(registry, chain, shared);

  const quoted = composeQuoting({ config, record, engine, kept, logger, registry, onStarted });
  const { quoting, lists, epoch, counts } = quoted;
  const watches = createPriceWatches({
    quoting,
    market: { current: market.current, onSnapshot: chain.onSnapshot },
    limits: {
      mostWatches: config.MAX_WATCHES,
      mostWatchesPerKey: config.MAX_WATCHES_PER_KEY,
      mostRequests: config.MAX_WATCHED_REQUESTS,
      mostRequestsPerKey: config.MAX_WATCHED_REQUESTS_PER_KEY,
      simulationsPerSecond: config.WATCH_SIMULATIONS_PER_SECOND,
      heartbeatMs: config.WATCH_HEARTBEAT_MS,
    },
    onDefect: (error) => logger.error({ err: error }, "pricing a watched request failed"),
  });
  started.push(async () => watches.stop());
  addLoadMetrics(registry, () => {
    const { watches: open, requests } = watches.counts();
    return { ...counts(), watches: open, watchedRequests: requests };
  });

  const server = createServer({
    quoting,
    lists,
    watches,
    listing: composeListing({ config, record, engine, logger }),
    epoch,
    catalog: {
      chainId: record.chainId,
      tokens: chain.registry,
      wrappedNative: record.wrappedNative,
      settlementContracts: [...settlement.contracts, settlement.permit2],
      sourceIds: () => [...catalog.keys()],
      ...{ past: chain.past, allowsOverrides: config.PRICE_OVERRIDES },
      mostOfRoutes: { maxHops: config.MAX_HOPS, maxFills: config.MAX_FILLS },
    },
    ...{ keys, charge, usage },
    readiness: readinessOf(engine),
    network: record,
    tokens: shownTokens.list,
    chainStatus: () => ({ ...describeChain(chain.status()), ...quoted.guardStatus() }),
    config: serverConfigOf(config),
    logger,
    metrics,
  });
  await listen(api, server.listen);
  started.push(() => server.drain(config.DRAIN_TIMEOUT_MS));
  // Probes and metrics begin after the calls and end after them: they tell that these are being finished.
  const { readiness } = server;
  if (ofMetrics !== undefined) started.splice(-1, 0, await serveMetrics(ofMetrics, { registry, readiness, logger }));

  const host = config.HOST.includes(":") ? `[${config.HOST}]` : config.HOST;
  const ready = Promise.all([chain.firstSnapshot.then(shownTokens.look), deployment.firstLook]).then(() =>
    firstLevels(makers, place.makers.length),
  );
  const tokens = () => shownTokens.list().tokens;
  const scheme = config.TLS_CERT_FILE === undefined ? "http" : "https";
  return { url: `${scheme}://${host}:${server.port()}`, apiKey, chain: record, tokens, ready, stop };
}

/** Whether quotes can be given: there is a fresh block, and somebody has looked for the settlement contracts. */
function readinessOf({ chain, deployment }: Pick<RunningEngine, "chain" | "deployment">): Readiness {
  return () => {
    const current = chain.market.current();
    if ("unavailable" in current) return { ready: false, reason: current.unavailable };
    if (deployment.deployed === undefined)
      return { ready: false, reason: "the settlement contracts are being looked for" };
    return { ready: true, detail: discoveryInWords(chain.status()) };
  };
}

/** Serves metrics and probes on a port of their own; answers what ends that. */
async function serveMetrics(listener: Listener, parts: MetricsThreadParts): Promise<() => Promise<void>> {
  const thread = new MetricsThread(parts);
  await listen(listener, async (port, host) => void (await thread.listen(port, host)));
  return () => thread.close();
}

/** Keeper of the pools' state for the next start, and the catalog of sleeping pools. */
function keptPoolsOf({ DATA_DIR: folder }: Config, record: ChainRecord, logger: Logger) {
  const onLost = (error: unknown) =>
    logger.warn({ reason: messageOf(error) }, "pools that slept cannot be read: they are searched again");
  return {
    keeper: folder === undefined ? undefined : createStateKeeper({ folder, record, clock: systemClock, logger }),
    catalog: openCatalog(folder, record.chainId, onLost),
  };
}

function measureChain(registry: Registry, chain: Chain, shared: SharedMemory | undefined): void {
  addChainMetrics(registry, () => figuresOf(chain.status()));
  if (shared !== undefined) addFleetMetrics(registry, () => fleetFiguresOf(chain, shared));
}
