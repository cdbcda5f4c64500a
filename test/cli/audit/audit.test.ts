import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeChainFile } from "../../../fixtures/chain/chain-file.ts";
import { createSources } from "../../../src/venues/index.ts";
import { startTestDevnet, type TestDevnet } from "../../support/worlds/devnet.ts";
import { cli } from "../cli.ts";

let devnet: TestDevnet;
let folder: string;
let environment: Record<string, string>;
const servers: Server[] = [];
beforeAll(async () => {
  devnet = await startTestDevnet();
  folder = mkdtempSync(join(tmpdir(), "audit-"));
  writeChainFile(join(folder, "chain.json"), { ...devnet.chain, blockTimeMs: 0 });
  environment = { RPC_URL: devnet.rpcUrl, CHAIN_FILE: join(folder, "chain.json"), DATA_DIR: join(folder, "data") };
}, 120_000);
afterAll(async () => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
  await devnet?.stop();
});

/** The devnet's node behind a proxy that refuses methods, and counts the others. */
async function nodeWithout(
  ...refused: readonly string[]
): Promise<{ readonly url: string; of(method: string): number }> {
  const counts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const asked = await text(request);
    const { id, method } = JSON.parse(asked) as { id: number; method: string };
    if (refused.includes(method)) {
      return void response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "not here" } }));
    }
    counts.set(method, (counts.get(method) ?? 0) + 1);
    const headers = { "content-type": "application/json" };
    response.end(await (await fetch(devnet.rpcUrl, { method: "POST", body: asked, headers })).text());
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, of: (method) => counts.get(method) ?? 0 };
}

interface Audit {
  readonly method: string;
  readonly seed: number;
  readonly quotes: number;
  readonly sources: readonly { readonly name: string; readonly exact: number; readonly notRun: number }[];
  readonly misses: readonly unknown[];
}

async function audit(words: readonly string[], changed: Record<string, string> = {}): Promise<Audit> {
  const { code, stdout, stderr } = await cli(["audit", "--json", ...words], { ...environment, ...changed });
  expect(code, `${stdout}${stderr}`).toBe(0);
  return JSON.parse(stdout) as Audit;
}

describe("an audit without settlement contracts on the chain", () => {
  it("runs quotes over every source to the wei, and repeats them by their seed", { timeout: 120_000 }, async () => {
    const found = await audit(["--count", "51", "--seed", "3"]);
    expect(found).toMatchObject({ method: "eth_simulateV1", seed: 3, quotes: 51, misses: [] });
    const exact = found.sources.filter((source) => source.exact > 0).map(({ name }) => name);
    const all = createSources(devnet.chain).map(({ id }) => id);
    expect(exact.filter((name) => all.includes(name)).sort()).toEqual([...all].sort());
    const again = await audit(["--count", "51", "--seed", "3"]);
    expect(again.sources).toEqual(found.sources);
  });

  it("does with what the node has", { timeout: 120_000 }, async () => {
    const { url } = await nodeWithout("eth_simulateV1");
    const called = await audit(["--count", "17", "--seed", "4"], { RPC_URL: url });
    expect(called).toMatchObject({ method: "eth_call", misses: [] });
    const traced = await audit(["--count", "17", "--seed", "4", "--method", "trace"]);
    expect(traced).toMatchObject({ method: "debug_traceCall", misses: [] });
    for (const { sources } of [called, traced]) expect(sources.filter(({ notRun }) => notRun > 0)).toEqual([]);
  });

  it("runs what one node's state is quoted from on the other", { timeout: 120_000 }, async () => {
    const [first, second] = [await nodeWithout(), await nodeWithout()];
    await audit(
      [
        "--pairs",
        "ETH/0x5fbdb2315678afecb367f032d93f642f64180aa3,ETH/".concat(devnet.tokens[1]!.address),
        "--count",
        "6",
      ],
      {
        RPC_URL: `${first.url},${second.url}`,
      },
    );
    expect(second.of("eth_simulateV1")).toBeGreaterThan(0);
    expect(second.of("eth_getLogs")).toBe(0);
    expect(first.of("eth_getLogs")).toBeGreaterThan(0);
  });

  it("runs no sale of more wrapped native tokens than are wrapped, and all others", { timeout: 120_000 }, async () => {
    const { wrappedNative } = devnet.chain;
    const wrapped = await devnet.rpc<string>("eth_getBalance", [wrappedNative, "latest"]);
    await devnet.rpc("anvil_setBalance", [wrappedNative, `0x${(10n ** 19n).toString(16)}`]);
    await devnet.mine();
    const words = [
      "audit",
      "--include",
      "Wrapped_Native",
      "--count",
      "16",
      "--seed",
      "5",
      "--report",
      join(folder, "report.json"),
    ];
    const { code, stdout } = await cli(words, environment);
    await devnet.rpc("anvil_setBalance", [wrappedNative, wrapped]);
    await devnet.mine();
    expect(code, stdout).toBe(0);
    const told = /^ {2}Wrapped_Native: (\d+) × more is unwrapped than is wrapped on this chain$/m.exec(stdout);
    const row = /^Wrapped_Native +\d+ +(\d+) +0 +0 +0 +0 +0 +(\d+)/m.exec(stdout)?.slice(1).map(Number) ?? [];
    const [exact = 0, notRun = 0] = row;
    expect(exact, stdout).toBeGreaterThan(0);
    expect(notRun, stdout).toBeGreaterThan(0);
    expect(told?.[1], stdout).toBe(String(notRun));
  });

  it("follows a source and compares its pools with the chain", { timeout: 120_000 }, async () => {
    const mining = setInterval(() => void devnet.mine(), 300);
    const { code, stdout } = await cli(["audit", "--source", "uniswap_v3", "--blocks", "3"], environment);
    clearInterval(mining);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/^Uniswap_V3: \d+ states of pools compared over 3 blocks, 0 differ$/m);
  });

  it("refuses options that make no sense", async () => {
    const cases = [
      [["--count", "many"], "--count: many is not a whole number above zero"],
      [["--include", "Uniswap_V9"], "--include: there is no source Uniswap_V9: give one of"],
      [["--pairs", "ETH"], "--pairs: ETH is not a pair: give two tokens"],
      [["--method", "guess"], "--method: guess is not a method: give one of simulate, call, trace"],
      [["--settled", "--source", "Curve"], "choose one"],
    ] as const;
    for (const [words, says] of cases) {
      const { code, stderr } = await cli(["audit", ...words], environment);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
    }
  });
});
