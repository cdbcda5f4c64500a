import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { writeChainFile } from "../../../fixtures/chain/chain-file.ts";
import { balanceOf, DECIMALS, SYMBOL, TOTAL_SUPPLY } from "../../../src/chain/rpc/erc20.ts";
import { compose, type Service } from "../../../src/compose/serve.ts";
import { type Address, type Hex, NATIVE_TOKEN, toAddress } from "../../../src/domain/address.ts";
import { readConfig } from "../../../src/ops/config.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { openKeys } from "../../../src/stores/open-stores.ts";
import { answeringCode, stringAnswer, wordAnswer } from "../../support/nodes/answering-contract.ts";
import { type LimitedNode, startLimitedNode } from "../../support/nodes/limited-node.ts";
import { startTestDevnet, type TestDevnet } from "../../support/worlds/devnet.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const REQUESTS_PER_SECOND = 60;
const UNKNOWN_PER_SECOND = 5;
const FLOOD_SECONDS = 12;
const KEY = "key-of-a-hostile-caller";

let devnet: TestDevnet;
let node: LimitedNode;
let service: Service;
let folder: string;
let usdh: Address;
let otherKey: string;
let born = 0;

beforeAll(async () => {
  devnet = await startTestDevnet("settled");
  usdh = devnet.tokens.find(({ symbol }) => symbol === "USDH")!.address;
  node = await startLimitedNode({ rpcUrl: devnet.rpcUrl, requestsPerSecond: REQUESTS_PER_SECOND });
  folder = mkdtempSync(join(tmpdir(), "unknown-tokens-"));
  const { database } = openKeys({ dataDir: folder, pepper: undefined });
  const terms = { expiresAt: null, methods: null, origins: null, integrator: null, surplus: null, limit: null };
  ({ key: otherKey } = await database.create({ ...terms, account: "wallet", label: "" }));
  database.close();
  const record = join(folder, "chain.json");
  writeChainFile(record, { ...devnet.chain, blockTimeMs: 0 });
  const config = readConfig({
    SEARCH_THREADS: "0",
    ...{ PORT: "0", RPC_URL: node.rpcUrl, CHAIN_FILE: record, DATA_DIR: folder, TRIBUTARY_API_KEY: KEY },
  });
  service = await compose(config, createLogger("silent"));
  await service.ready;
  // Requests of the start are over, and the other key's tokens are known.
  await vi.waitUntil(async () => (await priceOf(NATIVE_TOKEN, otherKey)) === 200, { timeout: 60_000, interval: 500 });
  await wait(3_000);
});
afterAll(async () => {
  await service?.stop();
  await node?.stop();
  await devnet?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

/** The status of a price of a token in USDH. */
async function priceOf(sellToken: Address, key: string): Promise<number> {
  const query = new URLSearchParams({ sellToken, buyToken: usdh, sellAmount: "1000000000000000" });
  const response = await fetch(`${service.url}/swap/v1/price?${query}`, { headers: { "api-key": key } });
  await response.arrayBuffer();
  return response.status;
}

/** A token whose balances no storage slot tells: nobody can be lent any of it, however long that is tried. */
async function stubbornToken(): Promise<Address> {
  const address = freshAddress();
  const answers = {
    [balanceOf(address).slice(0, 10) as Hex]: wordAnswer(7n),
    [TOTAL_SUPPLY]: wordAnswer(9n),
    [DECIMALS]: wordAnswer(6n),
    [SYMBOL]: stringAnswer("ODD"),
  };
  await devnet.rpc("anvil_setCode", [address, answeringCode(answers)]);
  return address;
}

function freshAddress(): Address {
  return toAddress(`0x${(0xabcd0000 + born++).toString(16).padStart(40, "0")}`);
}

/** Requests to the node, since this was last called, that name one of some addresses. */
function requestsAbout(addresses: readonly Address[]): number {
  const asked = node.takeRequests();
  return asked.filter((body) => addresses.some((address) => body.includes(address.slice(2)))).length;
}

describe("an address that nobody has named before", () => {
  it.each([
    ["without a contract", async () => freshAddress()],
    ["of a contract that is no token", async () => devnet.contracts.uniswapV2Factory],
    ["of a token that no pool trades", stubbornToken],
  ])("%s costs the node one request", async (_, addressOf) => {
    const address = await addressOf();
    await devnet.mine();
    await wait(1_500);
    node.takeRequests();
    expect(await priceOf(address, KEY)).toBe(400);
    await wait(300);
    expect(requestsAbout([address])).toBe(1);
  });
});

describe("a node that takes 60 requests a second", () => {
  it("is enough while one key names 5 unknown tokens a second: nothing is stale, and another key has its prices", async () => {
    const unknown: Address[] = [];
    for (let index = 0; index < UNKNOWN_PER_SECOND * FLOOD_SECONDS; index++) unknown.push(await stubbornToken());
    await devnet.mine();
    await wait(2_000);
    node.takeRequests();
    const told: Promise<number>[] = [];
    const statuses: number[] = [];
    for (let second = 0; second < FLOOD_SECONDS; second++) {
      for (let each = 0; each < UNKNOWN_PER_SECOND; each++) {
        told.push(priceOf(unknown[told.length]!, KEY));
        await wait(1_000 / UNKNOWN_PER_SECOND);
        statuses.push(await priceOf(NATIVE_TOKEN, otherKey));
      }
      await devnet.mine();
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(new Set(await Promise.all(told))).toEqual(new Set([400]));
    expect(requestsAbout(unknown)).toBeLessThanOrEqual(2 * unknown.length);
  });
});
