import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { compose, type Service } from "../../src/compose.ts";
import { deploySettlementOn } from "../../src/devnet/deploy-settlement.ts";
import type { Address } from "../../src/domain/address.ts";
import { readConfig } from "../../src/ops/config.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { startTestDevnet, type TestDevnet } from "../support/devnet.ts";
import { type LimitedNode, startLimitedNode } from "../support/limited-node.ts";
import { misfitsOn } from "./misfits.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const KEY = "key-of-a-patient-caller";
const REQUESTS_PER_SECOND = 60;

let devnet: TestDevnet;
let node: LimitedNode;
let service: Service;
let folder: string;
const log: Record<string, unknown>[] = [];

beforeAll(async () => {
  devnet = await startTestDevnet();
  await deploySettlementOn(devnet);
  node = await startLimitedNode({ rpcUrl: devnet.rpcUrl, requestsPerSecond: 1_000_000 });
  folder = mkdtempSync(join(tmpdir(), "unknown-tokens-"));
  const record = join(folder, "chain.json");
  const plain = (_: string, value: unknown) => (typeof value === "bigint" ? Number(value) : value);
  writeFileSync(record, JSON.stringify({ ...devnet.chain, blockTimeMs: 0 }, plain));
  const config = readConfig({
    PORT: "0",
    RPC_URL: node.rpcUrl,
    CHAIN_FILE: record,
    TRIBUTARY_API_KEY: KEY,
    DATA_DIR: folder,
  });
  service = await compose(config, createLogger("info", { write: (text) => void log.push(JSON.parse(text)) }));
  await service.ready;
});
afterAll(async () => {
  await service?.stop();
  await node?.stop();
  await devnet?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

const [usdh] = ["USDH"].map((name) => () => devnet.tokens.find(({ symbol }) => symbol === name)!.address);

async function price(sellToken: Address) {
  const query = new URLSearchParams({ sellToken, buyToken: usdh!(), sellAmount: "1000000000000000000" });
  const response = await fetch(`${service.url}/swap/v1/price?${query}`, { headers: { "api-key": KEY } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

it("measures", async () => {
  const t = await misfitsOn(devnet).misfit("LONE");
  await new Promise((r) => setTimeout(r, 3000));
  for (const [what, address] of [
    ["eoa", `0x${randomBytes(20).toString("hex")}`],
    ["contract", devnet.contracts.uniswapV2Factory],
    ["erc20 without pools", t],
  ] as const) {
    node.takeMethods();
    const answer = await price(address as Address);
    await new Promise((r) => setTimeout(r, 500));
    const methods = node.takeMethods();
    console.log(what, answer.status, JSON.stringify(answer.body).slice(0, 200), methods.filter((m) => !/getBlockBy|gasPrice|getLogs/.test(m)).length, JSON.stringify(methods));
  }
  expect(REQUESTS_PER_SECOND).toBe(60);
  void log;
});
