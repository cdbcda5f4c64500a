import { setTimeout as wait } from "node:timers/promises";
import type { DescService } from "@bufbuild/protobuf";
import { file_google_rpc_error_details } from "#gen/google/rpc/error_details_pb.ts";
import { file_grpc_health_v1_health } from "#gen/grpc/health/v1/health_pb.ts";
import { file_swap_v1_swap, SwapService } from "#gen/swap/v1/swap_pb.ts";
import type { Network } from "../domain/network.ts";
import type { TokenList } from "../domain/token-list.ts";
import type { Logger } from "../ops/logger.ts";
import type { Metrics } from "../ops/metrics.ts";
import type { Quoting } from "../quoting/answer/types.ts";
import type { PriceLists } from "../quoting/price/price-lists.ts";
import type { PriceWatches } from "../quoting/watch/price-watches.ts";
import { createAccessLog } from "./access-log.ts";
import { type CallRunner, createCallRunner, type DeadlineLimits } from "./calls/call-runner.ts";
import { createDeprecationHeaders } from "./calls/deprecation.ts";
import { createSwapCalls } from "./calls/swap-service.ts";
import { createTokenCalls, type TokenCallParts } from "./calls/token-service.ts";
import { type ConnectionLimits, createListener, type TlsFiles } from "./connections/listener.ts";
import { type Compressor, createCompressor } from "./http/compression.ts";
import type { Readiness } from "./http/probes.ts";
import type { KeyStore } from "./keys/key-store.ts";
import { DEFAULT_BOUNDS, type ServerBounds } from "./limits/bounds.ts";
import { createCallerAddress } from "./limits/caller-address.ts";
import type { ChargeCall } from "./limits/charge.ts";
import { createKeyless } from "./limits/keyless.ts";
import { createLedger } from "./limits/ledger.ts";
import { createWrongKeys } from "./limits/wrong-keys.ts";
import { logReadiness } from "./log-readiness.ts";
import { createOperations } from "./operations.ts";
import { profileKey, type RequestCatalog } from "./parameters/parse-request.ts";
import { createReadyAnswers } from "./ready-answers.ts";
import { createRequestHandler } from "./request-handler.ts";
import { createRestService } from "./rest-service.ts";
import { createHealthState, type HealthState } from "./rpc/health.ts";
import type { MessageLimits } from "./rpc/read-message.ts";
import { createReflection } from "./rpc/reflection.ts";
import { createRpcService } from "./rpc/rpc-service.ts";
import { noUsageMeter, type UsageMeter } from "./usage/usage-meter.ts";

/** Operator's options for the server. */
export interface ServerConfig {
  /** Web origins that may read answers; "*" for any, empty for none. */
  readonly corsOrigins: readonly string[];
  /** Whether tools may ask for the schema. */
  readonly reflection: boolean;
  /** Whether the API's description is served: /docs, /openapi.json and /llms.txt. */
  readonly docs: boolean;
  readonly deadline: DeadlineLimits;
  /** Milliseconds between two looks whether the key of an open stream is still valid. */
  readonly recheckKeysEveryMs: number;
  /** Bounds on what callers hold open and do. */
  readonly bounds: ServerBounds;
  /** Proxies in front, as CIDR blocks: callers behind them are known by what these say. */
  readonly trustedProxies: readonly string[];
  /** Lines of the access log in a second; 0: one for each request. */
  readonly logLinesPerSecond: number;
  readonly messages: MessageLimits;
  /** Bytes from which on answers are compressed for those who accept it; infinite: never. */
  readonly compressFromBytes: number;
  readonly connections: ConnectionLimits;
  /** Absent: cleartext, for a proxy in front that does TLS. */
  readonly tls?: TlsFiles | undefined;
}

/** Limits that suit a public service behind a proxy. */
export const DEFAULT_SERVER_CONFIG: ServerConfig = {
  corsOrigins: [],
  reflection: true,
  docs: true,
  deadline: { defaultMs: 10_000, mostMs: 30_000 },
  recheckKeysEveryMs: 500,
  bounds: DEFAULT_BOUNDS,
  trustedProxies: [],
  logLinesPerSecond: 80,
  messages: { readMaxBytes: 65_536, bodyTimeoutMs: 10_000 },
  compressFromBytes: 4_096,
  connections: {
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 15_000,
    keepAliveTimeoutMs: 65_000,
    maxHeaderBytes: 16_384,
    maxHeaderFields: 128,
    maxStreams: 256,
    unread: { mostMs: 60_000, everyMs: 5_000 },
    sweep: { everyMs: 30_000, pingTimeoutMs: 20_000, closeGraceMs: 30_000 },
  },
};

