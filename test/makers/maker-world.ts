import { expect } from "vitest";
import { createFakeListing } from "../../fixtures/door/fake-listing.ts";
import { createPresetKeys } from "../../src/api/keys/preset-keys.ts";
import { createChargeCall } from "../../src/api/limits/charge.ts";
import { createServer, DEFAULT_SERVER_CONFIG } from "../../src/api/server.ts";
import type { Book } from "../../src/devnet/maker/book.ts";
import { stockMaker } from "../../src/devnet/maker/inventory.ts";
import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { createJsonRpc } from "../../src/devnet/node/json-rpc.ts";
import type { Address } from "../../src/domain/address.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { createMetrics } from "../../src/ops/metrics.ts";
import { createPriceLists } from "../../src/quoting/price/price-lists.ts";
import { createPriceWatches } from "../../src/quoting/watch/price-watches.ts";
import { settlementContracts } from "../../src/settlement/contracts.ts";
import { createMemoryLimiter } from "../../src/stores/memory/limiter.ts";
import { outfit } from "../promise/execute.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../support/worlds/swap-world.ts";
import { type ScriptedMaker, type ScriptedMakers, startScriptedMakers } from "./scripted-makers.ts";

const KEY = "the-key-of-the-tests";
export const SECRET = "Bearer what-only-the-makers-know";
export const TAKER = testAccount(1);
/** The market looks at makers' levels so often, when it is asked. */
export const LOOK_EVERY_MS = 100;

/** The service behind its door on a devnet mined by hand, with makers whose behaviour a test decides. */
export interface MakerWorld extends SwapWorld {
  readonly scripted: ScriptedMakers;
  readonly layout: ReturnType<typeof devnetLayout>;
  maker(name: string): ScriptedMaker;
  /** Lets makers show these levels, all others none, and waits until the service has them. */
  show(books: Readonly<Record<string, readonly Book[]>>): Promise<void>;
  /** A call of the REST door. */
  get(path: "price" | "quote", query: Readonly<Record<string, string>>): Promise<RestAnswer>;
  token(symbol: string): Address;
  /** Lets milliseconds pass for makers' records and the age of their levels: without it no time does. */
  pass(ms: number): void;
}

export interface RestAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
  readonly body: any;
}

export async function startMakerWorld(
  names: readonly string[],
  pairs: readonly (readonly [string, string])[] = [],
  // The machine of a test may be busy; what never answers is waited for that long.
  makerDeadlineMs = 2_000,
): Promise<MakerWorld> {
  const { whale, maker: account } = devnetAccounts();
  const layout = devnetLayout(whale);
  let scripted: ScriptedMakers | undefined;
  let elapsedMs = 0;
  const world = await startSwapWorld({
    elapsed: () => elapsedMs,
    makerDeadlineMs,
    async makers({ rpcUrl, chain }) {
      const settlement = settlementContracts(chain.wrappedNative).orders.address;
      await stockMaker(createJsonRpc(rpcUrl), layout, { whale, maker: account.address }, settlement);
      const { chainId } = chain;
      const options = { names, rpcUrl, layout, chainId, settlement, account, pairs, secret: SECRET };
      scripted = await startScriptedMakers(options);
      return [...scripted.makers.values()].map(({ record }) => record);
    },
  });
  const makers = scripted as ScriptedMakers;
  await outfit(world, [TAKER]);
  await world.follow();

  const { quoting, chain, sources, settlement } = world;
  const watches = createPriceWatches({
    quoting,
    market: { current: chain.market.current, onSnapshot: chain.onSnapshot },
    onDefect: () => {},
  });
  const server = createServer({
    quoting,
    lists: createPriceLists(quoting, chain.market),
    watches,
    listing: createFakeListing(),
    epoch: () => undefined,
    catalog: {
      chainId: world.devnet.chain.chainId,
      sourceIds: () => [...sources.keys()],
      past: chain.past,
      mostOfRoutes: { maxHops: 4, maxFills: 128 },
      tokens: chain.registry,
      wrappedNative: world.devnet.chain.wrappedNative,
      settlementContracts: settlement.contracts,
    },
    keys: createPresetKeys(KEY),
    charge: createChargeCall(createMemoryLimiter(), undefined),
    readiness: () => ({ ready: true }),
    network: world.devnet.chain,
    tokens: () => world.devnet.tokenList,
    config: DEFAULT_SERVER_CONFIG,
    logger: createLogger("silent"),
    metrics: createMetrics(),
  });
  await server.listen(0, "127.0.0.1");

  const maker = (name: string) => {
    const found = makers.makers.get(name);
    if (found === undefined) throw new Error(`there is no maker ${name}`);
    return found;
  };
  const pass = (ms: number) => {
    elapsedMs += ms;
  };
  return {
    ...world,
    scripted: makers,
    pass,
    layout,
    maker,
    token: (symbol) => layout.token(symbol).address,
    async show(books) {
      for (const each of makers.makers.values()) each.books = books[each.name] ?? [];
      const wanted = Object.entries(books).flatMap(([name, list]) => list.map((book) => [name, book.bids[0]?.[1]]));
      const shown = () =>
        world.makers.levels().map(({ source, state }) => [source, "bids" in state ? state.bids[0]?.makerAmount : 0n]);
      const sorted = (list: readonly unknown[][]) => list.map(String).sort();
      await expect.poll(() => sorted(shown()), { interval: 20 }).toEqual(sorted(wanted));
      pass(LOOK_EVERY_MS);
    },
    async get(path, query) {
      const search = new URLSearchParams({ gasPrice: "1000000000", ...query });
      const url = `http://127.0.0.1:${server.port()}/swap/v1/${path}?${search}`;
      const answer = await fetch(url, { headers: { "api-key": KEY } });
      return { status: answer.status, body: await answer.json() };
    },
    async stop() {
      await server.drain(1_000);
      watches.stop();
      await world.stop();
      await makers.stop();
    },
  };
}
