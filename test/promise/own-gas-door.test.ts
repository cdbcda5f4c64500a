import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { numberToHex } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { writeChainFile } from "../../fixtures/chain/chain-file.ts";
import { compose, type Service } from "../../src/compose/serve.ts";
import { type Address, type Hex, NATIVE_TOKEN } from "../../src/domain/address.ts";
import { readConfig } from "../../src/ops/config.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { withoutSimulation } from "../support/nodes/without-simulation.ts";
import { startTestDevnet, type TestDevnet } from "../support/worlds/devnet.ts";
import { testAccount } from "../support/worlds/swap-world.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** A quote that is sent as it is, with its own gas, by a taker and to a fee recipient that are new to everything. */
const KEY = "key-of-the-own-gas";
const [TAKER, FEE_RECIPIENT] = [testAccount(8_000), testAccount(8_001)];
const FEE = { integratorPercentageFee: "0.0015", integratorRecipientAddress: FEE_RECIPIENT };

interface Quote {
  readonly to: Address;
  readonly data: Hex;
  readonly value: string;
  readonly gas: string;
  readonly estimatedGas: string;
  readonly issues: { readonly simulationIncomplete: boolean };
}

let devnet: TestDevnet;
let folder: string;
let stops: (() => Promise<unknown>)[];
beforeAll(async () => {
  stops = [];
  devnet = await startTestDevnet("settled");
  await devnet.rpc("anvil_setBalance", [TAKER, numberToHex(10n ** 24n)]);
  folder = mkdtempSync(join(tmpdir(), "own-gas-"));
});
afterAll(async () => {
  for (const stop of stops ?? []) await stop();
  await devnet?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

async function serve(rpcUrl: string): Promise<Service> {
  const record = join(folder, "chain.json");
  writeChainFile(record, { ...devnet.chain, blockTimeMs: 0 });
  const list = join(folder, "tokens.json");
  writeFileSync(list, JSON.stringify(devnet.tokenList));
  const node = { RPC_URL: rpcUrl, CHAIN_FILE: record, TOKEN_LIST: list };
  const config = readConfig({ SEARCH_THREADS: "0", PORT: "0", ...node, TRIBUTARY_API_KEY: KEY });
  const log: string[] = [];
  const service = await compose(config, createLogger("info", { write: (text) => void log.push(text) }));
  stops.unshift(() => service.stop());
  await service.ready;
  await devnet.mine();
  await vi.waitUntil(() => log.some((line) => /quotes are open/.test(line)), { timeout: 90_000 });
  return service;
}

const tokenOf = (symbol: string) => devnet.tokens.find((token) => token.symbol === symbol)!.address;

/** Asks for a quote, sends it with its own gas, and takes it back. */
async function sendQuote(service: Service, query: Record<string, string>) {
  const all = new URLSearchParams({ sellToken: NATIVE_TOKEN, takerAddress: TAKER, ...query });
  const response = await fetch(`${service.url}/swap/v1/quote?${all}`, { headers: { "api-key": KEY } });
  const quote = (await response.json()) as Quote;
  expect(response.status, JSON.stringify(quote)).toBe(200);
  expect(BigInt(quote.gas)).toBeGreaterThanOrEqual(BigInt(quote.estimatedGas));
  const sent = await devnet.rolledBack(() =>
    devnet.sendTransaction(TAKER, {
      ...{ to: quote.to, data: quote.data },
      ...{ value: BigInt(quote.value), gas: BigInt(quote.gas) },
    }),
  );
  return { quote, sent };
}

/** The sale that was seen to run out of its gas, and its relatives: dust and more, other tokens, an exact output. */
function queries(): readonly Record<string, string>[] {
  return [
    { buyToken: tokenOf("USDH"), sellAmount: "23364485981308411", ...FEE },
    { buyToken: tokenOf("USDH"), sellAmount: "23364485981308411" },
    { buyToken: tokenOf("USDR"), sellAmount: "5000000000000000000", ...FEE },
    { buyToken: tokenOf("WBT"), sellAmount: "700000000000000000", ...FEE },
    { buyToken: tokenOf("MOSS"), sellAmount: "23364485981308411", ...FEE },
    { buyToken: tokenOf("USDH"), buyAmount: "50000000", ...FEE },
    { buyToken: tokenOf("FERN"), buyAmount: "100000000000", ...FEE },
    { buyToken: tokenOf("WETH"), sellAmount: "1000000000" },
  ];
}

describe("a quote's own gas suffices through the door", () => {
  it("where the node simulates, and validation is skipped or not", async () => {
    const service = await serve(devnet.rpcUrl);
    for (const skipValidation of ["true", "false"]) {
      for (const query of queries()) {
        const { quote, sent } = await sendQuote(service, { ...query, skipValidation });
        expect(sent.succeeded, `${JSON.stringify(query)}: ${quote.gas} gas, ${sent.gasUsed} used`).toBe(true);
        expect(quote.issues.simulationIncomplete).toBe(false);
      }
    }
  });

  it("where it does not", async () => {
    const node = await withoutSimulation(devnet.rpcUrl);
    const service = await serve(node.url);
    stops.push(node.stop);
    for (const skipValidation of ["true", "false"]) {
      for (const query of queries()) {
        const { quote, sent } = await sendQuote(service, { ...query, skipValidation });
        expect(sent.succeeded, `${JSON.stringify(query)}: ${quote.gas} gas, ${sent.gasUsed} used`).toBe(true);
        if (skipValidation === "false") expect(quote.issues.simulationIncomplete).toBe(true);
      }
    }
  });
});