/** The API server: REST, Connect, gRPC and gRPC-Web on one port. */
export interface Server {
  /** Whether calls are answered: no more once it drains. */
  readonly readiness: Readiness;
  /** @throws NodeJS.ErrnoException for example EADDRINUSE */
  listen(port: number, host: string): Promise<void>;
  /** The port that was given, or chosen for 0. */
  port(): number;
  /** HTTP/2 sessions that are open now. */
  sessionCount(): number;
  /** Says NOT_SERVING, takes nothing new, finishes what is in flight, and cuts what is left after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
}

/** Milliseconds for the last connections to close after a drain, before they are given up. */
const NOTING_TIMEOUT_MS = 1_000;

/** Milliseconds between two looks at readiness, for those who watch health and for the log. */
const HEALTH_EVERY_MS = 250;

/** Prices that are kept as bytes; a fifth more where they are kept compressed as well. */
const MAX_READY_BYTES = 16 * 2 ** 20;

/** The contract carries chain ids as uint32. */
const MAX_CHAIN_ID = 2 ** 32 - 1;

/** Parts that a server answers with. */
interface ServerOptions {
  readonly quoting: Quoting;
  readonly lists: PriceLists;
  readonly watches: PriceWatches;
  /** Tokens and the chain. */
  readonly listing: TokenCallParts;
  /**
   * Identity of the market state: the same object while prices of the same request stay the same; undefined without
   * one.
   */
  epoch(): object | undefined;
  readonly catalog: RequestCatalog;
  readonly keys: KeyStore;
  readonly charge: ChargeCall;
  /** Absent: usage is not counted. */
  readonly usage?: UsageMeter;
  readonly readiness: Readiness;
  /** State of the chain's follower, for /status: plain data. */
  readonly chainStatus?: () => unknown;
  /** The chain as pages for people name it. */
  readonly network: Network;
  /** The token list, the same object as long as nothing changed. */
  tokens(): TokenList;
  readonly config: ServerConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The contract in which deprecated parts are marked; the service's own by default. */
  readonly contract?: DescService;
}

/** @throws RangeError for a chain id that the contract cannot carry */
export function createServer(options: ServerOptions): Server {
  const { catalog, config, logger, metrics } = options;
  checkChainId(catalog.chainId);
  const draining = new AbortController();
  const readiness = readyUntil(draining.signal, options.readiness);
  const health = createHealthState([SwapService.typeName]);
  const shared = {
    health,
    readiness,
    draining: draining.signal,
    compressor: createCompressor(config.compressFromBytes),
    runner: createCallRunner({
      deadline: config.deadline,
      logger,
      draining: draining.signal,
      recheckEveryMs: config.recheckKeysEveryMs,
    }),
  };
  const ledger = createLedger();
  const usage = options.usage ?? noUsageMeter;
  const accessLog = createAccessLog({ logger, metrics, usage }, config.logLinesPerSecond, ledger);
  const handler = createRequestHandler({
    ...servicesOf(options, shared),
    ...shared,
    keys: options.keys,
    wrongKeys: createWrongKeys(config.bounds.wrongKeysPerMinute, ledger),
    keyless: createKeyless(ledger, config.bounds),
    charge: options.charge,
    corsOrigins: config.corsOrigins,
    accessLog,
  });
  const listener = createListener({
    handler,
    malformed: accessLog.malformed,
    limits: config.connections,
    bounds: config.bounds,
    ledger,
    addresses: createCallerAddress(config.trustedProxies),
    tls: config.tls,
  });
  const telling = updateHealth(readiness, health, logger);

  return {
    readiness,
    async listen(port, host) {
      await listener.listen(port, host);
      telling.start();
    },
    port: listener.port,
    sessionCount: listener.sessionCount,
    async drain(timeoutMs) {
      telling.stop();
      health.shutDown();
      draining.abort();
      await listener.drain(timeoutMs);
      await Promise.race([accessLog.allNoted(), wait(NOTING_TIMEOUT_MS, undefined, { ref: false })]);
      accessLog.stop();
    },
  };
}

function readyUntil(over: AbortSignal, readiness: Readiness): Readiness {
  return () => (over.aborted ? { ready: false, reason: "the service is shutting down" } : readiness());
}

function checkChainId(chainId: number): void {
  if (Number.isInteger(chainId) && chainId >= 1 && chainId <= MAX_CHAIN_ID) return;
  throw new RangeError(`chain id ${chainId} cannot be served: it must be between 1 and ${MAX_CHAIN_ID}`);
}

/** Parts that the services of one server share. */
interface Shared {
  readonly health: HealthState;
  readonly readiness: Readiness;
  /** Aborted when the server takes nothing new. */
  readonly draining: AbortSignal;
  readonly compressor: Compressor;
  readonly runner: CallRunner;
}

/** Services: the swap service by each protocol, and pages. */
function servicesOf(options: ServerOptions, { health, readiness, draining, compressor, runner }: Shared) {
  const { quoting, config } = options;
  const calls = { ...createSwapCalls(options), ...createTokenCalls(options.listing) };
  const deprecation = createDeprecationHeaders(options.contract ?? SwapService);
  const described = [file_swap_v1_swap, file_grpc_health_v1_health, file_google_rpc_error_details];
  const rpc = createRpcService({
    calls,
    runner,
    limits: config.messages,
    compressor,
    deprecation,
    more: [health.register, ...(config.reflection ? [createReflection(described, draining)] : [])],
  });
  const rest = createRestService(SwapService, { ...calls }, runner, {
    limits: config.messages,
    ready: {
      answers: createReadyAnswers(options.epoch, MAX_READY_BYTES),
      keyOf: (method, account) => (method === SwapService.method.getPrice ? profileKey(account) : undefined),
    },
    compressor,
    deprecation,
  });
  const operations = createOperations({
    network: options.network,
    docs: config.docs,
    quoting,
    readiness,
    tokens: () => options.tokens(),
    ...(options.chainStatus && { chainStatus: options.chainStatus }),
  });
  return { rpc, rest, operations };
}

/** Tells who watches health, and the log, whether the server is ready. */
function updateHealth(readiness: Readiness, health: HealthState, logger: Logger) {
  const tell = logReadiness(logger, () => performance.now());
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const state = readiness();
    health.set(state.ready);
    tell(state);
  };
  return {
    start(): void {
      look();
      timer = setInterval(look, HEALTH_EVERY_MS);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
}
