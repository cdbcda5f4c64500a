import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeChainFile } from "../../fixtures/chain/chain-file.ts";
import { devnetChain } from "../../src/devnet/chain.ts";
import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { openQuotes, openSwitches } from "../../src/stores/open-stores.ts";
import { cli } from "../cli/cli.ts";
import { freePort, type Program, startProgram } from "../support/process/program.ts";

const KEY = "a-key-of-my-own";
/** Seconds between the devnet's blocks. */
const BLOCK_SECONDS = 2;
const { whale } = devnetAccounts();
const layout = devnetLayout(whale);
const address = (symbol: string) => layout.token(symbol).address;

describe("npm start", () => {
  const folder = mkdtempSync(join(tmpdir(), "makers-"));
  let program: Program;
  let url: string;
  let metricsUrl: string;
  let rpcUrl: string;

  beforeAll(async () => {
    const [port, metrics, devnetPort] = [await freePort(), await freePort(), await freePort()];
    url = `http://127.0.0.1:${port}/swap/v1`;
    rpcUrl = `http://127.0.0.1:${devnetPort}`;
    metricsUrl = `http://127.0.0.1:${metrics}/metrics`;
    program = startProgram({
      PORT: String(port),
      METRICS_PORT: String(metrics),
      DEVNET_PORT: String(devnetPort),
      TRIBUTARY_API_KEY: KEY,
      DATA_DIR: folder,
      LOG_LEVEL: "debug",
      // The machine of a test may be busy.
      MAKER_DEADLINE_MS: "5000",
      MAKER_LEVELS_MAX_AGE_MS: "30000",
    });
    await program.prints(/^curl /m);
  }, 120_000);
  afterAll(async () => {
    await program?.end("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  });

  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
  async function get(path: string, query: Readonly<Record<string, string>> = {}, id = "a-request"): Promise<any> {
    const headers = { "api-key": KEY, "x-request-id": id };
    return (await fetch(`${url}/${path}?${new URLSearchParams(query)}`, { headers })).json();
  }
  const sale = (sell: string, buy: string, sellAmount: bigint) => {
    return { sellToken: address(sell), buyToken: address(buy), sellAmount: String(sellAmount) };
  };
  const kinds = (answer: { orders: { type: number }[] }) => new Set(answer.orders.map(({ type }) => type));

  it("another maker says when its port is taken", async () => {
    const { port } = new URL(url);
    const outcome = await cli(["maker", "--rpc-url", rpcUrl, "--port", port]);
    expect(outcome).toMatchObject({ code: 2, stderr: `--port: ${port} is taken by another program` });
  });

  it("has pools, a maker and an RFQ desk, all live", async () => {
    const { sources } = (await get("sources")) as { sources: { name: string; kind: string; status: string }[] };
    expect(new Set(sources.map(({ kind }) => kind))).toEqual(new Set(["amm", "wrapper", "maker", "rfq"]));
    expect(sources.filter(({ status }) => status !== "live")).toEqual([]);
  });

  it("prices over the maker's levels, and quotes over its orders and over RFQ", async () => {
    const large = { ...sale("WETH", "USDH", 100n * 10n ** 18n), includedSources: "Uniswap_V3,Reference_Maker" };
    const price = await get("price", large);
    expect(kinds(price)).toContain(1);
    expect(kinds(price)).toContain(0);
    const quote = await get("quote", { ...large, takerAddress: whale });
    expect(kinds(quote)).toContain(1);
    const asked = { ...sale("DAM", "WETH", 50n * 10n ** 18n), includedSources: "Uniswap_V2,Reference_RFQ" };
    const rfq = await get("quote", { ...asked, takerAddress: whale }, "an-rfq");
    expect(kinds(rfq)).toContain(2);
    expect(rfq.issues.simulationIncomplete).toBe(false);
    expect(Number(rfq.expiry)).toBe(Number(rfq.blockTimestamp) + BLOCK_SECONDS + 60);
    const text = await (await fetch(metricsUrl)).text();
    expect(text).toMatch(/tributary_maker_orders_total\{maker="Reference_Maker",outcome="good"\} [1-9]/);
    expect(text).toMatch(/tributary_maker_orders_total\{maker="Reference_RFQ",outcome="filled"\} [1-9]/);
    expect(text).toMatch(/tributary_maker_live\{maker="Reference_Maker"\} 1/);
    expect(text).toMatch(/tributary_maker_answer_duration_seconds_count\{maker="Reference_RFQ",outcome="good"\} [1-9]/);
  });

  it("keeps firm orders whole on the quote's record, and runs them again at their block", async () => {
    const log = openQuotes(folder);
    const [quote] = await log.find("an-rfq");
    log.close();
    expect(quote?.makerOrders).toMatchObject([{ source: "Reference_RFQ", trader: whale, refillable: "false" }]);
    expect(quote?.makerOrders[0]?.signature).toMatch(/^0x[0-9a-f]{130}$/);
    writeChainFile(join(folder, "chain.json"), devnetChain(layout, 2_000));
    const environment = { DATA_DIR: folder, RPC_URL: rpcUrl, CHAIN_FILE: join(folder, "chain.json") };
    const replayed = await cli(["replay", "an-rfq"], environment);
    expect(replayed.stdout).toMatch(/^replay +holds: it pays to the wei what was promised$/m);
    expect(replayed.code).toBe(0);
  });

  it("takes a maker out of all routes when the operator switches it off, on record", async () => {
    const switches = openSwitches(folder);
    const change = { kind: "source", reason: "under repair" } as const;
    for (const id of ["Reference_Maker", "Reference_RFQ"]) await switches.set({ ...change, id, off: true });
    const names = (answer: { orders: { source: string }[] }) => answer.orders.map(({ source }) => source);
    const sources = "Uniswap_V2,Reference_RFQ,Reference_Maker";
    const rfq = { ...sale("DAM", "WETH", 51n * 10n ** 18n), takerAddress: whale, includedSources: sources };
    await expect.poll(async () => names(await get("quote", rfq))).not.toContain("Reference_RFQ");
    expect(names(await get("price", sale("WETH", "USDH", 101n * 10n ** 18n)))).not.toContain("Reference_Maker");
    const listed = (await get("sources")).sources;
    expect(listed.filter(({ status }: { status: string }) => status === "off")).toHaveLength(2);
    for (const id of ["Reference_Maker", "Reference_RFQ"]) await switches.set({ ...change, id, off: false });
    expect(await switches.history()).toHaveLength(4);
    switches.close();
    await expect.poll(async () => names(await get("quote", rfq))).toContain("Reference_RFQ");
  });

  it("has no secret of the maker's in its log", () => {
    expect(program.stderr()).toContain("following");
    expect(program.stderr()).not.toMatch(/Bearer/);
  });
});
