import { describe, expect, it } from "vitest";
import { type Address, NATIVE_TOKEN } from "../../src/domain/address.ts";
import { createPoolStore } from "../../src/market/pool-store.ts";
import { createRates, type RateMemory } from "../../src/market/rates.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { pair, tokenAt } from "./pairs.ts";

const ETH = 10n ** 18n;
const weth = tokenAt(0);
const usdc = tokenAt(1);
const dai = tokenAt(2);
const meme = tokenAt(3);

/** Base units per wei as a number, or undefined. */
function rate(pools: readonly Pool[], token: Address): number | undefined {
  const store = createPoolStore();
  for (const pool of pools) store.set(pool.id, pool);
  const found = createRates(store.freeze(1n), weth).perNative(token);
  return found === undefined ? undefined : Number((found.num * 10n ** 24n) / found.den) / 1e24;
}

describe("rates", () => {
  const deep = pair("deep", weth, usdc, 1_000n * ETH, 2_000_000n * 10n ** 6n);

  it("of the native token and its wrapped form are one", () => {
    expect(rate([], NATIVE_TOKEN)).toBe(1);
    expect(rate([], weth)).toBe(1);
  });

  it("are spot prices of the pool that leads there, either way round", () => {
    expect(rate([deep], usdc)).toBeCloseTo(2e-9, 20);
    expect(rate([pair("deep", usdc, weth, 2_000_000n * 10n ** 6n, 1_000n * ETH)], usdc)).toBeCloseTo(2e-9, 20);
  });

  it("are exact", () => {
    const store = createPoolStore();
    store.set("odd", pair("odd", weth, usdc, 777_777_777_777_777_777_777n, 123_456_789_012_345n));
    const { num, den } = createRates(store.freeze(1n), weth).perNative(usdc)!;
    expect(num * 777_777_777_777_777_777_777n).toBe(den * 123_456_789_012_345n);
  });

  it("go over several pools where that is the deepest way", () => {
    const stable = pair("stable", usdc, dai, 3_000_000n * 10n ** 6n, 3_000_000n * ETH);
    const shallow = pair("shallow", weth, dai, 10n * ETH, 30_000n * ETH);
    expect(rate([deep, stable, shallow], dai)).toBeCloseTo(2_000, 6);
    expect(rate([stable, shallow], dai)).toBeCloseTo(3_000, 6);
  });

  it("are not moved by dust", () => {
    const dust = pair("dust", weth, usdc, 10n ** 15n, 10n ** 15n);
    expect(rate([deep, dust], usdc)).toBeCloseTo(2e-9, 20);
    expect(rate([dust], usdc)).toBeUndefined();
    expect(rate([deep, pair("fresh", weth, meme, 10n ** 17n, 10n ** 30n)], meme)).toBeUndefined();
  });

  it("count depth in what the way there can carry, not in tokens", () => {
    // A pool with enormous reserves of a token whose own way to the native token is dust.
    const worthless = pair("worthless", meme, usdc, 10n ** 40n, 10n ** 30n);
    const dust = pair("dust", weth, meme, 10n ** 15n, 10n ** 30n);
    expect(rate([worthless, dust], usdc)).toBeUndefined();
    expect(rate([worthless, dust, deep], usdc)).toBeCloseTo(2e-9, 20);
  });

  it("end after four pools", () => {
    const chain = Array.from({ length: 6 }, (_, hop) => {
      return pair(`hop-${hop}`, tokenAt(hop), tokenAt(hop + 1), 1_000n * ETH, 1_000n * ETH);
    });
    expect(rate(chain, tokenAt(4))).toBeCloseTo(1, 9);
    expect(rate(chain, tokenAt(5))).toBeUndefined();
  });

  it("are the same whatever was asked for before", () => {
    const stable = pair("stable", usdc, dai, 3_000_000n * 10n ** 6n, 3_000_000n * ETH);
    const further = pair("further", dai, meme, 2_000_000n * ETH, 5_000_000n * ETH);
    const store = createPoolStore();
    for (const pool of [deep, stable, further]) store.set(pool.id, pool);
    const graph = store.freeze(1n);
    const [forth, back] = [createRates(graph, weth), createRates(graph, weth)];
    const tokens = [usdc, dai, meme, tokenAt(9)];
    const inOrder = tokens.map((token) => forth.perNative(token));
    expect(
      tokens
        .toReversed()
        .map((token) => back.perNative(token))
        .toReversed(),
    ).toEqual(inOrder);
    expect(inOrder.map((found) => found !== undefined)).toEqual([true, true, true, false]);
  });

  it("are those of the graph's own time where a pool moves by time alone", () => {
    const ramp = { initialA: 50n, futureA: 500n, initialATime: 1_000n, futureATime: 2_000n, aPrecision: 1n };
    const state = {
      ...{ balances: [1_000n * ETH, 9_000n * ETH], rates: [ETH, ETH], fee: 4_000_000n, adminFee: 0n, killed: false },
      ...{ ...ramp, generation: "old" as const },
    };
    const store = createPoolStore();
    store.set("ramp", { id: "ramp", source: "Curve", tokens: [weth, dai], curve: "stableswap", state });
    const memory: RateMemory = new WeakMap();
    const ratesAt = (time: bigint) => createRates(store.freeze(time), weth, { memory }).perNative(dai);
    const earlier = ratesAt(1_000n);
    expect(earlier).toBeDefined();
    expect(ratesAt(1_900n)).toEqual(createRates(store.freeze(1_900n), weth).perNative(dai));
    expect(ratesAt(1_900n)).not.toEqual(earlier);
  });

  it("lead over reference tokens only, where some are named", () => {
    const through = pair("through", weth, meme, 1_000n * ETH, 1_000n * ETH);
    const beyond = pair("beyond", meme, dai, 1_000n * ETH, 1_000n * ETH);
    const store = createPoolStore();
    for (const pool of [through, beyond]) store.set(pool.id, pool);
    const graph = store.freeze(1n);
    expect(createRates(graph, weth, { references: [usdc] }).perNative(dai)).toBeUndefined();
    expect(createRates(graph, weth, { references: [meme] }).perNative(dai)).toBeDefined();
    expect(createRates(graph, weth, { references: [usdc] }).perNative(meme)).toBeDefined();
  });

  it("look at a bounded number of pools, however many there are", () => {
    const store = createPoolStore();
    const tokens = 3_000;
    for (let token = 1; token <= tokens; token++) {
      store.set(`weth-${token}`, pair(`weth-${token}`, weth, tokenAt(token), 10n * ETH, 10n * ETH));
      if (token > 1) store.set(`usdc-${token}`, pair(`usdc-${token}`, usdc, tokenAt(token), 10n * ETH, 10n * ETH));
    }
    // Somebody makes as many pools of one pair as he likes, after those that were there.
    for (let extra = 0; extra < 500; extra++) {
      store.set(`extra-${extra}`, pair(`extra-${extra}`, weth, usdc, 10_000n * ETH, ETH));
    }
    const graph = store.freeze(1n);
    let looked = 0;
    const counting = new WeakMap();
    const memory = { has: counting.has, delete: counting.delete, [Symbol.toStringTag]: "WeakMap" } as WeakMap<
      Pool,
      never
    >;
    memory.get = () => undefined;
    memory.set = () => {
      looked += 1;
      return memory;
    };
    const rates = createRates(graph, weth, { memory });
    for (const token of [7, 8, 9]) expect(rates.perNative(tokenAt(token))).toBeDefined();
    expect(looked).toBeGreaterThan(3);
    expect(looked).toBeLessThan(200);
  });

  it("are the same whatever order the pools were found in", () => {
    const twins = ["b", "a", "c"].map((id, index) => pair(id, weth, usdc, 100n * ETH, BigInt(index + 1) * ETH));
    expect(rate(twins, usdc)).toBe(rate(twins.toReversed(), usdc));
  });
});
