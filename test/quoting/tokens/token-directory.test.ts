import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressOf, concentratedOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { ALL_ON } from "../../../src/domain/switches.ts";
import type { Token } from "../../../src/domain/token.ts";
import { NO_TAX } from "../../../src/domain/token-verdict.ts";
import { createPoolStore } from "../../../src/market/pool-store.ts";
import { createRates } from "../../../src/market/rates.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { mathOf } from "../../../src/pools/pool.ts";
import { createTokenDirectory } from "../../../src/quoting/tokens/create-token-directory.ts";
import { COUNT_EVERY_MS } from "../../../src/quoting/tokens/market-tokens.ts";
import type { TokenPage } from "../../../src/quoting/tokens/token-directory.ts";
import { MAX_NAMED, TokenNames } from "../../../src/quoting/tokens/token-names.ts";

const WETH = addressOf(0);
const ETHER = 10n ** 18n;
const tokenOf = (address: Address, symbol: string, name = symbol): Token => ({ address, symbol, name, decimals: 18 });
const NATIVE = tokenOf(NATIVE_TOKEN, "ETH", "Ether");

/** A market of which a directory is told block by block. */
function openMarket(named: readonly Token[] = []) {
  const store = createPoolStore();
  let number = 0n;
  let elapsed = 0;
  let told: (snapshot: Snapshot) => void = () => {};
  let snapshot: Snapshot | undefined;
  const keptOut = new Map<Address, string>();
  const known = new Map<Address, Token>();
  const registry = {
    known: (address: Address) => known.get(address),
    find: async (address: Address) => named.find((token) => token.address === address),
  };
  const defects: unknown[] = [];
  const directory = createTokenDirectory({
    market: {
      current: () => (snapshot === undefined ? { unavailable: "There is no block." } : { snapshot }),
      onSnapshot(listener) {
        told = listener;
        return () => {};
      },
    },
    ...{ names: registry, native: NATIVE, wrappedNative: WETH },
    verdicts: { keptOut: () => keptOut },
    switchedOff: () => ALL_ON,
    pausing: () => () => undefined,
    elapsed: () => elapsed,
    onDefect: (error) => defects.push(error),
  });
  return {
    directory,
    known,
    keptOut,
    defects,
    /** Publishes a block in which pools have changed; undefined takes one away. */
    async publish(changes: readonly (readonly [id: string, pool: Pool | undefined])[], isSoon = false) {
      for (const [id, pool] of changes) store.set(id, pool);
      number += 1n;
      elapsed += isSoon ? 1 : COUNT_EVERY_MS;
      const graph = store.freeze(1_700_000_000n + number);
      const hash = `0x${number.toString(16).padStart(64, "0")}` as const;
      const block = { number, hash, parentHash: hash, timestamp: graph.time };
      snapshot = { block, graph, rates: createRates(graph, WETH) } as Snapshot;
      told(snapshot);
      await new Promise(setImmediate);
      return snapshot;
    },
    page: (query: { search?: string; after?: string; most?: number } = {}) =>
      directory.list({ kind: "page", most: 100, ...query }),
    at: (...addresses: Address[]) => directory.list({ kind: "addresses", addresses, account: "test" }),
  };
}

const at = (pool: Pool) => [pool.id, pool] as const;
const pool = (n: number, token: number, ethers: bigint, fee = 3n) =>
  pairOf(n, [WETH, addressOf(token)], [ethers * ETHER, 2_000n * ethers * ETHER], fee);

