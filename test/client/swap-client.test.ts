import type { Transport } from "@connectrpc/connect";
import { connect as connectWagmi, createConfig, mock } from "@wagmi/core";
import { createPublicClient, createWalletClient, erc20Abi, type Hex, http, parseEther } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGrpcTransport } from "../../src/client/grpc-transport.ts";
import {
  approvalsFor,
  createSwapClient,
  createWebTransport,
  NATIVE_TOKEN,
  SwapCallError,
  type SwapClient,
  type SwapRequest,
  transactionOf,
} from "../../src/client/index.ts";
import { callsOf, sendQuote } from "../../src/client/viem.ts";
import { sendQuoteAsBatch, sendQuoteWithWagmi } from "../../src/client/wagmi.ts";
import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { freePort } from "../support/process/program.ts";
import { type ServedDevnet, startServedDevnet } from "../support/worlds/served-devnet.ts";

const KEY = "key-of-the-client";
const ONE_ETHER = 10n ** 18n;
const layout = devnetLayout(devnetAccounts().whale);
const [usdr, usdh] = [layout.token("USDR").address, layout.token("USDH").address];
/** Nobody's on the devnet: it has what the whale sends. */
const TAKER = privateKeyToAccount(`0x${"7a".repeat(32)}`);
const REQUEST: SwapRequest = { sellToken: NATIVE_TOKEN, buyToken: usdr, sellAmount: ONE_ETHER };

let served: ServedDevnet;
let origin: string;
let node: string;

beforeAll(async () => {
  served = await startServedDevnet({ TRIBUTARY_API_KEY: KEY });
  origin = `http://127.0.0.1:${served.port}`;
  node = served.devnet.rpcUrl;
});
afterAll(() => served?.stop());

const TRANSPORTS: readonly (readonly [string, (baseUrl: string) => Transport])[] = [
  ["gRPC in Node", createGrpcTransport],
  ["Connect over fetch", createWebTransport],
];

/** The error of a call that has to fail. */
async function failureOf(call: Promise<unknown>): Promise<SwapCallError> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(SwapCallError);
  return thrown as SwapCallError;
}

