import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeFunctionData, erc20Abi } from "viem";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { writeChainFile } from "../../fixtures/chain/chain-file.ts";
import { compose, type Service } from "../../src/compose/serve.ts";
import { NATIVE_TOKEN } from "../../src/domain/address.ts";
import { readConfig } from "../../src/ops/config.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { startTestDevnet, type TestDevnet } from "../support/worlds/devnet.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const KEY = "key-of-the-revert";
const SOLD = 1_000n * 10n ** 6n;

let devnet: TestDevnet;
let service: Service;
let folder: string;
beforeAll(async () => {
  devnet = await startTestDevnet("settled");
  folder = mkdtempSync(join(tmpdir(), "revert-door-"));
  const [record, list] = [join(folder, "chain.json"), join(folder, "tokens.json")];
  writeChainFile(record, { ...devnet.chain, blockTimeMs: 0 });
  writeFileSync(list, JSON.stringify(devnet.tokenList));
  const log: string[] = [];
  const config = readConfig({
    SEARCH_THREADS: "0",
    ...{ PORT: "0", RPC_URL: devnet.rpcUrl, CHAIN_FILE: record, TOKEN_LIST: list, TRIBUTARY_API_KEY: KEY },
  });
  service = await compose(config, createLogger("info", { write: (text) => void log.push(text) }));
  await service.ready;
  await devnet.mine();
  await vi.waitUntil(() => log.some((line) => /quotes are open/.test(line)), { timeout: 90_000 });
});
afterAll(async () => {
  await service?.stop();
  await devnet?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

it("names the venue, its pool and the innermost reason where a taker cannot be paid", async () => {
  const usdh = devnet.tokens.find(({ symbol }) => symbol === "USDH")!.address;
  // A contract that takes no native token: the pool manager wraps what it answers.
  const taker = devnet.contracts.uniswapV2Factory;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [taker, SOLD] });
  await devnet.sendTransaction(devnet.whale, { to: usdh, data });
  const query = { sellToken: usdh, buyToken: NATIVE_TOKEN, sellAmount: `${SOLD}`, takerAddress: taker };
  const all = new URLSearchParams({ ...query, includedSources: "Uniswap_V4" });
  const response = await fetch(`${service.url}/swap/v1/quote?${all}`, { headers: { "api-key": KEY } });
  const body = (await response.json()) as { readonly description: string };
  expect(response.status).toBe(400);
  expect(body).toMatchObject({ code: 105, reason: "TRANSACTION_REVERTS" });
  expect(body.description).toMatch(
    new RegExp(
      `^the transaction would fail: reverted without a reason, in ${taker}, at Uniswap_V4 \\(pool 0x[0-9a-f]{64}\\)$`,
    ),
  );
});