describe("what is counted", () => {
  test("the deepest come first, and the native token has the pools of its wrapper", async () => {
    const market = openMarket();
    await market.publish([at(pool(1, 1, 10n)), at(pool(2, 2, 100n)), at(pool(4, 3, 500n)), at(pool(3, 2, 1n))]);
    const { tokens, block, next } = await market.page();
    expect(block.number).toBe(1n);
    expect(next).toBeUndefined();
    expect(tokens.map(({ address, pools }) => [address, pools])).toEqual([
      [WETH, 4],
      [addressOf(3), 1],
      [NATIVE_TOKEN, 4],
      [addressOf(2), 2],
      [addressOf(1), 1],
    ]);
    expect(tokens[0]?.depth).toBe(tokens[2]?.depth);
  });

  test("the depth is what moves each pool's price by 2 %, but for the fee that stays in it", async () => {
    const [deep, narrow] = [pool(1, 1, 1_000n), concentratedOf(2, [WETH, addressOf(1)], 0, 10n ** 21n)];
    const market = openMarket([tokenOf(WETH, "WETH")]);
    const { rates, graph } = await market.publish([at(deep), at(narrow)]);
    const { tokens } = await market.at(WETH);
    // Integer result: the amount whose sale moves the spot price to 98 %.
    const wanted = [deep, narrow].reduce((sum, each) => sum + moving2Percent(each, graph.time), 0n);
    expect(rates.perNative(WETH)).toEqual({ num: 1n, den: 1n });
    expect(Number(tokens[0]?.depth) / Number(wanted)).toBeCloseTo(1, 2);
    expect(wanted).toBeGreaterThan(10n * ETHER);
  });

  test("counts kept from block to block are those of all pools counted anew", async () => {
    const change = fc.record({
      id: fc.integer({ min: 1, max: 12 }),
      token: fc.integer({ min: 1, max: 4 }),
      ethers: fc.bigInt({ min: 1n, max: 5_000n }),
      isGone: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 6 }), { minLength: 1, maxLength: 8 }), async (blocks) => {
        const [kept, anew] = [openMarket(), openMarket()];
        const last = new Map<string, Pool | undefined>();
        // A pool keeps its tokens for good.
        const tokens = new Map<number, number>();
        for (const changes of blocks) {
          const set = changes.map(({ id, token, ethers, isGone }) => {
            tokens.set(id, tokens.get(id) ?? token);
            const changed = pool(id, tokens.get(id)!, ethers);
            return [changed.id, isGone ? undefined : changed] as const;
          });
          const known = set.filter(([id, changed]) => changed !== undefined || last.has(id));
          for (const [id, changed] of known) last.set(id, changed);
          await kept.publish(known);
        }
        await anew.publish([...last].filter(([, changed]) => changed !== undefined));
        const shown = ({ tokens: all }: TokenPage) => all.map(({ address, pools, depth }) => [address, pools, depth]);
        expect(shown(await kept.page())).toEqual(shown(await anew.page()));
        expect([...kept.defects, ...anew.defects]).toEqual([]);
      }),
      { numRuns: 60, seed: 20_261_127 },
    );
  });

  test("a block that comes too soon is counted when somebody asks, and a page names the block that it is of", async () => {
    const market = openMarket();
    await market.publish([at(pool(1, 1, 10n))]);
    await market.publish([at(pool(2, 2, 10n))], true);
    expect((await market.page()).block.number).toBe(1n);
    await market.publish([]);
    const { block, tokens } = await market.page();
    expect([block.number, tokens.length]).toEqual([3n, 4]);
  });

  test("a market without a block is refused", async () => {
    await expect(openMarket().page()).rejects.toMatchObject({ kind: "UNAVAILABLE", message: "There is no block." });
  });
});

describe("pages", () => {
  const pools = Array.from({ length: 40 }, (_, n) => pool(n + 1, n + 1, BigInt(1 + n * n)));

  test("all pages together are the whole list, each token once, over blocks that move every pool a little", async () => {
    const market = openMarket();
    await market.publish(pools.map(at));
    const whole = (await market.page()).tokens.map(({ address }) => address);
    const seen: Address[] = [];
    for (let after: string | undefined, more = true; more; ) {
      const page = await market.page({ most: 7, ...(after !== undefined && { after }) });
      seen.push(...page.tokens.map(({ address }) => address));
      [after, more] = [page.next, page.next !== undefined];
      // Less than what crosses a power of two.
      await market.publish(pools.map((_, n) => at(pool(n + 1, n + 1, BigInt(1 + n * n), 4n))));
    }
    expect(seen).toEqual(whole);
    expect(new Set(seen).size).toBe(42);
  });

  test("a page goes on behind a token that is gone", async () => {
    const market = openMarket();
    await market.publish(pools.map(at));
    const first = await market.page({ most: 5 });
    await market.publish([[pools.at(-3)!.id, undefined]]);
    const second = await market.page({ most: 5, after: first.next! });
    expect(second.tokens).toHaveLength(5);
    expect(first.tokens.map(({ address }) => address)).not.toContain(second.tokens[0]?.address);
  });

  test("a search finds symbols and names of the deepest tokens, deepest first, and a word of its own only", async () => {
    const named = [
      tokenOf(addressOf(1), "USDX"),
      tokenOf(addressOf(40), "X", "Some usd coin"),
      tokenOf(addressOf(2), "Y"),
    ];
    const market = openMarket(named);
    for (let round = 0; round < 4; round++) await market.publish(round === 0 ? pools.map(at) : []);
    const { tokens, next } = await market.page({ search: "usd", most: 1 });
    expect(tokens.map(({ token }) => token?.symbol)).toEqual(["X"]);
    const rest = await market.page({ search: "usd", after: next! });
    expect(rest.tokens.map(({ token }) => token?.symbol)).toEqual(["USDX"]);
    expect(rest.next).toBeUndefined();
    expect((await market.page({ search: "ether" })).tokens.map(({ address }) => address)).toEqual([NATIVE_TOKEN]);
    expect((await market.page({ search: "nothing is called that" })).tokens).toEqual([]);
  });
});

