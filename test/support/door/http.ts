import { connect, type Socket } from "node:net";
import type { DescService } from "@bufbuild/protobuf";
import { createFakeListing, type FakeListing } from "../../../fixtures/door/fake-listing.ts";
import { createFakeMarket, type FakeMarket, snapshotAt } from "../../../fixtures/door/fake-market.ts";
import {
  createFakeQuoting,
  FAKE_SOURCES,
  type FakeQuoting,
  fakeTokens,
  GATEWAY,
  WETH,
} from "../../../fixtures/door/fake-quoting.ts";
import { TEST_NETWORK, TEST_TOKENS } from "../../../fixtures/door/test-network.ts";
import type { KeyStore } from "../../../src/api/keys/key-store.ts";
import { createPresetKeys } from "../../../src/api/keys/preset-keys.ts";
import { type ChargeCall, createChargeCall } from "../../../src/api/limits/charge.ts";
import { createServer, DEFAULT_SERVER_CONFIG, type Server, type ServerConfig } from "../../../src/api/server.ts";
import type { UsageMeter } from "../../../src/api/usage/usage-meter.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { createMetrics, type Metrics } from "../../../src/ops/metrics.ts";
import type { Quoting } from "../../../src/quoting/answer/types.ts";
import { createPriceLists } from "../../../src/quoting/price/price-lists.ts";
import {
  createPriceWatches,
  DEFAULT_WATCH_LIMITS,
  type PriceWatches,
  type WatchLimits,
} from "../../../src/quoting/watch/price-watches.ts";
import { createMemoryLimiter } from "../../../src/stores/memory/limiter.ts";

export const KEY = "the-key-of-the-tests";

/** Blocks 90 to 100 are held, but for 95. */
const PAST = {
  at: (number: bigint) => (number >= 90n && number <= 100n && number !== 95n ? snapshotAt(number) : undefined),
  held: () => [
    { oldest: 90n, newest: 94n },
    { oldest: 96n, newest: 100n },
  ],
};

/** A door in front of a fake, listening on a port of its own. */
export interface Door {
  readonly server: Server;
  readonly quoting: FakeQuoting;
  readonly market: FakeMarket;
  readonly listing: FakeListing;
  readonly watches: PriceWatches;
  readonly metrics: Metrics;
  readonly origin: string;
  readonly port: number;
  /** Log lines so far. */
  readonly log: Record<string, unknown>[];
  readonly state: {
    readiness: { readonly ready: boolean; readonly reason?: string };
    /** While it is the same object answers may be kept; undefined keeps none. */
    epoch?: object | undefined;
  };
  /** A GET with the key; `init` adds to it. */
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
  readonly body: any;
}

export async function openDoor(
  config: Partial<ServerConfig> = {},
  keys?: KeyStore,
  chainId = 31337,
  accounts: {
    readonly charge?: ChargeCall;
    readonly usage?: UsageMeter;
    readonly watchLimits?: Partial<WatchLimits>;
    /** They are by default. */
    readonly allowsOverrides?: boolean;
    /** With other marks than the service's own. */
    readonly contract?: DescService;
  } = {},
  through: (quoting: Quoting) => Quoting = (quoting) => quoting,
): Promise<Door> {
  const quoting = createFakeQuoting();
  const log: Record<string, unknown>[] = [];
  const metrics = createMetrics();
  const state: Door["state"] = { readiness: { ready: true } };
  const market = createFakeMarket();
  const listing = createFakeListing();
  const watches = createPriceWatches({
    quoting,
    market,
    limits: { ...DEFAULT_WATCH_LIMITS, ...accounts.watchLimits },
    onDefect: (error) => void log.push({ defect: String(error) }),
  });
  const server = createServer({
    quoting: through(quoting),
    lists: createPriceLists(through(quoting), market),
    watches,
    listing,
    epoch: () => state.epoch,
    catalog: {
      chainId,
      past: PAST,
      allowsOverrides: accounts.allowsOverrides ?? true,
      mostOfRoutes: { maxHops: 4, maxFills: 128 },
      sourceIds: () => FAKE_SOURCES.map((source) => source.name),
      tokens: fakeTokens,
      wrappedNative: WETH.address,
      settlementContracts: [GATEWAY],
    },
    keys: keys ?? createPresetKeys(KEY),
    // Only keys with a limit of their own have one.
    charge: accounts.charge ?? createChargeCall(createMemoryLimiter(), undefined),
    ...(accounts.usage !== undefined && { usage: accounts.usage }),
    ...(accounts.contract !== undefined && { contract: accounts.contract }),
    readiness: () => state.readiness,
    network: { ...TEST_NETWORK, chainId },
    tokens: () => TEST_TOKENS,
    config: { ...DEFAULT_SERVER_CONFIG, ...config },
    logger: createLogger("info", { write: (line) => void log.push(JSON.parse(line)) }),
    metrics,
  });
  await server.listen(0, "127.0.0.1");
  const port = server.port();
  const origin = `http://127.0.0.1:${port}`;
  return {
    server,
    quoting,
    market,
    listing,
    watches,
    metrics,
    origin,
    port,
    log,
    state,
    async get(path, headers = {}) {
      const response = await fetch(origin + path, { headers: { "api-key": KEY, ...headers } });
      return { status: response.status, headers: response.headers, body: await bodyOf(response) };
    },
  };
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  return response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : text;
}

/** Writes raw bytes to the port and collects what comes back until the other side closes, or `until` is met. */
export function rawExchange(
  port: number,
  text: string | Buffer,
  until?: (answer: string) => boolean,
  localAddress = "127.0.0.1",
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: "127.0.0.1", localAddress }, () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
      if (until?.(answer)) socket.destroy();
    });
    socket.once("error", reject);
    socket.once("close", () => resolve(answer));
  });
}
