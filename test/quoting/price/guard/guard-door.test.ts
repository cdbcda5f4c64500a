import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { encodeDeployData, encodeFunctionData } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { BadRequestSchema } from "#gen/google/rpc/error_details_pb.ts";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { writeChainFile } from "../../../../fixtures/chain/chain-file.ts";
import { freePort } from "../../../../fixtures/free-port.ts";
import { compose, type Service } from "../../../../src/compose/serve.ts";
import { type Address, toAddress } from "../../../../src/domain/address.ts";
import { readConfig } from "../../../../src/ops/config.ts";
import { createLogger } from "../../../../src/ops/logger.ts";
import { startTestDevnet, type TestDevnet } from "../../../support/worlds/devnet.ts";
import { compiled } from "../../../venues/worlds/compiled.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const KEY = "key-of-the-guarded";
const AGGREGATOR = compiled("PriceAggregator");
const FEED_DECIMALS = 8n;

let devnet: TestDevnet;
let folder: string;
let exchange: Server;
let aggregator: Address;
let service: Service;
let metricsPort: number;
const log: string[] = [];
/** Price of a dollar coin at the exchange; undefined: it fails. */
let dollar: string | undefined = "1.00";
let asked = 0;

const addressOf = (symbol: string) => devnet.tokens.find((token) => token.symbol === symbol)!.address;