describe.each(TRANSPORTS)("the client over %s", (_, createTransport) => {
  const connect = (apiKey = KEY, url = origin): SwapClient =>
    createSwapClient({ transport: createTransport(url), apiKey });

  it("prices, quotes and lists sources", async () => {
    const client = connect();
    const price = await client.price(REQUEST);
    expect(price).toMatchObject({ chainId: 31337, sellAmount: ONE_ETHER.toString(), value: ONE_ETHER.toString() });
    expect(BigInt(price.buyAmount)).toBeGreaterThan(10n ** 9n);
    expect(
      (await client.price({ ...REQUEST, excludedSources: ["Uniswap_V3"] })).sources.map(({ name }) => name),
    ).not.toContain("Uniswap_V3");
    const quote = await client.quote({
      sellToken: usdh,
      buyToken: usdr,
      buyAmount: "1000000",
      slippagePercentage: "0.02",
    });
    expect(quote).toMatchObject({ buyAmount: expect.stringMatching(/^100000\d$/), data: expect.stringMatching(/^0x/) });
    expect((await client.sources()).records).toContain("Uniswap_V3");
  });

  it("refuses by itself what the service would never see: other names, and other types", async () => {
    const untyped = (more: object) => failureOf(connect().price({ ...REQUEST, ...more } as never));
    const misspelt = await untyped({ slippagePercantage: "0.001" });
    expect(misspelt).toMatchObject({ kind: "INVALID_PARAMETERS", isRetryable: false });
    expect(misspelt.message).toMatch(/^there is no parameter "slippagePercantage" - known: sellToken, .*slippagePerc/);
    const wrong = await untyped({
      sellAmount: 10 ** 18,
      excludedSources: "Curve",
      skipValidation: "true",
      gasPrice: 1n,
    });
    expect(wrong).toMatchObject({ kind: "INVALID_PARAMETERS", isRetryable: false, reason: "INVALID_PARAMETERS" });
    expect(wrong.problems).toEqual([
      { field: "sellAmount", reason: "INVALID_TYPE", description: expect.stringContaining("a number would round") },
      { field: "excludedSources", reason: "INVALID_TYPE", description: "excludedSources must be an array of names" },
      { field: "skipValidation", reason: "INVALID_TYPE", description: "skipValidation must be true or false" },
    ]);
    for (const batch of [undefined, {}, { requests: [REQUEST] }])
      expect(await failureOf(connect().prices(batch as never))).toMatchObject({
        ...{ kind: "INVALID_PARAMETERS", isRetryable: false, message: "requests must be an array of requests" },
      });
    const none = await failureOf(connect().quote(undefined as never));
    expect(none.problems.map(({ reason }) => reason)).toContain("REQUIRED");
    expect(await connect().price({ ...REQUEST, takerAddress: null } as never)).toMatchObject({ chainId: 31337 });
    await expect(
      connect()
        .watch({ ...REQUEST, sell: "1" } as never)
        [Symbol.asyncIterator]()
        .next(),
    ).rejects.toThrow('there is no parameter "sell"');
  });

  it("takes a key as a file has it, but none that a header cannot carry, and does not repeat it", async () => {
    expect((await connect(`${KEY}\n`).sources()).records).toContain("Uniswap_V3");
    for (const key of ["abcdefgh\nijkl", "schlüssel"]) {
      expect(() => connect(key)).toThrow(/^apiKey is no text that a header can carry$/);
    }
    expect(await failureOf(connect("").sources())).toMatchObject({ reason: "API_KEY_MISSING" });
  });

  it("tells every problem of a request, and that repeating it is no use", async () => {
    const wrong = { sellToken: "WETH", buyToken: usdr, sellAmount: "1.5" };
    const failure = await failureOf(connect().quote(wrong));
    expect(failure).toMatchObject({ kind: "INVALID_PARAMETERS", isRetryable: false, retryAfterSeconds: undefined });
    expect(failure.problems.map(({ field, reason }) => [field, reason])).toEqual([
      ["sellToken", "SYMBOL_INSTEAD_OF_ADDRESS"],
      ["sellAmount", "INVALID_INTEGER"],
    ]);
    expect(failure.requestId).toMatch(/\S{8,}/);
  });

  it("says what kind of refusal it met", async () => {
    const noKey = await failureOf(connect("not-the-right-key").price(REQUEST));
    expect(noKey).toMatchObject({ kind: "UNAUTHENTICATED", reason: "API_KEY_INVALID", isRetryable: false });
    const tooMuch = await failureOf(
      connect().price({ sellToken: NATIVE_TOKEN, buyToken: usdr, buyAmount: 10n ** 40n }),
    );
    expect(tooMuch).toMatchObject({ kind: "INSUFFICIENT_ASSET_LIQUIDITY", isRetryable: false });
    expect(tooMuch.problems.length).toBeGreaterThan(0);
    const impact = { ...REQUEST, sellAmount: 1000n * ONE_ETHER, priceImpactProtectionPercentage: "0.0001" };
    expect(await failureOf(connect().quote(impact))).toMatchObject({ kind: "PRICE_IMPACT_TOO_HIGH" });
  });

  it("may be repeated when nobody was reached or the deadline passed, not when it was given up", async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    expect(await failureOf(connect(KEY, nobody).sources())).toMatchObject({ kind: "NOT_REACHED", isRetryable: true });
    const late = await failureOf(connect().quote(REQUEST, { timeoutMs: 1 }));
    expect(late).toMatchObject({ kind: "DEADLINE_EXCEEDED", isRetryable: true });
    const given = await failureOf(connect().price(REQUEST, { signal: AbortSignal.abort() }));
    expect(given).toMatchObject({ kind: "CANCELED", isRetryable: false });
  });
});

