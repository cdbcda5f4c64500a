import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { freePort } from "../support/process/program.ts";
import { type ServedDevnet, startServedDevnet } from "../support/worlds/served-devnet.ts";
import { cli } from "./cli.ts";

const KEY = "key-of-the-records";
const layout = devnetLayout(devnetAccounts().whale);
const REQUEST = {
  sellToken: layout.token("WETH").address,
  buyToken: layout.token("USDH").address,
  sellAmount: "1000000000000000000",
  includedSources: "Uniswap_V3",
};

let folder: string;
let environment: Record<string, string>;
let served: ServedDevnet;
let origin: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "records-"));
  served = await startServedDevnet({ TRIBUTARY_API_KEY: KEY, DATA_DIR: join(folder, "data") });
  origin = `http://127.0.0.1:${served.port}`;
  environment = { ...served.place, DATA_DIR: join(folder, "data") };
});
afterAll(async () => {
  await served?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function call(path: string, id = "any"): Promise<{ readonly status: number; readonly body: never }> {
  const query = path === "sources" ? "" : `?${new URLSearchParams(REQUEST)}`;
  const response = await fetch(`${origin}/swap/v1/${path}${query}`, {
    headers: { "api-key": KEY, "x-request-id": id },
  });
  return { status: response.status, body: (await response.json()) as never };
}

describe("replay", () => {
  it("runs a quote again at its block, and finds that it holds to the wei", async () => {
    const { body } = await call("quote", "to-be-replayed");
    const { buyAmount, blockNumber } = body as { buyAmount: string; blockNumber: string };
    const { code, stdout } = await cli(["replay", "to-be-replayed"], environment);
    expect(stdout).toMatch(/^replay +holds: it pays to the wei what was promised$/m);
    expect(stdout).toMatch(new RegExp(`^block +${blockNumber} 0x`, "m"));
    expect(stdout).toMatch(new RegExp(`^buy +${buyAmount} of ${REQUEST.buyToken}$`, "m"));
    expect(stdout).toMatch(/^through +Uniswap_V3 0x/m);
    expect(code).toBe(0);
  });

  it("asks the next node where one cannot say", async () => {
    const { code, stdout } = await cli(["replay", "to-be-replayed"], {
      ...environment,
      RPC_URL: `http://127.0.0.1:${await freePort()},${environment.RPC_URL}`,
    });
    expect(stdout).toMatch(/^replay +holds/m);
    expect(code).toBe(0);
  });

  it("says when there is no such quote", async () => {
    const { code, stderr } = await cli(["replay", "nobody-s"], environment);
    expect(code).toBe(2);
    expect(stderr).toContain("no quote has the request id nobody-s");
  });
});

describe("switch", () => {
  const statusOf = async () => {
    const { sources } = (await call("sources")).body as { sources: { name: string; status: string }[] };
    return sources.find(({ name }) => name === "Uniswap_V3")?.status;
  };

  it("takes a source out of the running service and back, on record", async () => {
    expect(await call("price")).toMatchObject({ status: 200 });
    const off = await cli(["switch", "off", "source", "Uniswap_V3", "--reason", "a test"], environment);
    expect(off).toMatchObject({ code: 0, stdout: "source Uniswap_V3 is off now" });
    await expect.poll(statusOf).toBe("off");
    const refused = await call("price");
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain("Uniswap_V3: switched off by the operator");
    expect(await cli(["switch", "on", "source", "Uniswap_V3", "--reason", "over"], environment)).toMatchObject({
      code: 0,
    });
    await expect.poll(statusOf).toBe("live");
    expect(await call("price")).toMatchObject({ status: 200 });
    const { stdout } = await cli(["switches", "--json"], environment);
    expect(JSON.parse(stdout)).toMatchObject([
      { kind: "source", id: "Uniswap_V3", off: true, reason: "a test" },
      { kind: "source", id: "Uniswap_V3", off: false, reason: "over" },
    ]);
  });

  it.each([
    [["switch", "off", "source", "Uniswap_V3"], "give --reason"],
    [["switch", "off", "chain", "1", "--reason", "x"], "name what to switch"],
    [["switch", "off", "token", "WETH", "--reason", "x"], "WETH is not an address"],
  ])("%j is refused", async (words, why) => {
    expect(await cli(words, environment)).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  });
});
