import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { settlementContracts } from "../../src/settlement/contracts.ts";
import { freePort } from "../support/process/program.ts";
import { startTestDevnet, type TestDevnet } from "../support/worlds/devnet.ts";
import { cli } from "./cli.ts";

const cache = fileURLToPath(new URL("../../.cache", import.meta.url));
/** The devnet's deployer, whose key all the world knows. */
const PAYER = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";
const PAUPER = `0x${"01".repeat(32)}`;

const JSON_HEADERS = { "content-type": "application/json" };

let devnet: TestDevnet;
let folder: string;
let environment: Record<string, string>;

function write(name: string, content: unknown): string {
  const file = join(folder, name);
  const plain = (_: string, value: unknown) => (typeof value === "bigint" ? Number(value) : value);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, plain));
  return file;
}

beforeAll(async () => {
  devnet = await startTestDevnet();
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "cli-"));
  // Mined by hand, the devnet's clock stands still: a block time of none says that it may.
  const record = write("chain.json", { ...devnet.chain, blockTimeMs: 0 });
  environment = { RPC_URL: devnet.rpcUrl, CHAIN_FILE: record };
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await devnet?.stop();
});

describe("a chain without settlement contracts", () => {
  it("is healthy to the doctor, but for quotes", async () => {
    const { code, stdout } = await cli(["doctor"], { ...environment, WS_URL: devnet.wsUrl });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^limited {2}settlement: not deployed/m);
    for (const check of [
      "chain id: 31337",
      "head: block",
      "receipts: those of block",
      "simulation: eth_simulateV1",
      "Uniswap_V3: 0x",
      "WebSocket: opens",
    ])
      expect(stdout).toContain(`ok       ${check}`);
    expect(stdout).not.toContain("WRONG");
  });

  it("is not what verify wants", async () => {
    const { code, stdout } = await cli(["verify", "--json"], environment);
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject([
      { contract: "Gateway", state: "absent" },
      ...settlementContracts(devnet.chain.wrappedNative).parts.map(({ name }) => ({ contract: name, state: "absent" })),
      { contract: "Executor", state: "absent" },
      { contract: "OrderSettlement", state: "absent" },
    ]);
  });

  it("gets them with deploy: said first, done once, verified", async () => {
    const { gateway, executor, parts } = settlementContracts(devnet.chain.wrappedNative);
    const dry = await cli(["deploy"], environment);
    expect(dry).toMatchObject({ code: 0, stderr: "" });
    expect(dry.stdout).toMatch(new RegExp(`^Gateway +${gateway.address} +to be deployed +\\d+ gas$`, "m"));
    expect(dry.stdout).toMatch(/^costs at most 0\.\d+ ETH$/m);
    expect(dry.stdout).toContain("dry run");
    expect(await devnet.rpc("eth_getCode", [gateway.address, "latest"])).toBe("0x");

    expect(await cli(["deploy", "--send"], environment)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("DEPLOYER_PRIVATE_KEY"),
    });
    const bad = await cli(["deploy", "--send"], { ...environment, DEPLOYER_PRIVATE_KEY: "0x1234" });
    expect(bad.code).toBe(2);
    expect(bad.stderr).not.toContain("1234");
    const poor = await cli(["deploy", "--send"], { ...environment, DEPLOYER_PRIVATE_KEY: PAUPER });
    expect(poor).toMatchObject({ code: 1, stderr: expect.stringContaining("and needs") });

    await devnet.rpc("evm_setAutomine", [true]);
    const sent = await cli(["deploy", "--send"], { ...environment, DEPLOYER_PRIVATE_KEY: PAYER });
    await devnet.rpc("evm_setAutomine", [false]);
    expect(sent.code, sent.stderr).toBe(0);
    expect(sent.stdout.match(/^\w+: mined 0x[0-9a-f]{64}, \d+ gas$/gm)).toHaveLength(3 + parts.length);
    expect(await cli(["deploy"], environment)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("nothing to do"),
    });

    const away = `http://127.0.0.1:${await freePort()}`;
    const verified = await cli(["verify"], { ...environment, RPC_URL: `${away},${environment.RPC_URL}` });
    expect(verified.code, verified.stderr).toBe(0);
    expect(verified.stdout).toMatch(new RegExp(`^Executor +${executor.address} +\\d+ bytes +ours$`, "m"));
  });
});