describe("what a quote makes for viem", () => {
  const chain = { id: 31337, name: "devnet", nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 } } as const;
  let client: SwapClient;

  beforeAll(() => {
    client = createSwapClient({ transport: createGrpcTransport(origin), apiKey: KEY });
  });

  it("buys with the native token, approves what is lacking, and sells again: to the wei", async () => {
    const settings = { chain: { ...chain, rpcUrls: { default: { http: [node] } } }, transport: http(node) };
    const wallet = createWalletClient({ ...settings, account: TAKER });
    const reader = createPublicClient({ ...settings, pollingInterval: 100 });
    const mined = async (hash: Hex) =>
      expect((await reader.waitForTransactionReceipt({ hash })).status).toBe("success");
    const balance = () =>
      reader.readContract({ address: usdr, abi: erc20Abi, functionName: "balanceOf", args: [TAKER.address] });
    const whale = createWalletClient({ ...settings, account: devnetAccounts().whale });
    await mined(await whale.sendTransaction({ to: TAKER.address, value: parseEther("5") }));

    const bought = await client.quote({ ...REQUEST, takerAddress: TAKER.address });
    expect(approvalsFor(bought, TAKER.address)).toEqual([]);
    await mined(await wallet.sendTransaction(transactionOf(bought)));
    expect(await balance()).toBe(BigInt(bought.buyAmount));

    const sale = { sellToken: usdr, buyToken: NATIVE_TOKEN, sellAmount: 1_000_000n, takerAddress: TAKER.address };
    const first = approvalsFor(await client.quote(sale), TAKER.address);
    expect(first).toHaveLength(1);
    await mined(await wallet.sendTransaction(first[0]!));
    // USDR changes an allowance only by way of zero: one transaction would fail.
    const more = { ...sale, sellAmount: 2_000_000n };
    // The service follows its node: it knows of an approval a moment after the node does.
    const lacking = async () => approvalsFor(await client.quote(more), TAKER.address);
    await expect.poll(lacking, { interval: 100 }).toHaveLength(2);
    for (const approval of await lacking()) await mined(await wallet.sendTransaction(approval));
    await expect.poll(lacking, { interval: 100 }).toEqual([]);
    await mined(await wallet.sendTransaction(transactionOf(await client.quote(more))));
    expect(await balance()).toBe(BigInt(bought.buyAmount) - 2_000_000n);
  });

  it("is sent by one call of viem or wagmi: approvals and swap, a signature, a batch", async () => {
    const settings = { chain: { ...chain, rpcUrls: { default: { http: [node] } } }, transport: http(node) };
    const reader = createPublicClient({ ...settings, pollingInterval: 100 });
    const wallet = createWalletClient({ ...settings, account: TAKER });
    const { whale } = devnetAccounts();
    const mined = async (hash: Hex) =>
      expect((await reader.waitForTransactionReceipt({ hash })).status).toBe("success");
    const funds = createWalletClient({ ...settings, account: whale });
    await mined(await funds.sendTransaction({ to: TAKER.address, value: parseEther("1") }));
    const args = [TAKER.address, 3_000_000n] as const;
    await mined(await funds.writeContract({ address: usdh, abi: erc20Abi, functionName: "transfer", args }));

    const sale = { sellToken: usdh, buyToken: usdr, sellAmount: 1_000_000n, takerAddress: TAKER.address };
    const quote = await client.quote(sale);
    const onAnotherChain = sendQuote({ quote: { ...quote, chainId: 1 }, wallet, reader });
    await expect(onAnotherChain).rejects.toThrow("the quote is of chain 1, and the wallet is on 31337");
    await mined(await sendQuote({ quote, wallet, reader }));
    const signed = await client.quote({ ...sale, approvalMode: "permit2" });
    expect(() => callsOf(signed)).toThrow(RangeError);
    await mined(await sendQuote({ quote: signed, wallet, reader, approve: 2_000_000n }));
    const balanceOf = { address: usdh, abi: erc20Abi, functionName: "balanceOf" } as const;
    expect(await reader.readContract({ ...balanceOf, args: [TAKER.address] })).toBe(1_000_000n);

    const connector = mock({ accounts: [whale] });
    const transports = { [chain.id]: http(node) };
    const config = createConfig({ chains: [settings.chain], connectors: [connector], transports });
    await connectWagmi(config, { connector });
    const own = { ...REQUEST, takerAddress: whale };
    await mined(await sendQuoteWithWagmi(config, { quote: await client.quote(own) }));
    const batch = await client.quote({ ...sale, takerAddress: whale });
    expect(callsOf(batch)).toHaveLength(2);
    await mined(await sendQuoteAsBatch(config, { quote: batch }));
    const elsewhere = sendQuoteWithWagmi(config, { quote: { ...batch, chainId: 1 } });
    await expect(elsewhere).rejects.toThrow("the configuration of wagmi has no chain 1");
  });

  it("names no spender but the allowance target, and approves no less than is spent", async () => {
    const quote = await client.quote({ sellToken: usdh, buyToken: usdr, sellAmount: 5_000_000n });
    const [approval] = approvalsFor(quote, undefined);
    expect(approval).toMatchObject({ to: usdh, value: 0n });
    expect(approval?.data).toBe(
      `0x095ea7b3${quote.allowanceTarget.slice(2).padStart(64, "0")}${(5_000_000).toString(16).padStart(64, "0")}`,
    );
    expect(() => approvalsFor(quote, undefined, 4_999_999n)).toThrow(RangeError);
    const spender = `0x${"66".repeat(20)}`;
    const issues = {
      ...quote.issues!,
      allowance: { $typeName: "swap.v1.AllowanceIssue" as const, actual: "0", spender },
    };
    expect(() => approvalsFor({ ...quote, issues }, TAKER.address)).toThrow(/allowanceTarget/);
    expect(() => transactionOf({ ...quote, to: "" })).toThrow(/to is no address/);
  });
});
