import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { numberToHex, toEventSelector } from "viem";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { writeChainFile } from "../../../fixtures/chain/chain-file.ts";
import { createRandom, type Random } from "../../../fixtures/random.ts";
import { compose, type Service } from "../../../src/compose/serve.ts";
import { type Address, type Hex, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { readConfig } from "../../../src/ops/config.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { startTestDevnet, type TestDevnet } from "../../support/worlds/devnet.ts";
import { testAccount } from "../../support/worlds/swap-world.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 });

/** Services over one devnet: one searches on its main thread, the other in two threads. Neither searches deeply: only threads do. */
const KEY = "key-of-the-threads";
const TAKER = testAccount(8_100);
const BLOCKS = 3;
const REQUESTS = 10;
/** Wei per gas. */
const GAS_PRICE = 2_000_000_000;

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown> & Partial<Quoted>;
}

interface Quoted {
  readonly to: Address;
  readonly data: Hex;
  readonly value: string;
  /** Expiry; it counts from the second of the call on chains with irregular blocks. */
  readonly expiry: string;
}

let devnet: TestDevnet;
let folder: string;
let services: Service[] = [];
beforeAll(async () => {
  devnet = await startTestDevnet("settled");
  await devnet.rpc("anvil_setBalance", [TAKER, numberToHex(10n ** 24n)]);
  folder = mkdtempSync(join(tmpdir(), "threads-"));
  services = [await serve("0"), await serve("2")];
  await devnet.mine();
});
afterAll(async () => {
  for (const service of services) await service.stop();
  await devnet?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

async function serve(threads: string): Promise<Service> {
  const [record, list] = [join(folder, "chain.json"), join(folder, "tokens.json")];
  writeChainFile(record, { ...devnet.chain, blockTimeMs: 0 });
  writeFileSync(list, JSON.stringify(devnet.tokenList));
  const node = {
    RPC_URL: devnet.rpcUrl,
    CHAIN_FILE: record,
    TOKEN_LIST: list,
    SEARCH_THREADS: threads,
    PRICE_OVERRIDES: "1",
    DEEP_SEARCHES: "0",
  };
  const config = readConfig({
    PORT: "0",
    ...node,
    TRIBUTARY_API_KEY: KEY,
    RATE_LIMIT: "0",
    REQUEST_TIMEOUT_MS: "60000",
  });
  const service = await compose(config, createLogger("silent"));
  await service.ready;
  return service;
}

/** An answer without what no two calls share: its own id and second. A zero byte in a quote's second costs less gas. */
function comparable({ status, body }: Answer | undefined = { status: 0, body: {} }) {
  const { requestId, expiry, ...rest } = body;
  if (expiry === undefined) return { status, ...rest };
  const { gas, estimatedGas, totalNetworkFee, ...quote } = rest;
  const second = BigInt(expiry).toString(16).padStart(64, "0");
  return { status, ...JSON.parse(JSON.stringify(quote).replaceAll(second, "expiry")) };
}

async function ask({ url }: Service, path: string): Promise<Answer> {
  // The node's gas price is kept for seconds, and the services asked at different moments.
  const response = await fetch(`${url}/swap/v1/${path}&gasPrice=${GAS_PRICE}`, { headers: { "api-key": KEY } });
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}

/** Waits until both services answer for the newest block of the chain. */
async function caughtUp(): Promise<void> {
  const { hash } = await devnet.rpc<{ readonly hash: Hex }>("eth_getBlockByNumber", ["latest", false]);
  const path = `price?${new URLSearchParams({ sellToken: NATIVE_TOKEN, buyToken: tokenOf("USDH"), sellAmount: "1000000000000000" })}`;
  for (const service of services) {
    await vi.waitUntil(async () => JSON.stringify((await ask(service, path)).body).includes(hash), { timeout: 30_000 });
  }
}

const tokenOf = (symbol: string) => devnet.tokens.find((token) => token.symbol === symbol)!.address;

function anyRequest(random: Random): string {
  const tokens = [NATIVE_TOKEN, ...devnet.tokens.map(({ address }) => address)];
  const sellToken = random.pick(tokens);
  const buyToken = random.pick(tokens.filter((token) => token !== sellToken));
  const amount = String(BigInt(Math.floor(random.logUniform(1e4, 1e20))));
  const isQuote = random.chance(0.3);
  const query = new URLSearchParams({ sellToken, buyToken, ...(isQuote && { takerAddress: TAKER }) });
  query.set(random.chance(0.6) ? "sellAmount" : "buyAmount", amount);
  if (random.chance(0.2)) query.set("includedSources", "Uniswap_V3,Uniswap_V2");
  if (random.chance(0.2)) query.set("excludedSources", "Curve");
  if (query.has("includedSources")) query.delete("excludedSources");
  return `${isQuote ? "quote" : "price"}?${query}`;
}

it("prices on top of overrides are the same byte for byte, and leave those without as they are", async () => {
  await caughtUp();
  const sale = { sellToken: NATIVE_TOKEN, buyToken: tokenOf("USDH"), sellAmount: "300000000000000000" };
  const query = { ...sale, gasPrice: String(GAS_PRICE) };
  const price = `price?${new URLSearchParams(query)}`;
  const ofPair = await ask(
    services[0] as Service,
    `price?${new URLSearchParams(sale)}&includedSources=Uniswap_V2&maxHops=1`,
  );
  expect(ofPair.body).toMatchObject({ sellAmount: sale.sellAmount });
  const { fills } = ofPair.body.route as { readonly fills: readonly { readonly source: string; readonly pool: Hex }[] };
  const address = fills.find(({ source }) => source === "Uniswap_V2")?.pool;
  const data = [1_900n * 10n ** 18n, 3_780_000n * 10n ** 6n].map((reserve) => reserve.toString(16).padStart(64, "0"));
  const body = JSON.stringify({
    ...query,
    overrides: [{ address, topics: [toEventSelector("Sync(uint112,uint112)")], data: `0x${data.join("")}` }],
  });
  const onTop = async ({ url }: Service): Promise<Answer> => {
    const headers = { "api-key": KEY, "content-type": "application/json" };
    const answer = await fetch(`${url}/swap/v1/price`, { method: "POST", headers, body });
    return { status: answer.status, body: (await answer.json()) as Answer["body"] };
  };
  const before = await Promise.all(services.map((each) => ask(each, price)));
  const [plain, threaded] = await Promise.all(services.map(onTop));
  expect(plain?.status).toBe(200);
  expect(plain?.body.overrides).toEqual({ logs: 1, pools: [address] });
  expect(comparable(threaded)).toEqual(comparable(plain));
  // Another amount, so that nothing of this was kept from before.
  const fresh = `price?${new URLSearchParams({ ...query, sellAmount: "300000000000000001" })}`;
  const [first, second] = await Promise.all(services.map((each) => ask(each, fresh)));
  expect(comparable(second)).toEqual(comparable(first));
  expect(first?.body.route).not.toEqual(plain?.body.route);
  for (const [at, each] of services.entries())
    expect((await ask(each, price)).body.buyAmount).toBe(before[at]?.body.buyAmount);
});

it("a service that searches in threads answers as one that does not, byte for byte, at every block", async () => {
  const random = createRandom(39);
  const seen = new Map<number, number>();
  const past: { readonly path: string; readonly answer: Answer }[] = [];
  for (let height = 0; height < BLOCKS; height++) {
    const query = { sellToken: NATIVE_TOKEN, buyToken: tokenOf("USDH"), sellAmount: "300000000000000000" };
    await caughtUp();
    const quote = `quote?${new URLSearchParams({ ...query, takerAddress: TAKER })}`;
    const requests = [quote, ...Array.from({ length: REQUESTS }, () => anyRequest(random))];
    const answers = await Promise.all(services.map((each) => Promise.all(requests.map((path) => ask(each, path)))));
    const [plain = [], threaded = []] = answers;
    for (const [index, request] of requests.entries()) {
      expect(comparable(threaded[index]), request).toEqual(comparable(plain[index]));
      const status = plain[index]?.status ?? 0;
      seen.set(status, (seen.get(status) ?? 0) + 1);
    }
    const price = `price?${new URLSearchParams(query)}`;
    const [now] = await Promise.all(services.map((each) => ask(each, price)));
    if (now !== undefined) past.push({ path: `${price}&blockNumber=${now.body.blockNumber}`, answer: now });
    const { status, body } = plain[0]!;
    expect(status).toBe(200);
    const { to, data, value } = body as unknown as Quoted;
    const sent = { to, data, value: BigInt(value) };
    expect((await devnet.sendTransaction(TAKER, sent)).succeeded).toBe(true);
  }
  await caughtUp();
  expect(new Set(past.map(({ answer }) => answer.body.buyAmount)).size).toBe(BLOCKS);
  // Both, and threads too, have the blocks before: each price is what it was then.
  for (const { path, answer } of past)
    for (const service of services) expect(comparable(await ask(service, path)), path).toEqual(comparable(answer));
  expect([...seen.keys()].sort()).toEqual([200, 400]);
  for (const count of seen.values()) expect(count).toBeGreaterThan(4);
});
