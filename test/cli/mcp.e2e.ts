import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiDocument } from "../../src/api/docs/document.ts";
import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { VERSION } from "../../src/ops/version.ts";
import { type ServedDevnet, startServedDevnet } from "../support/worlds/served-devnet.ts";

const KEY = "key-of-the-agent";
const root = fileURLToPath(new URL("../..", import.meta.url));
const layout = devnetLayout(devnetAccounts().whale);
const [USDH, WETH] = [layout.token("USDH").address, layout.token("WETH").address];
const SALE = { sellToken: WETH, buyToken: USDH, sellAmount: "1000000000000000000" };

let served: ServedDevnet;
let environment: Record<string, string>;
let agent: Client;

/** A client of the protocol that starts the command as the page says. */
async function openAgent(env: Readonly<Record<string, string>>): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const command = {
    command: process.execPath,
    args: ["bin/tributary.js", "mcp"],
    cwd: root,
    stderr: "ignore" as const,
  };
  await client.connect(new StdioClientTransport({ ...command, env: { PATH: process.env.PATH ?? "", ...env } }));
  return client;
}

beforeAll(async () => {
  served = await startServedDevnet({ TRIBUTARY_API_KEY: KEY });
  environment = { TRIBUTARY_URL: `http://127.0.0.1:${served.port}`, TRIBUTARY_API_KEY: KEY };
  agent = await openAgent(environment);
});
afterAll(async () => {
  await agent?.close();
  await served?.stop();
});

/** Calls a tool: answers its JSON, or its sentences if it failed. */
async function ask(name: string, given: Readonly<Record<string, unknown>> = {}) {
  const { content, isError } = await agent.callTool({ name, arguments: given });
  const [block] = content;
  const text = block?.type === "text" ? block.text : expect.fail("the tool answered no text");
  return isError === true ? { refused: text } : { answer: JSON.parse(text) };
}

describe("the tools", () => {
  it("are named after the calls, read only, and take what the API's description says", async () => {
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["price", "quote", "sources", "tokens", "chain"]);
    for (const tool of tools) {
      const operation = apiDocument.paths[`/swap/v1/${tool.name}`]?.get;
      const { properties = {}, required = [] } = tool.inputSchema;
      expect(Object.keys(properties)).toEqual(operation?.parameters.map(({ name }) => name));
      expect(required).toEqual(operation?.parameters.filter((it) => it.required).map(({ name }) => name));
      expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    }
    expect(agent.getServerVersion()).toMatchObject({ name: "tributary", version: VERSION });
    expect(agent.getInstructions()).toMatch(/nobody has signed or sent/);
  });

  it("answer what the service answers", async () => {
    const chain = (await ask("chain")).answer;
    expect(chain).toMatchObject({ chainId: 31337, wrappedNative: WETH });
    const [token] = (await ask("tokens", { addresses: [USDH] })).answer.tokens;
    expect(token).toMatchObject({ address: USDH, symbol: "USDH", decimals: 6 });
    const price = (await ask("price", SALE)).answer;
    expect(price).toMatchObject({ chainId: 31337, sellAmount: SALE.sellAmount, buyTokenAddress: USDH });
    expect(price.route.fills.length).toBeGreaterThan(0);
    expect(price).not.toHaveProperty("orders");
    expect(price).not.toHaveProperty("data");
    const quote = (await ask("quote", { ...SALE, slippagePercentage: "0.005", excludedSources: ["Curve"] })).answer;
    expect(quote).toMatchObject({ to: chain.contracts.gateway, data: expect.stringMatching(/^0x[0-9a-f]+$/) });
    expect((await ask("sources")).answer.records).toContain("Uniswap_V3");
  });

  it.each([
    ["price", { ...SALE, sellAmount: "1.5" }, /INVALID_PARAMETERS[\s\S]*sellAmount/],
    ["price", { ...SALE, sellAmount: 10 }, /sellAmount must be a bigint, or a string of digits/],
    ["price", { ...SALE, amount: "1" }, /UNKNOWN_PARAMETER: price has no parameter "amount" - known: sellToken/],
    ["price", {}, /sellToken/],
    ["price", { ...SALE, buyToken: "USDH" }, new RegExp(`USDH is ${USDH}`)],
    [
      "quote",
      { ...SALE, sellAmount: `1${"0".repeat(21)}`, priceImpactProtectionPercentage: "0.0001" },
      /^PRICE_IMPACT_TOO_HIGH/,
    ],
    ["tokens", { pageSize: 0 }, /pageSize must be between 1 and 100/],
    ["tokens", { pageSize: "10" }, /pageSize must be a whole number/],
    ["chain", { chainId: 1 }, /chain has no parameter "chainId" - it takes none/],
    ["send", {}, /There is no tool "send". Known: price, quote, sources, tokens, chain/],
  ])("%s with %j is a tool error in the service's words", async (name, given, says) => {
    expect((await ask(name, given)).refused).toMatch(says);
  });

  it("take as many calls at a time as there is room for, and refuse the others", async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => ask("price", SALE)));
    const refused = all.flatMap(({ refused: text }) => text ?? []);
    expect(all.length - refused.length).toBeGreaterThanOrEqual(8);
    for (const text of refused) expect(text).toMatch(/8 calls are running, the most at a time/);
  });
});