describe("what the doctor finds", () => {
  it("is a node of another chain, or none", async () => {
    const chainFile = write("other.json", { ...devnet.chain, chainId: 1, blockTimeMs: 12_000 });
    const { code, stdout } = await cli(["doctor", "--json"], { ...environment, CHAIN_FILE: chainFile });
    expect(code).toBe(5);
    const findings = JSON.parse(stdout) as { check: string; outcome: string; says: string }[];
    const wrong = findings.filter(({ outcome }) => outcome === "wrong").map(({ check }) => check);
    expect(wrong).toEqual(["chain id", "head"]);
    const away = await cli(["doctor"], { ...environment, RPC_URL: `http://127.0.0.1:${await freePort()}` });
    expect(away.code).toBe(5);
    expect(away.stdout).toMatch(/^WRONG {4}chain id: .*ECONNREFUSED.*$/);
    const wrongChain = await cli(["deploy"], { ...environment, CHAIN_FILE: chainFile });
    expect(wrongChain).toMatchObject({ code: 1, stderr: expect.stringContaining("chain id 1") });
  });

  it("is one of several nodes, while the record is held against one that answers", async () => {
    const away = `http://127.0.0.1:${await freePort()}`;
    const { code, stdout } = await cli(["doctor"], { ...environment, RPC_URL: `${away},${environment.RPC_URL}` });
    expect(code).toBe(5);
    expect(stdout).toMatch(/^WRONG {4}node 1: chain id: .*ECONNREFUSED.*$/m);
    expect(stdout).toMatch(/^ok {7}node 2: simulation: eth_simulateV1$/m);
    expect(stdout).toMatch(/^ok {7}Uniswap_V3: 0x/m);
    expect(stdout.match(/WRONG/g)).toHaveLength(1);
  });

  it("is a node that lacks what is good to have, in its own words", async () => {
    const lacking = createServer(async (request, response) => {
      const asked = await text(request);
      const { id, method } = JSON.parse(asked) as { id: number; method: string };
      if (!["eth_simulateV1", "eth_getBlockReceipts"].includes(method)) {
        return void response.end(
          await (await fetch(devnet.rpcUrl, { method: "POST", body: asked, headers: JSON_HEADERS })).text(),
        );
      }
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "not on this plan" } }));
    });
    lacking.listen(0, "127.0.0.1");
    await once(lacking, "listening");
    const url = `http://127.0.0.1:${(lacking.address() as AddressInfo).port}`;
    const { code, stdout } = await cli(["doctor"], { ...environment, RPC_URL: url });
    lacking.close();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^limited {2}receipts: those of block \d+ do not prove its logs \(.*not on this plan\)/m);
    expect(stdout).toMatch(/^limited {2}simulation: no eth_simulateV1 \(.*not on this plan\)/m);
  });

  it("is a record whose contracts are not there", async () => {
    const venues = devnet.chain.venues.map((venue) =>
      venue.protocol === "uniswap-v3" ? { ...venue, factory: `0x${"12".repeat(20)}` } : venue,
    );
    const chainFile = write("wrong.json", { ...devnet.chain, blockTimeMs: 0, venues });
    const { code, stdout } = await cli(["doctor"], { ...environment, CHAIN_FILE: chainFile });
    expect(code).toBe(5);
    expect(stdout).toMatch(/^WRONG {4}Uniswap_V3: no contract at 0x1212/m);
  });
});

describe("commands that need a node", () => {
  it("end when none serves the chain, and say what each of them did", async () => {
    const aways = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`);
    const chainFile = write("of-chain-1.json", { ...devnet.chain, chainId: 1 });
    for (const words of [["verify"], ["deploy"], ["snapshot", join(folder, "market.json")]]) {
      const none = await cli(words, { ...environment, RPC_URL: aways.join() });
      expect(none, words[0]).toMatchObject({ code: 1, stdout: "" });
      expect(none.stderr).toMatch(/^node 1: eth_chainId: .*ECONNREFUSED.*\nnode 2: eth_chainId: .*ECONNREFUSED/);
      const others = await cli(words, { ...environment, CHAIN_FILE: chainFile });
      expect(others, words[0]).toMatchObject({ code: 1, stderr: expect.stringContaining("chain id 1") });
    }
  });
});

describe("config check", () => {
  it("shows what is set, and no secret", async () => {
    const file = write("service.env", "PORT=9090\nMAX_HOPS=3\nTRIBUTARY_API_KEY=from-the-file\n");
    const { code, stdout } = await cli(["config", "check", "--config", file], { PORT: "9191" });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^PORT +9191$/m);
    expect(stdout).toMatch(/^MAX_HOPS +3$/m);
    expect(stdout).toMatch(/^TRIBUTARY_API_KEY +\(set\)$/m);
    expect(stdout).toMatch(/\nnothing is wrong: 3 of \d+ options are set$/);
    expect(stdout).not.toContain("from-the-file");
  });

  it("tells names in the file that are no option", async () => {
    const file = write("typed.env", "RATE_LIMT=50\nPORT=9090\nSOMETHING_ELSE=1\n");
    const { code, stderr } = await cli(["config", "check", "--config", file], { HOME: "/home/me" });
    expect(code).toBe(0);
    expect(stderr.split("\n")).toEqual([
      "RATE_LIMT is no option of the service: is RATE_LIMIT meant?",
      "SOMETHING_ELSE is no option of the service",
    ]);
  });

  it("tells everything that is wrong, in the file's contents as well", async () => {
    const wrong = await cli(["config", "check"], { PORT: "http", RPC_URL: devnet.rpcUrl });
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("PORT must be a whole number");
    const record = write("broken.json", "{");
    const broken = await cli(["config", "check"], { RPC_URL: devnet.rpcUrl, CHAIN_FILE: record });
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be read as JSON") });
    expect(await cli(["config", "check", "--config", join(folder, "none")])).toMatchObject({ code: 2 });
  });
});