beforeAll(async () => {
  devnet = await startTestDevnet("settled");
  const deployed = await devnet.sendTransaction(devnet.whale, {
    data: encodeDeployData({ ...AGGREGATOR, args: [Number(FEED_DECIMALS)] }),
  });
  aggregator = toAddress(deployed.contractAddress!);
  exchange = createServer((_, response) => {
    asked += 1;
    response.writeHead(dollar === undefined ? 500 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ data: { amount: dollar, base: "USDC", currency: "USD" } }));
  });
  await new Promise<void>((resolve) => exchange.listen(0, "127.0.0.1", resolve));
  folder = mkdtempSync(join(tmpdir(), "price-guard-"));
  writeChainFile(join(folder, "chain.json"), { ...devnet.chain, blockTimeMs: 0 });
  writeFileSync(
    join(folder, "guard.json"),
    JSON.stringify({
      ...{ maxDeviationBps: 200, pollEveryMs: 1_000, allowPrivateNetwork: true },
      urls: { coinbase: `http://127.0.0.1:${(exchange.address() as AddressInfo).port}` },
      feeds: [
        { source: "chainlink", token: addressOf("WETH"), aggregator, maxAgeSeconds: 3_600 },
        { source: "coinbase", token: addressOf("USDH"), symbol: "USDC-USD", maxAgeSeconds: 5 },
      ],
    }),
  );
  metricsPort = await freePort();
  const config = readConfig({
    SEARCH_THREADS: "0",
    ...{ PORT: "0", RPC_URL: devnet.rpcUrl, CHAIN_FILE: join(folder, "chain.json"), TRIBUTARY_API_KEY: KEY },
    ...{ PRICE_GUARD_FILE: join(folder, "guard.json"), METRICS_PORT: String(metricsPort), DATA_DIR: folder },
  });
  service = await compose(config, createLogger("info", { write: (text) => void log.push(text) }));
  await service.ready;
});
afterAll(async () => {
  await service?.stop();
  await devnet?.stop();
  exchange?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

const sale = () => ({ sellToken: addressOf("WETH"), buyToken: addressOf("USDH"), sellAmount: "100000000000000000" });

/** Fields of answers and refusals that the test examines. */
interface Body {
  readonly buyAmount: string;
  readonly code: number;
  readonly reason: string;
  readonly description: string;
  readonly docs: string;
  readonly validationErrors: readonly unknown[];
}

interface Status {
  readonly chain: {
    readonly head: { readonly number: number } | null;
    readonly priceGuard: readonly {
      readonly source: string;
      readonly state: string;
      readonly trouble: string | null;
    }[];
  };
}

async function status(): Promise<Status> {
  return (await (await fetch(`${service.url}/status`)).json()) as Status;
}

async function ask(call: "price" | "quote", query: Record<string, string> = sale()) {
  const response = await fetch(`${service.url}/swap/v1/${call}?${new URLSearchParams(query)}`, {
    headers: { "api-key": KEY },
  });
  return { status: response.status, body: (await response.json()) as Body };
}

/** Tells the aggregator a price in cents, and waits until the service has the block. */
async function tell(cents: bigint, secondsOld = 0): Promise<void> {
  const { timestamp } = await devnet.rpc<{ timestamp: string }>("eth_getBlockByNumber", ["latest", false]);
  const args = [cents * 10n ** (FEED_DECIMALS - 2n), BigInt(timestamp) - BigInt(secondsOld)];
  const data = encodeFunctionData({ abi: AGGREGATOR.abi, functionName: "tell", args });
  await devnet.sendTransaction(devnet.whale, { to: aggregator, data });
  const { number } = await devnet.rpc<{ number: string }>("eth_getBlockByNumber", ["latest", false]);
  const head = async () => (await status()).chain.head?.number ?? 0;
  await vi.waitUntil(async () => (await head()) >= Number(number), { timeout: 60_000, interval: 100 });
}

/** Cents that one ether is worth by the service's own price. */
async function market(): Promise<bigint> {
  const { body } = await ask("price", { ...sale(), sellToken: addressOf("WETH"), buyToken: addressOf("DSD") });
  return (BigInt(body.buyAmount) * 10n) / 10n ** 16n;
}

const readings = async () => (await status()).chain.priceGuard;

test("a trade near the contract's price passes, one that is further off is refused on every protocol", async () => {
  const cents = await market();
  await tell(cents);
  expect((await ask("price")).status).toBe(200);
  expect((await ask("quote")).status).toBe(200);

  await tell((cents * 105n) / 100n);
  for (const call of ["price", "quote"] as const) {
    const { status: code, body } = await ask(call);
    expect([code, body.code, body.reason]).toEqual([400, 100, "PRICE_OFF_REFERENCE"]);
    expect(body.validationErrors).toMatchObject([{ field: "sellAmount", code: 1011, reason: "PRICE_OFF_REFERENCE" }]);
    const [, off] = body.description.match(/: (-[\d.]+) % off, where 2 % is allowed/) ?? [];
    expect(Number(off)).toBeGreaterThan(-6.5);
    expect(Number(off)).toBeLessThan(-4);
    expect(body.docs).toBe("/docs/errors#price_off_reference");
  }
  const baseUrl = service.url;
  for (const transport of [
    createGrpcTransport({ baseUrl }),
    createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
    createConnectTransport({ baseUrl, httpVersion: "1.1" }),
  ]) {
    const error = await createClient(SwapService, transport)
      .getQuote(sale(), { headers: { "api-key": KEY } })
      .then(
        () => expect.fail("the call went through"),
        (thrown: unknown) => ConnectError.from(thrown),
      );
    const [item] = error.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
    expect(item).toMatchObject({ field: "sellAmount", reason: "PRICE_OFF_REFERENCE" });
  }
  // A pair without feeds is nobody's business.
  expect((await ask("quote", { ...sale(), buyToken: addressOf("DSD") })).status).toBe(200);
});

test("a trade that pays far more than the reference is refused too", async () => {
  await tell(((await market()) * 90n) / 100n);
  const { status: code, body } = await ask("quote");
  expect([code, body.reason]).toEqual([400, "PRICE_OFF_REFERENCE"]);
  expect(body.description).toMatch(/: \d+\.\d+ % off/);
});

test("a stale round, and an exchange that fails, are passed over and told of", async () => {
  const far = (await market()) * 2n;
  await tell(far, 3_700);
  expect((await ask("quote")).status).toBe(200);
  expect(await readings()).toMatchObject([
    { source: "chainlink", state: "stale" },
    { source: "coinbase", state: "fresh", trouble: null },
  ]);
  await tell(far);
  expect((await ask("quote")).status).toBe(400);
  dollar = undefined;
  await expect.poll(async () => (await readings())[1], { timeout: 60_000 }).toMatchObject({ state: "stale" });
  await devnet.mine();
  await expect.poll(async () => (await ask("quote")).status, { timeout: 60_000 }).toBe(200);
  const trouble = (await readings())[1]?.trouble;
  expect(trouble).toMatch(/HTTP 500/);
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toMatch(/^tributary_price_guard_checks_total\{end="missing"\} [1-9]/m);
  expect(metrics).toMatch(/^tributary_price_guard_checks_total\{end="refused"\} [1-9]/m);
  expect(metrics).toMatch(/^tributary_price_guard_feed_fresh\{token="0x\w+",source="coinbase"\} 0$/m);
});

test("the exchange was asked by the clock, not by callers, and stands in no log", async () => {
  const before = asked;
  await Promise.all(Array.from({ length: 30 }, () => ask("price")));
  expect(asked - before).toBeLessThan(10);
  expect(log.join("\n")).not.toContain(`:${(exchange.address() as AddressInfo).port}`);
});

test("a file that cannot be used ends the start with a sentence", async () => {
  const broken = join(folder, "broken.json");
  writeFileSync(broken, JSON.stringify({ maxDeviationBps: 0, feeds: [] }));
  const config = readConfig({ PORT: "0", DEVNET_PORT: "0", DATA_DIR: folder, PRICE_GUARD_FILE: broken });
  await expect(compose(config, createLogger("silent", { write: () => {} }))).rejects.toThrow(
    /PRICE_GUARD_FILE: maxDeviationBps/,
  );
});
