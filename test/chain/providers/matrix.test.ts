import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Traits } from "../../../fixtures/node/provider-traits.ts";
import { parseBytes } from "../../../src/chain/rpc/codec.ts";
import { createProvider } from "../../../src/chain/rpc/provider.ts";
import { checkNodes } from "../../../src/cli/checks/check-nodes.ts";
import type { Finding } from "../../../src/cli/checks/checks.ts";
import type { NodeConnection } from "../../../src/cli/connection/node-connection.ts";
import { readConfig } from "../../../src/ops/config.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { startTestDevnet, type TestDevnet } from "../../support/worlds/devnet.ts";
import { type ProviderWorld, startProviderWorld } from "../../support/worlds/provider-world.ts";

/**
 * Row of docs/nodes.md about a limit: a service starts behind it, quotes exactly, and doctor reports it. "works" and
 * "slower": quotes are simulated. "no simulation": they are not.
 */
type Cell = readonly [name: string, traits: Traits, outcome: "works" | "no simulation", doctor: RegExp | undefined];

const range = (blocks: bigint, code: number, message: string): Traits => ({
  logRange: { blocks, error: { code, message } },
});

const CELLS: readonly Cell[] = [
  ["a plain node", {}, "works", undefined],
  [
    "ranges of 10 blocks",
    range(10n, -32600, "eth_getLogs requests with up to a 10 block range"),
    "works",
    /^log ranges: 10 blocks/,
  ],
  ["ranges of 2,000 blocks", range(2_000n, -32000, "maximum is set to 2048"), "works", undefined],
  [
    "60 logs an answer",
    { logResults: { most: 60, error: { code: -32005, message: "query returned more than 60 results" } } },
    "works",
    undefined,
  ],
  [
    "20 kB an answer",
    { logBytes: { most: 20_000, error: { code: -32602, message: "Log response size exceeded" } } },
    "works",
    undefined,
  ],
  ["no batches", { batch: 0 }, "works", undefined],
  ["batches of 10", { batch: 10 }, "works", undefined],
  ["25 requests a second, 429", { requestsPerSecond: 25, retryAfter: "1" }, "works", /^rate: refused after/],
  ["25 requests a second, 429 without a word", { requestsPerSecond: 25 }, "works", /^rate: refused after/],
  [
    "compute units",
    {
      computeUnits: { perSecond: 2_000, costs: { eth_getLogs: 60, eth_call: 26 }, other: 20 },
      rateError: { code: 429, message: "Your app has exceeded its compute units per second capacity." },
    },
    "works",
    /^rate: refused after/,
  ],
  [
    "credits (-32012)",
    { requestsPerSecond: 50, rateError: { code: -32012, message: "credits limited to 6000/sec" } },
    "works",
    /^rate: refused after/,
  ],
  [
    "over rate limit (-32016)",
    { requestsPerSecond: 50, rateError: { code: -32016, message: "over rate limit" } },
    "works",
    /^rate: refused after/,
  ],
  ["a head that lags", { headLag: 3 }, "works", undefined],
  ["a head that goes back", { headGoesBack: 2 }, "works", /^head, asked again: goes back by 2 blocks/],
  ["no eth_simulateV1", { missing: ["eth_simulateV1"] }, "no simulation", /^simulation: no eth_simulateV1/],
  ["no eth_getBlockReceipts", { missing: ["eth_getBlockReceipts"] }, "works", /^receipts: .*PROVE_LOGS=1 cannot work/],
  ["no eth_createAccessList", { missing: ["eth_createAccessList"] }, "works", undefined],
  ["state of 128 blocks", { stateDepth: 128n }, "works", undefined],
  ["no safe and finalized", { noTags: ["safe", "finalized"] }, "works", undefined],
  ["no state overrides in eth_call", { noOverrides: true }, "works", /^state overrides: eth_call takes none: /],
  ["old logs pruned", { prunedBelow: 30n }, "works", /^old logs: those of block \d+ are pruned: .*HISTORY_URL/],
];

let devnet: TestDevnet;
/** Amount that one native token buys on a node that lacks nothing. */
let expected: bigint;
beforeAll(async () => {
  devnet = await startTestDevnet("settled");
  // So that nodes that are behind have them, too.
  for (let block = 0; block < 5; block++) await devnet.mine();
  expected = await behind({}, async (world) => (await world.quoteNative()).buyAmount);
});
afterAll(() => devnet?.stop());

async function behind<Result>(
  traits: Traits,
  work: (world: ProviderWorld) => Promise<Result>,
  isPatient = true,
): Promise<Result> {
  const world = await startProviderWorld(devnet, [traits], { isPatient });
  try {
    return await work(world);
  } finally {
    await world.stop();
  }
}

/** Findings in turn, up to the one that is looked for: those behind it take most of the time. */
async function doctor(url: string, isLast: (finding: Finding) => boolean): Promise<readonly Finding[]> {
  const provider = createProvider({ url, timeoutMs: 10_000, logger: createLogger("silent") });
  const node: NodeConnection = {
    ...{ config: readConfig({}), record: { ...devnet.chain, blockTimeMs: 0 }, provider, wsUrl: undefined },
    codeAt: async (address) => parseBytes(await provider.request("eth_getCode", [address, "latest"]), "eth_getCode"),
  };
  try {
    const findings: Finding[] = [];
    for await (const finding of checkNodes([node], false)) {
      findings.push(finding);
      if (isLast(finding)) break;
    }
    return findings;
  } finally {
    provider.close();
  }
}

describe("behind a node with", () => {
  // Behind most limits a service waits, so that the cells share their time.
  it.concurrent.each(CELLS)("%s", async (name, traits, outcome, said) => {
    await behind(traits, async (world) => {
      const { issues, buyAmount } = await world.quoteNative();
      expect(issues.simulationIncomplete).toBe(outcome === "no simulation");
      // A quote may differ if not all pools are found; it is exact all the same.
      if (traits.prunedBelow === undefined && traits.headLag === undefined) expect(buyAmount, name).toBe(expected);
      if (said === undefined) return;
      const line = ({ check, says }: Finding) => `${check}: ${says}`;
      const findings = (await doctor(world.providers[0]!.url, (finding) => said.test(line(finding)))).map(line);
      expect(findings.at(-1), findings.join("\n")).toMatch(said);
    });
  });

  it("no state at a block hash: doctor says that it cannot be used, and nothing is served", async () => {
    const isPatient = false;
    const look = async (world: ProviderWorld) => {
      const findings = await doctor(world.providers[0]!.url, ({ outcome }) => outcome === "wrong");
      const wrong = findings.filter(({ outcome }) => outcome === "wrong").map(({ check, says }) => `${check}: ${says}`);
      expect(wrong[0]).toMatch(/^state at a block hash: none .*EIP-1898.*use another node/);
      await expect.poll(() => world.chain.status().lastError).toMatch(/eth_\w+: /);
      expect(world.chain.market.current()).toHaveProperty("unavailable");
    };
    await behind({ noBlockHash: true }, look, isPatient);
  });

  it("a WebSocket that drops: heads are found by looking", async () => {
    await behind({}, async ({ chain, providers }) => {
      for (let block = 0; block < 3; block++) {
        await devnet.mine();
        providers[0]!.dropSockets();
        const { number } = await devnet.rpc<{ number: string }>("eth_getBlockByNumber", ["latest", false]);
        await expect.poll(() => chain.status().head?.number).toBe(BigInt(number));
      }
    });
  });
});
