import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { refusalOf, type Traits } from "../../../fixtures/node/provider-traits.ts";
import { discoveryInWords } from "../../../src/chain/describe-chain.ts";
import type { Provider } from "../../../src/chain/rpc/provider.ts";
import { RpcError } from "../../../src/chain/rpc/provider-errors.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { Token } from "../../../src/domain/token.ts";
import { createTimedChain, type Following, follow, type TimedChain } from "../blocks/following.ts";

const BLOCK_MS = 2_000;
let folder: string;
let following: Following | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tributary-discovery-"));
});
afterEach(async () => {
  await following?.stop();
  following = undefined;
  rmSync(folder, { recursive: true });
});

/** A chain that announces a pair in every tenth of its blocks, and the tokens of its first pairs. */
function grown(seed: number, blocks = 400): { readonly fake: TimedChain; readonly tokens: readonly Token[] } {
  const fake = createTimedChain({ seed, pairs: 3 });
  const tokens = [...fake.head.pairs.values()].map(({ tokens: held }): Token => {
    const address = held.find((token) => token !== fake.record.wrappedNative)!;
    return { address, symbol: "T", name: "T", decimals: 18 };
  });
  for (let block = 0; block < blocks; block++) fake.mine({ trades: 1, pairs: block % 10 === 0 ? 1 : 0 });
  return { fake, tokens };
}

/** A provider in front of the chain with such traits, and how often it was asked for ranges of logs. */
function behind(fake: TimedChain, traits: () => Traits) {
  const asked = { ranges: 0 };
  const provider: Provider = {
    ...fake.provider,
    async request(method, params, limits) {
      if (method === "eth_getLogs" && "fromBlock" in (params[0] as object)) asked.ranges += 1;
      const refused = await refusalOf({ id: 1, method, params }, traits(), async () => fake.head.number);
      if (refused !== undefined) throw new RpcError(refused.code, `${method}: ${refused.message}`);
      return fake.provider.request(method, params, limits);
    },
  };
  return { provider, asked };
}

async function mine(fake: TimedChain, blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    fake.mine({ trades: 3 });
    await fake.clock.advance(BLOCK_MS);
  }
}

const found = () => following!.chain.status().pools - 1;
const trouble = () => following!.chain.status().discovery?.trouble;

describe("a search where old logs are pruned", () => {
  it.each([
    ["a long one, beside the following", 50n],
    ["a short one, which would be waited for", undefined],
  ])("finds all that can be found, and says what is missing: %s", async (_, searchAtOnce) => {
    const { fake, tokens } = grown(101);
    let traits: Traits = { prunedBelow: 200n };
    const { provider } = behind(fake, () => traits);
    following = await follow(fake, { tokens, searchAtOnce, providers: [provider], auditedPerBlock: 0 });
    await following.until(() => following!.published.length > 0);
    await mine(fake, 30);
    // Pools of blocks 200 to 400, and of the listed tokens.
    const before = [...fake.head.pairs.keys()].length;
    await following.until(() => found() === 3 + 20);
    expect(before).toBe(3 + 40);
    const { chain } = following;
    expect(chain.status().discovery).toMatchObject({ unsearchable: { from: 0n, to: 199n } });
    expect(trouble()).toMatch(/^No node keeps the logs of blocks 0 to 199: .*Set HISTORY_URL/);
    expect(discoveryInWords(chain.status())).toBe(trouble());

    traits = {};
    await fake.clock.advance(600_000);
    await mine(fake, 20);
    await following.until(() => found() === fake.head.pairs.size);
    expect(chain.status().discovery).toBeUndefined();
  });

  it("goes on where it was after a restart, and searches nothing twice", async () => {
    const { fake, tokens } = grown(102);
    const { provider, asked } = behind(fake, () => ({ prunedBelow: 200n }));
    const options = { tokens, searchAtOnce: 50n, providers: [provider], auditedPerBlock: 0, dataDir: folder };
    following = await follow(fake, options);
    await following.until(() => following!.published.length > 0);
    await mine(fake, 60);
    await following.until(() => found() === 23);
    await following.stop();
    asked.ranges = 0;
    following = await follow(fake, options);
    await following.until(() => following!.published.length > 0);
    await mine(fake, 10);
    expect(found()).toBe(23);
    expect(trouble()).toContain("No node keeps the logs of blocks 0 to 199");
    // The pruned blocks are tried once, at their beginning and at their end.
    expect(asked.ranges).toBeLessThanOrEqual(4);
  });

  it("is made on another node where one is named for it", async () => {
    const { fake, tokens } = grown(103);
    const { provider, asked } = behind(fake, () => ({ prunedBelow: 395n }));
    const archive = fake.connect({ name: "archive" });
    const options = { tokens, searchAtOnce: 50n, auditedPerBlock: 0 };
    following = await follow(fake, { ...options, providers: [provider], history: [archive.provider] });
    await following.until(() => following!.published.length > 0);
    await mine(fake, 30);
    await following.until(() => found() === fake.head.pairs.size);
    expect(asked.ranges).toBe(0);
    expect(archive.requests()).toBeGreaterThan(2);
  });
});