describe("a process that serves an agent", () => {
  /** The command as a child, with all that it writes. */
  function start(env: Readonly<Record<string, string>> = environment) {
    const child = spawn(process.execPath, ["bin/tributary.js", "mcp"], {
      cwd: root,
      env: { PATH: process.env.PATH ?? "", ...env },
    });
    const said = { out: "", err: "" };
    for (const [stream, name] of [[child.stdout, "out"] as const, [child.stderr, "err"] as const]) {
      stream.on("data", (chunk) => {
        said[name] += chunk;
      });
    }
    child.stdin.on("error", () => {});
    return { child, said };
  }

  it("writes nothing but messages to standard output, and ends when its input does", async () => {
    const { child, said } = start();
    const initialize = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize })}\n`);
    await expect.poll(() => said.out).toContain("\n");
    child.stdin.end();
    expect(await once(child, "exit")).toEqual([0, null]);
    const lines = said.out.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).jsonrpc)).toEqual(["2.0"]);
    expect(said.err).toMatch(/answering an agent with prices of http/);
    expect(said.err + said.out).not.toContain(KEY);
  });

  it("ends on a message that is too long, and passes over one that is none", async () => {
    const { child, said } = start();
    child.stdin.write("this is no message\n");
    await expect.poll(() => said.err).toMatch(/answering an agent/);
    child.stdin.write("x".repeat(200_000));
    expect(await once(child, "exit")).toEqual([1, null]);
    expect(JSON.parse(said.out)).toMatchObject({
      ...{ jsonrpc: "2.0", id: null },
      error: { code: -32_600, message: expect.stringMatching(/more than 65536 bytes/) },
    });
  });

  it("tells an agent that the service is not there, and goes on", async () => {
    const lost = await openAgent({ TRIBUTARY_URL: "http://127.0.0.1:1", TRIBUTARY_API_KEY: KEY });
    const { content, isError } = await lost.callTool({ name: "chain", arguments: {} });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toMatch(/NOT_REACHED[\s\S]*Try again/);
    expect((await lost.listTools()).tools).toHaveLength(5);
    await lost.close();
  });

  it("says what is missing without a key", async () => {
    const { child, said } = start({ TRIBUTARY_URL: environment.TRIBUTARY_URL ?? "" });
    expect(await once(child, "exit")).toEqual([2, null]);
    expect(said.err).toMatch(/no API key/);
  });
});

it("is set up as docs/mcp.md says", async () => {
  const page = readFileSync(join(root, "docs/mcp.md"), "utf8");
  const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text ?? ""));
  const servers = blocks.map((block) => block.mcpServers?.tributary ?? block.servers?.tributary);
  expect(servers.length).toBeGreaterThanOrEqual(2);
  for (const { command, args, env } of servers) {
    expect([command, ...args].join(" ")).toBe("node /path/to/tributary/bin/tributary.js mcp");
    expect(Object.keys(env)).toEqual(["TRIBUTARY_URL", "TRIBUTARY_API_KEY"]);
  }
});
