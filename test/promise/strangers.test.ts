import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Abi, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { writeChainFile } from "../../fixtures/chain/chain-file.ts";
import { compiled } from "../../fixtures/settlement/node.ts";
import type { ChainRecord } from "../../src/chain/chains/chain-record.ts";
import { compose, type Service } from "../../src/compose/serve.ts";
import { bundled } from "../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress } from "../../src/domain/address.ts";
import { sqrtRatioAtTick } from "../../src/math/tick-math.ts";
import { readConfig } from "../../src/ops/config.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { DYNAMIC_FEE, poolIdOf } from "../../src/venues/uniswap-v4/pool-key.ts";
import { misfitsOn } from "../chain/blocks/misfits.ts";
import { startTestDevnet, type TestDevnet } from "../support/worlds/devnet.ts";
import { FEE_HOOKS } from "../venues/worlds/singletons/v4.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const KEY = "key-among-strangers";
const USD = 10n ** 6n;
const UNIT = 10n ** 18n;
const SOLD = 50_000n * USD;
/** A dollar of 18 decimals and a third of a percent for one of 6: a tick that 60 divides. */
const PARITY = 276_360;

interface Answer {
  readonly buyAmount: string;
  readonly route: { readonly tokens: readonly { readonly address: string }[]; readonly fills: { pool: string }[] };
}
interface Sources {
  readonly sources: readonly { readonly name: string; readonly leftOut: unknown }[];
}

let devnet: TestDevnet;
let folder: string;
const services: Service[] = [];
let [usdh, dsd]: Address[] = [];
/** Minted by a stranger, who made its pairs with USDH and DSD. */
let minted: Address;
let mintedPairs: readonly Address[];
/** A pool of USDH and DSD whose hooks take no fee, today. */
let hooked: string;

