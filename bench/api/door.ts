/**
 * The door of the service in front of a market that costs nothing: every price is there at once. Prints its port and the
 * answer to one price, so that what the door itself costs can be measured. With BLOCK_EVERY_MS there is a block so often, whose
 * price is another one, and when it was published is printed in milliseconds of the epoch.
 */
import { createFakeListing } from "../../fixtures/door/fake-listing.ts";
import { createFakeMarket } from "../../fixtures/door/fake-market.ts";
import { createFakeQuoting, FAKE_SOURCES, fakeTokens, GATEWAY, USDC, WETH } from "../../fixtures/door/fake-quoting.ts";
import { TEST_NETWORK, TEST_TOKENS } from "../../fixtures/door/test-network.ts";
import { createPresetKeys } from "../../src/api/keys/preset-keys.ts";
import { createChargeCall } from "../../src/api/limits/charge.ts";
import { createServer, DEFAULT_SERVER_CONFIG } from "../../src/api/server.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { createMetrics } from "../../src/ops/metrics.ts";
import { createPriceLists } from "../../src/quoting/price/price-lists.ts";
import { createPriceWatches } from "../../src/quoting/watch/price-watches.ts";
import { createMemoryLimiter } from "../../src/stores/memory/limiter.ts";

const key = process.env.TRIBUTARY_API_KEY ?? "";
const quoting = createFakeQuoting();
quoting.before = async () => void quoting.asked.splice(0);
const market = createFakeMarket();
const everyMs = Number(process.env.BLOCK_EVERY_MS ?? 0);
let blocks = 0n;
const moving: typeof quoting = {
  ...quoting,
  async price(request, context) {
    const answer = await quoting.price(request, context);
    return { ...answer, buyAmount: answer.buyAmount + blocks };
  },
};
const epoch = {};
const server = createServer({
  quoting,
  lists: createPriceLists(quoting, market),
  listing: createFakeListing(),
  watches: createPriceWatches({
    ...{ quoting: moving, market, onDefect: console.error },
  }),
  epoch: () => epoch,
  catalog: {
    chainId: 31337,
    mostOfRoutes: { maxHops: 4, maxFills: 128 },
    sourceIds: () => FAKE_SOURCES.map((source) => source.name),
    tokens: fakeTokens,
    wrappedNative: WETH.address,
    settlementContracts: [GATEWAY],
  },
  // No key has so many streams as there are then: any text is one.
  keys: everyMs > 0 ? { verify: (text) => ({ keyId: text }) } : createPresetKeys(key),
  charge: createChargeCall(createMemoryLimiter(), undefined),
  readiness: () => ({ ready: true }),
  network: TEST_NETWORK,
  tokens: () => TEST_TOKENS,
  config: DEFAULT_SERVER_CONFIG,
  logger: createLogger(process.env.LOG_LEVEL === "info" ? "info" : "warn"),
  metrics: createMetrics(),
});
await server.listen(0, "127.0.0.1");
const query = new URLSearchParams({
  sellToken: WETH.address,
  buyToken: USDC.address,
  sellAmount: "1000000000000000000",
});
console.log(`http://127.0.0.1:${server.port()}/swap/v1/price?${query}`);
if (everyMs > 0)
  setInterval(() => {
    blocks += 1n;
    console.log(`block ${performance.timeOrigin + performance.now()}`);
    market.publish();
  }, everyMs);