describe("a search on a node that gives ranges of few blocks", () => {
  it.each([
    [
      10n,
      {
        code: -32600,
        message: "Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.",
      },
    ],
    [50n, { code: -32005, message: "Requested range exceeds maximum RPC range limit" }],
    [100n, { code: -32000, message: "exceed maximum block range: 100" }],
  ])("of %i takes what it gives, and tells from the start that it searches", async (blocks, error) => {
    const { fake, tokens } = grown(104, 2_000);
    const { provider, asked } = behind(fake, () => ({ logRange: { blocks, error } }));
    following = await follow(fake, { tokens, searchAtOnce: 50n, providers: [provider], auditedPerBlock: 0 });
    await following.until(() => following!.published.length > 0);
    expect(following.chain.status().discovery).toBeDefined();
    await mine(fake, 60);
    await following.until(() => found() === fake.head.pairs.size);
    const needed = Math.ceil(2_000 / Number(blocks));
    expect(asked.ranges).toBeLessThan(needed * 1.5 + 20);
  });

  it("tells that it fails, and why, and goes on when it can", async () => {
    const { fake, tokens } = grown(105);
    let traits: Traits = { errors: { eth_getLogs: { code: -32000, message: "down for maintenance" } } };
    const onRanges = (): Traits => traits;
    const { provider } = behind(fake, () => ({}));
    const failing: Provider = {
      ...provider,
      async request(method, params, limits) {
        if (method === "eth_getLogs" && "fromBlock" in (params[0] as object) && onRanges().errors !== undefined)
          throw new RpcError(-32000, "eth_getLogs: down for maintenance");
        return provider.request(method, params, limits);
      },
    };
    following = await follow(fake, { tokens, searchAtOnce: 50n, providers: [failing], auditedPerBlock: 0 });
    await following.until(() => following!.published.length > 0);
    await mine(fake, 10);
    expect(trouble()).toMatch(
      /^The search for pools failed at block 0, it is tried again: eth_getLogs: the node refuses/,
    );
    traits = {};
    await mine(fake, 20);
    await following.until(() => found() === fake.head.pairs.size);
    expect(following.chain.status().discovery).toBeUndefined();
  });
});

describe("found pools", () => {
  it("are read beside the following: no block waits for them, however long that takes", async () => {
    const { fake, tokens } = grown(106, 600);
    let slow = false;
    const slowly: Provider = {
      ...fake.provider,
      async request(method, params, limits) {
        const isOfFound = method === "eth_call" && fake.head.pairs.has((params[0] as { to: Address }).to);
        // A found pool takes three blocks to read.
        if (slow && isOfFound && limits?.lane !== "follower")
          await new Promise<void>((resolve) => fake.clock.after(3 * BLOCK_MS, resolve));
        return fake.provider.request(method, params, limits);
      },
    };
    following = await follow(fake, { tokens, searchAtOnce: 50n, providers: [slowly], auditedPerBlock: 0 });
    await following.until(() => following!.published.length > 0);
    slow = true;
    let late = 0;
    for (let block = 0; block < 60; block++) {
      fake.mine({ trades: 3 });
      await fake.clock.advance(BLOCK_MS);
      if (following.published.at(-1)!.block.hash !== fake.head.hash) late += 1;
    }
    expect(late).toBe(0);
    slow = false;
    await mine(fake, 10);
    await following.until(() => found() === fake.head.pairs.size);
    expect(following.wrong.filter((text) => text.includes("other reserves"))).toEqual([]);
  });
});