beforeAll(async () => {
  devnet = await startTestDevnet("settled");
  [usdh, dsd] = ["USDH", "DSD"].map((name) => devnet.tokens.find(({ symbol }) => symbol === name)!.address);
  const misfits = misfitsOn(devnet);
  minted = await misfits.misfit("MINTED");
  mintedPairs = [
    await misfits.pair(usdh!, 5_000_000n * USD, minted, 5_000_000n * UNIT),
    await misfits.pair(minted, 5_000_000n * UNIT, dsd!, 5_500_000n * UNIT),
  ];
  hooked = await poolWithFeeHooks();
  folder = mkdtempSync(join(tmpdir(), "strangers-"));
});
afterAll(async () => {
  for (const service of services) await service.stop();
  await devnet?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

async function send(to: Address, abi: Abi, functionName: string, ...args: readonly unknown[]): Promise<void> {
  const receipt = await devnet.sendTransaction(devnet.whale, {
    to,
    data: encodeFunctionData({ abi, functionName, args }),
  });
  if (!receipt.succeeded) throw new Error(`${functionName} reverted with ${receipt.revertData}`);
}

/** A pool of Uniswap V4 at a dollar for a dollar, whose hooks can set any fee at any time. */
async function poolWithFeeHooks(): Promise<string> {
  const { poolManager: manager } = devnet.contracts;
  const { deployedBytecode } = compiled("DevnetFeeHooks") as unknown as { readonly deployedBytecode: Hex };
  await devnet.rpc("anvil_setCode", [FEE_HOOKS, deployedBytecode]);
  const { abi, bytecode } = compiled("DevnetV4Desk");
  const code = `${bytecode}${manager.slice(2).padStart(64, "0")}` as Hex;
  const desk = toAddress((await devnet.sendTransaction(devnet.whale, { data: code })).contractAddress!);
  for (const token of [usdh!, dsd!]) await send(token, erc20Abi, "approve", desk, maxUint256);
  const currencies = [usdh!, dsd!].sort() as [Address, Address];
  const tick = currencies[0] === usdh ? PARITY : -PARITY;
  const terms = { fee: DYNAMIC_FEE, tickSpacing: 60, hooks: FEE_HOOKS };
  const key = { currency0: currencies[0], currency1: currencies[1], ...terms };
  await send(manager, bundled("PoolManager").abi as Abi, "initialize", key, sqrtRatioAtTick(tick));
  await send(desk, abi, "modify", key, tick - 600, tick + 600, 10n ** 20n);
  return poolIdOf({ currencies, ...terms });
}

async function serve(options: Record<string, string> = {}, record: ChainRecord = devnet.chain): Promise<Service> {
  const [chain, list] = ["chain.json", "tokens.json"].map((name) => join(folder, name)) as [string, string];
  writeChainFile(chain, { ...record, blockTimeMs: 0 });
  writeFileSync(list, JSON.stringify(devnet.tokenList));
  const own = {
    SEARCH_THREADS: "0",
    PORT: "0",
    RPC_URL: devnet.rpcUrl,
    CHAIN_FILE: chain,
    TOKEN_LIST: list,
    TRIBUTARY_API_KEY: KEY,
  };
  const data = mkdtempSync(join(folder, "data-"));
  const service = await compose(readConfig({ ...own, DATA_DIR: data, ...options }), createLogger("silent"));
  services.push(service);
  await service.ready;
  return service;
}

async function ask<Body>(service: Service, path: string, query: Record<string, string> = {}): Promise<Body> {
  const url = `${service.url}/swap/v1/${path}?${new URLSearchParams(query)}`;
  const response = await fetch(url, { headers: { "api-key": KEY } });
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  return body as Body;
}

async function leftOutOf(service: Service, name: string): Promise<unknown> {
  return (await ask<Sources>(service, "sources")).sources.find((source) => source.name === name)?.leftOut;
}

const sale = (sellToken: Address, buyToken: Address, sellAmount = SOLD) => {
  return { sellToken, buyToken, sellAmount: String(sellAmount) };
};

describe("the service with its usual options", () => {
  let service: Service;
  beforeAll(async () => {
    service = await serve();
  });

  it("keeps a pool out whose hooks can raise the fee after the quote", async () => {
    const { route } = await ask<Answer>(service, "price", sale(usdh!, dsd!));
    expect(route.fills.map(({ pool }) => pool)).not.toContain(hooked);
    expect(await leftOutOf(service, "Uniswap_V4")).toEqual([{ reason: "CONTROLLER_NOT_ALLOWED", pools: "1" }]);
  });

  it("leads no route over a token that somebody has just minted, though its pairs pay a tenth more", async () => {
    const { route, buyAmount } = await ask<Answer>(service, "price", sale(usdh!, dsd!));
    expect(route.tokens.map(({ address }) => address)).not.toContain(minted);
    expect(BigInt(buyAmount)).toBeLessThan(51_000n * UNIT);
    expect(await leftOutOf(service, "Uniswap_V2")).toEqual([{ reason: "TOKEN_NOT_A_HOP", pools: "4" }]);
  });

  it("buys and sells that token for who asks for it", async () => {
    const bought = await ask<Answer>(service, "price", sale(usdh!, minted));
    expect(bought.route.fills.map(({ pool }) => pool)).toContain(mintedPairs[0]);
    const sold = await ask<Answer>(service, "price", sale(minted, usdh!, 10n * UNIT));
    expect(sold.route.fills.map(({ pool }) => pool).some((pool) => mintedPairs.includes(pool as Address))).toBe(true);
  });
});

it("routes over a pool whose hooks the operator allows", async () => {
  const service = await serve({ ALLOWED_CONTROLLERS: FEE_HOOKS });
  const { route } = await ask<Answer>(service, "price", sale(usdh!, dsd!));
  expect(route.fills.map(({ pool }) => pool)).toContain(hooked);
  expect(await leftOutOf(service, "Uniswap_V4")).toEqual([]);
});

it("keeps pools out whose owner, fee manager or rate provider the record does not name", async () => {
  const named = services[0] as Service;
  const service = await serve({}, { ...devnet.chain, allowedControllers: [] });
  for (const [name, pools] of [
    ["Balancer_V2", "3"],
    ["Balancer_V3", "2"],
  ] as const) {
    expect(await leftOutOf(named, name)).toEqual([]);
    expect(await leftOutOf(service, name)).toEqual([{ reason: "CONTROLLER_NOT_ALLOWED", pools }]);
  }
});

it("takes a token for old and deep only where two venues hold enough of listed tokens beside it", async () => {
  const service = await serve({ HOP_TOKEN_MIN_AGE_BLOCKS: "0", HOP_TOKEN_MIN_DEPTH: "1" });
  const onOne = await ask<Answer>(service, "price", sale(usdh!, dsd!));
  expect(onOne.route.tokens.map(({ address }) => address)).not.toContain(minted);
});
