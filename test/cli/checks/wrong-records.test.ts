import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeChainFile } from "../../../fixtures/chain/chain-file.ts";
import type { ChainRecord } from "../../../src/chain/chains/chain-record.ts";
import type { VenueRecord } from "../../../src/market/venue-record.ts";
import { startTestDevnet, type TestDevnet } from "../../support/worlds/devnet.ts";
import { sourceOf, v4HooksOnDevnet } from "../../support/worlds/v4-hooks-on-devnet.ts";
import { HOOKS } from "../../venues/worlds/singletons/v4-hooks.ts";
import { cli } from "../cli.ts";

let devnet: TestDevnet;
let folder: string;
beforeAll(async () => {
  devnet = await startTestDevnet();
  folder = mkdtempSync(join(tmpdir(), "wrong-records-"));
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await devnet?.stop();
});

/** Runs doctor on the devnet's chain with another record. */
async function doctor(record: Partial<ChainRecord>, ...words: readonly string[]) {
  const file = join(folder, "chain.json");
  writeChainFile(file, { ...devnet.chain, blockTimeMs: 0, ...record });
  return cli(["doctor", ...words], { RPC_URL: devnet.rpcUrl, CHAIN_FILE: file });
}

/** The devnet's venues, one of them written down otherwise. */
function venuesWith(source: string, change: object): { readonly venues: readonly VenueRecord[] } {
  const venues = devnet.chain.venues.map((venue) => (venue.source === source ? { ...venue, ...change } : venue));
  return { venues };
}

describe("the doctor trades once over each source, and", { timeout: 120_000 }, () => {
  it("finds every source of a right record as its maths has it, and with --record all else in it", async () => {
    const { code, stdout } = await doctor({}, "--record");
    expect(code, stdout).toBe(0);
    expect(stdout).not.toContain("WRONG");
    for (const check of [
      "Multicall3 answers: it names chain 31337",
      "pools of Curve: 3 of 3",
      "first block of Uniswap_V3:",
    ])
      expect(stdout).toContain(`ok       record: ${check}`);
    const traded = stdout.split("\n").filter((line) => line.includes("  trade over "));
    expect(traded).toHaveLength(devnet.chain.venues.length + 1);
    for (const line of traded) expect(line).toMatch(/^ok {7}trade over \w+: pool 0x[0-9a-f]+ pays what its maths says/);
  });

  it.each([
    ["a lower fee than the pair's", 2n, /^WRONG {4}trade over Uniswap_V2: pool 0x.*UniswapV2: K.*record's terms/m],
    ["a higher fee than the pair's", 5n, /^WRONG {4}trade over Uniswap_V2: pool 0x\w+ trades for a lower fee too/m],
  ])("finds %s", async (_, feeNum, says) => {
    const { code, stdout } = await doctor(venuesWith("Uniswap_V2", { feeNum }));
    expect(stdout).toMatch(says);
    expect(stdout.match(/WRONG/g)).toHaveLength(1);
    expect(code).toBe(5);
  });

  it("finds Pancake's third version written down as Uniswap's", async () => {
    const { code, stdout } = await doctor(venuesWith("PancakeSwap_V3", { protocol: "uniswap-v3" }));
    expect(stdout).toMatch(/^WRONG {4}trade over PancakeSwap_V3: pool 0x.*UnexpectedCallback/m);
    expect(code).toBe(5);
  });

  it("finds an ERC-20 that wraps nothing", async () => {
    const wrappedNative = devnet.tokens.find(({ address }) => address !== devnet.chain.wrappedNative)!.address;
    const { code, stdout } = await doctor({ wrappedNative });
    expect(stdout).toMatch(/^WRONG {4}trade over Wrapped_Native: pool 0x/m);
    expect(code).toBe(5);
  });
});

it("no record takes what a pair passes on for its fee", async () => {
  const { code, stderr } = await doctor(venuesWith("Uniswap_V2", { feeNum: 997n }));
  expect(code).toBe(2);
  expect(stderr).toMatch(/venues\.0\.feeNum: must be a tenth of feeDen at most: it is the fee that the pair keeps/);
});

it("no record names a protocol that there is not", async () => {
  const { code, stderr } = await doctor(venuesWith("Uniswap_V2", { protocol: "uniswapv2" }));
  expect(code).toBe(2);
  expect(stderr).toMatch(/venues\.0\.protocol: must be one of uniswap-v2, uniswap-v3, /);
});

describe("doctor --record", { timeout: 120_000 }, () => {
  it("finds a first block that is too late, seconds for milliseconds, and addresses of another chain", async () => {
    const late = { ...venuesWith("Uniswap_V3", { fromBlock: 30n }), blockTimeMs: 2, referenceTokens: [devnet.whale] };
    const { code, stdout } = await doctor(late, "--record");
    expect(code).toBe(5);
    expect(stdout).toMatch(
      /^WRONG {4}record: first block of Uniswap_V3: a pool was announced at block \d+: correct fromBlock, which is 30$/m,
    );
    expect(stdout).toMatch(new RegExp(`^WRONG {4}record: code at every address: no contract at ${devnet.whale}`, "m"));
    expect(stdout).toMatch(/^WRONG {4}record: block time: a block every 2000 ms lately, and blockTimeMs is 2: /m);
    expect(stdout).toMatch(new RegExp(`^WRONG {4}record: tokens answer: no decimals at ${devnet.whale}`, "m"));
  });
});

it("doctor --record holds the code of hooks against its hash, and tells the one that it found", async () => {
  const { venues: all, allowedControllers = [] } = await v4HooksOnDevnet(devnet.chain, devnet, ["DSD", "REED"]);
  const other = `0x${"0".repeat(64)}` as const;
  const venues = all.map((venue) =>
    venue.source === sourceOf("observer") ? { ...venue, hooks: [{ ...HOOKS.observer, codeHash: other }] } : venue,
  );
  const { code, stdout } = await doctor({ allowedControllers, venues }, "--record");
  expect(stdout).toContain(`ok       record: code of ${sourceOf("otherFee")}: 1 contracts are as the record has them`);
  const { address, codeHash } = HOOKS.observer;
  expect(stdout).toContain(
    `WRONG    record: code of ${sourceOf("observer")}: ${address}: its code hash is ${codeHash}, not ${other}: correct the record`,
  );
  expect(stdout.match(/WRONG/g)).toHaveLength(1);
  expect(stdout).toMatch(new RegExp(`^ok {7}trade over ${sourceOf("otherFee")}: pool 0x`, "m"));
  expect(code).toBe(5);
}, 120_000);
