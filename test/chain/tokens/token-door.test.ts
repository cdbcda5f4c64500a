import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeFunctionData, parseAbi } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { writeChainFile } from "../../../fixtures/chain/chain-file.ts";
import { compose, type Service } from "../../../src/compose/serve.ts";
import { type Address, type Hex, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import { readConfig } from "../../../src/ops/config.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { withoutSimulation } from "../../support/nodes/without-simulation.ts";
import { startTestDevnet, type TestDevnet } from "../../support/worlds/devnet.ts";
import { MISFIT, misfitsOn, SHARES } from "../blocks/misfits.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const KEY = "key-of-the-odd-tokens";
const UNIT = 10n ** 18n;
const USD = 10n ** 6n;
const SOLD = 50_000n * USD;
const router = parseAbi(["function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[])"]);

interface Refusal {
  readonly code: number;
  readonly validationErrors: readonly Record<string, unknown>[];
}
interface Answer {
  readonly buyAmount: string;
  readonly route: { readonly fills: readonly { readonly pool: string }[] };
  readonly issues: { readonly simulationIncomplete: boolean };
}

let devnet: TestDevnet;
let folder: string;
let services: Service[];
const log: Record<string, unknown>[] = [];
let [usdh, dsd]: Address[] = [];
/** Takes 1 %, keeps shares, pays only some, has 77 decimals, is plain until told otherwise. */
let odd: Record<"FEE" | "SHARE" | "CLUB" | "TALL" | "LATE", Address>;
/** The pairs of each with USDH and DSD. */
let pools: Map<Address, readonly Address[]>;

beforeAll(async () => {
  devnet = await startTestDevnet("settled");
  [usdh, dsd] = ["USDH", "DSD"].map((name) => devnet.tokens.find(({ symbol }) => symbol === name)!.address);
  const misfits = misfitsOn(devnet);
  odd = {
    FEE: await misfits.misfit("FEE"),
    SHARE: await misfits.shareToken("SHARE"),
    CLUB: await misfits.misfit("CLUB"),
    TALL: await misfits.misfit("TALL", 77),
    LATE: await misfits.misfit("LATE"),
  };
  pools = new Map();
  for (const [symbol, token] of Object.entries(odd)) {
    // Ways that pay a tenth more than a dollar for a dollar, but for the two that stay plain at first.
    const [lots, paid] = symbol === "TALL" || symbol === "LATE" ? [500_000n, 500_000n] : [5_000_000n, 5_500_000n];
    pools.set(token, [
      await misfits.pair(usdh!, lots * USD, token, lots * UNIT),
      await misfits.pair(token, lots * UNIT, dsd!, paid * UNIT),
    ]);
  }
  await misfits.call(odd.FEE, MISFIT, "keep", 10_000n, ZERO_ADDRESS);
  await misfits.call(odd.SHARE, SHARES, "fill", 123_456_789_012_345_678_901n, 0n);
  await misfits.call(odd.CLUB, MISFIT, "payOnly", true, [devnet.whale]);
  folder = mkdtempSync(join(tmpdir(), "odd-tokens-"));
  services = [];
});
afterAll(async () => {
  for (const service of services ?? []) await service.stop();
  await devnet?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

async function serve(rpcUrl: string): Promise<Service> {
  const record = join(folder, "chain.json");
  writeChainFile(record, { ...devnet.chain, blockTimeMs: 0 });
  const config = readConfig({
    SEARCH_THREADS: "0",
    PORT: "0",
    RPC_URL: rpcUrl,
    CHAIN_FILE: record,
    TRIBUTARY_API_KEY: KEY,
  });
  const opened = log.length;
  const service = await compose(config, createLogger("info", { write: (text) => void log.push(JSON.parse(text)) }));
  services.push(service);
  await service.ready;
  await devnet.mine();
  const open = () => log.slice(opened).some(({ msg }) => /quotes are open/.test(String(msg)));
  await vi.waitUntil(open, { timeout: 90_000 });
  return service;
}

async function ask<Body>(service: Service, call: "price" | "quote", query: Record<string, string>) {
  const path = `${service.url}/swap/v1/${call}?${new URLSearchParams(query)}`;
  const response = await fetch(path, { headers: { "api-key": KEY } });
  return { status: response.status, body: (await response.json()) as Body };
}

const sale = (sellToken: Address, buyToken: Address) => ({ sellToken, buyToken, sellAmount: String(SOLD) });

/** Output of a path by Uniswap's own contract. */
async function paidOver(token: Address): Promise<bigint> {
  const data = encodeFunctionData({ abi: router, functionName: "getAmountsOut", args: [SOLD, [usdh!, token, dsd!]] });
  const answer = await devnet.rpc<Hex>("eth_call", [{ to: devnet.contracts.uniswapV2Router, data }, "latest"]);
  return BigInt(`0x${answer.slice(-64)}`);
}

async function statusOf(service: Service) {
  const response = await fetch(`${service.url}/status`);
  return ((await response.json()) as { chain: { tokens: unknown; quarantined: { count: number } } }).chain;
}

describe("the service over a chain with odd tokens", () => {
  let service: Service;
  beforeAll(async () => {
    service = await serve(devnet.rpcUrl);
  });

  it("takes no route over them, though theirs would pay best by their pools' own word", async () => {
    for (const call of ["price", "quote"] as const) {
      const { status, body } = await ask<Answer>(service, call, sale(usdh!, dsd!));
      expect(status).toBe(200);
      for (const token of [odd.FEE, odd.SHARE, odd.CLUB]) {
        expect(await paidOver(token)).toBeGreaterThan(BigInt(body.buyAmount));
        const taken = body.route.fills.map(({ pool }) => pool);
        for (const pool of pools.get(token)!) expect(taken).not.toContain(pool);
      }
      if (call === "quote") expect(body.issues.simulationIncomplete).toBe(false);
    }
  });

  it("sells and buys the one with a constant fee by itself, and tells it", async () => {
    const bps = { buyTaxBps: "100", sellTaxBps: "100", transferTaxBps: "100" };
    const none = { buyTaxBps: "0", sellTaxBps: "0", transferTaxBps: "0" };
    for (const call of ["price", "quote"] as const) {
      const sold = await ask<Answer>(service, call, { ...sale(odd.FEE, usdh!), sellAmount: String(UNIT) });
      expect(sold.body).toMatchObject({ tokenMetadata: { sellToken: bps, buyToken: none } });
      const bought = await ask<Answer>(service, call, sale(usdh!, odd.FEE));
      expect(bought.body).toMatchObject({ tokenMetadata: { sellToken: none, buyToken: bps } });
      for (const { status, body } of [sold, bought]) {
        expect(status).toBe(200);
        expect(body.route.fills.every(({ pool }) => pools.get(odd.FEE)!.includes(pool as Address))).toBe(true);
        if (call === "quote") expect(body.issues.simulationIncomplete).toBe(false);
      }
    }
  });

  it("is what the page of the API shows", async () => {
    const page = readFileSync(new URL("../../../docs/api.md", import.meta.url), "utf8");
    const example = (name: string) => page.split(`<!-- example: ${name} -->`)[1]?.split("```")[1] ?? "";
    const tax = JSON.parse(example("tax").replace("json", "")) as object;
    const sold = await ask<Answer>(service, "price", { ...sale(odd.FEE, usdh!), sellAmount: String(UNIT) });
    expect(sold.body).toMatchObject({ tokenMetadata: tax });
    const query = Object.fromEntries(new URL(/http[^']+/.exec(example("auto"))?.[0] ?? "").searchParams);
    for (const call of ["price", "quote"] as const) {
      const { status, body } = await ask<Record<string, string>>(service, call, query);
      expect([status, query.slippagePercentage]).toEqual([200, "auto"]);
      const slippage = Number(body.slippagePercentage);
      // Few blocks were seen by this service: then it is the default.
      if (body.expectedSlippage === null) expect(slippage).toBe(0.01);
      else expect(slippage >= 0.001 && slippage <= 0.05 && body.expectedSlippage!.startsWith("-0.")).toBe(true);
      expect(BigInt(body.minBuyAmount!)).toBe(
        (BigInt(body.buyAmount!) * BigInt(Math.round((1 - slippage) * 1e6))) / 1_000_000n,
      );
    }
  });

  it.each([
    ["SHARE", /is not exact: a transfer of \d+ base units takes \d+ from the sender and gives the receiver \d+ /],
    ["CLUB", "refuses transfers (the receiver is not listed)"],
  ] as const)("refuses %s by name, with what was found", async (symbol, reason) => {
    for (const call of ["price", "quote"] as const) {
      for (const [field, query] of [
        ["sellToken", sale(odd[symbol], usdh!)],
        ["buyToken", sale(usdh!, odd[symbol])],
      ] as const) {
        const { status, body } = await ask<Refusal>(service, call, query);
        expect(status).toBe(400);
        expect(body.code).toBe(100);
        expect(body.validationErrors).toMatchObject([{ field, code: 1009, reason: "TOKEN_NOT_SUPPORTED" }]);
        const { description } = body.validationErrors[0] as { description: string };
        expect(description).toContain(`${symbol} (${odd[symbol]}) `);
        expect(description).toMatch(reason);
        expect(description).toContain("the wrapped form of this one if there is one");
      }
    }
  });

  it("refuses one with 77 decimals as no usable token", async () => {
    const { status, body } = await ask<Refusal>(service, "price", sale(odd.TALL, usdh!));
    expect(status).toBe(400);
    expect(body.validationErrors).toMatchObject([{ field: "sellToken", code: 1009, reason: "UNKNOWN_TOKEN" }]);
  });

  it("finds a fee that is switched on later by the quote whose simulation fails, and reckons with it from then on", async () => {
    const asked = { sellToken: odd.LATE, buyToken: usdh!, sellAmount: String(UNIT) };
    expect((await ask<Answer>(service, "price", asked)).status).toBe(200);
    await misfitsOn(devnet).call(odd.LATE, MISFIT, "keep", 10_000n, ZERO_ADDRESS);
    const head = await devnet.rpc<{ number: Hex }>("eth_getBlockByNumber", ["latest", false]);
    const followed = async () => {
      const { status, body } = await ask<Answer & { blockNumber: string }>(service, "price", sale(usdh!, dsd!));
      return status === 200 && BigInt(body.blockNumber) >= BigInt(head.number);
    };
    await expect.poll(followed).toBe(true);
    const quote = await ask<Refusal>(service, "quote", asked);
    expect(quote.status).toBe(503);
    expect(JSON.stringify(quote.body)).toContain("was measured just now, and is another than before. Try again.");
    const bps = { buyTaxBps: "100", sellTaxBps: "100", transferTaxBps: "100" };
    for (const call of ["quote", "price"] as const) {
      const { status, body } = await ask<Answer>(service, call, asked);
      expect(status).toBe(200);
      expect(body).toMatchObject({ tokenMetadata: { sellToken: bps } });
    }
  });

  it("shows them to the operator, in /status and in the log, and blames no pool", async () => {
    const { tokens, quarantined } = await statusOf(service);
    expect(quarantined.count).toBe(0);
    const seen = [odd.FEE, odd.SHARE, odd.CLUB, odd.LATE];
    const keptOut = expect.arrayContaining(
      seen.map((token) => expect.objectContaining({ token, reason: expect.any(String) })),
    );
    expect(tokens).toMatchObject({ untestable: 0, keptOut: { count: 4, tokens: keptOut } });
    for (const token of seen) {
      expect(log).toContainEqual(expect.objectContaining({ msg: "a token is kept out of routes", token }));
    }
  });
});

describe("the service over a node that does not simulate", () => {
  let node: { readonly url: string; stop(): Promise<unknown> };
  beforeAll(async () => {
    node = await withoutSimulation(devnet.rpcUrl);
  });
  afterAll(() => node?.stop());

  it("goes on with tokens that it cannot test, and says so", async () => {
    const service = await serve(node.url);
    const price = await ask<Answer>(service, "price", sale(usdh!, dsd!));
    expect(price.status).toBe(200);
    const quote = await ask<Answer>(service, "quote", { ...sale(usdh!, dsd!), skipValidation: "true" });
    expect(quote.status).toBe(200);
    expect(quote.body.issues.simulationIncomplete).toBe(true);
    const { tokens } = await statusOf(service);
    expect(tokens).toMatchObject({ keptOut: { count: 0 } });
    expect((tokens as { untestable: number }).untestable).toBeGreaterThan(1);
  });
});