test("addresses are answered in their order, once each, without what is no token, and with why one is kept out", async () => {
  const named = [tokenOf(addressOf(2), "B"), tokenOf(addressOf(9), "NOPOOL")];
  const market = openMarket(named);
  market.keptOut.set(addressOf(2), "refuses transfers (paused)");
  await market.publish([at(pool(1, 2, 10n))]);
  const { tokens } = await market.at(addressOf(9), addressOf(2), addressOf(77), addressOf(9));
  expect(tokens.map(({ token, pools, keptOut }) => [token?.symbol, pools, keptOut])).toEqual([
    ["NOPOOL", 0, undefined],
    ["B", 1, "refuses transfers (paused)"],
  ]);
});

test("a token is not kept out whose tax a pool reckons with", async () => {
  const market = openMarket([tokenOf(addressOf(2), "TAXED")]);
  market.keptOut.set(addressOf(2), "keeps 3 % of what is transferred (300 bps, fee on transfer)");
  const plain = pool(1, 2, 10n);
  if (plain.curve !== "constant-product") throw new Error("not a pair");
  const part = { ppm: 30_000n, roundsUp: false };
  const taxes = [NO_TAX, { buy: part, sell: part, transfer: part }] as const;
  const keptOut = async () => (await market.at(addressOf(2))).tokens.map((token) => token.keptOut);
  await market.publish([at(plain)]);
  expect(await keptOut()).toEqual([expect.stringContaining("keeps 3 %")]);
  await market.publish([at({ ...plain, state: { ...plain.state, taxes } })]);
  expect(await keptOut()).toEqual([undefined]);
});

test("a request has those addresses looked up that nobody has named, once each", () => {
  const { directory, known } = openMarket();
  known.set(addressOf(2), tokenOf(addressOf(2), "B"));
  const addresses = [addressOf(2), addressOf(9), addressOf(77), addressOf(9)];
  expect(directory.lookUps({ kind: "addresses", addresses, account: "test" })).toBe(2);
  expect(directory.lookUps({ kind: "page", most: 100 })).toBe(0);
});

/** Bisects for the sale of the first token that moves a pool's spot price to 98 %. */
function moving2Percent(each: Pool, time: bigint): bigint {
  const math = mathOf(each);
  const direction = { sell: 0, buy: 1 };
  const before = math.spotPrice(each.state, direction, time)!;
  let [low, high] = [1n, 10n ** 24n];
  while (high - low > 1_000n) {
    const middle = (low + high) / 2n;
    const quote = math.quoteExactIn(each.state, direction, middle, time);
    const spot = "rejected" in quote ? undefined : math.spotPrice(quote.next, direction, time);
    const isBelow = spot === undefined || spot.num * before.den * 100n < before.num * spot.den * 98n;
    if (isBelow) high = middle;
    else low = middle;
  }
  return low;
}

test("names of tokens that are no longer among the deepest make room for others", async () => {
  const names = new TokenNames({ known: () => undefined, find: async (address) => tokenOf(address, "T") });
  const first = Array.from({ length: MAX_NAMED }, (_, n) => addressOf(n + 1));
  for (let round = 0; round < MAX_NAMED / 16; round++) await names.learn(first);
  expect(names.search("t")).toHaveLength(MAX_NAMED);
  const [deep, ...others] = [addressOf(MAX_NAMED + 1), ...first.slice(0, -1)];
  await names.learn([deep!, ...others]);
  expect(names.search("t")).toContain(deep);
  expect(names.search("t")).not.toContain(first.at(-1));
});

test("a token that the node does not answer for holds up no other", async () => {
  const down = addressOf(1);
  const asked: Address[] = [];
  const find = async (address: Address) => {
    asked.push(address);
    if (address === down) throw new Error("no answer in time");
    return tokenOf(address, "T");
  };
  const names = new TokenNames({ known: () => undefined, find });
  const wanted = Array.from({ length: 40 }, (_, n) => addressOf(n + 1));
  for (let round = 0; round < 3; round++) await names.learn(wanted);
  expect(names.search("t")).toHaveLength(39);
  expect(asked.filter((address) => address === down)).toHaveLength(1);
});
