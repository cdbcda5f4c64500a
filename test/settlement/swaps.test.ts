import { afterAll, afterEach, beforeAll, describe, it } from "vitest";
import { exactIn, exactOut, type PoolUse } from "../../fixtures/settlement/routes.ts";
import { UNIT, type World } from "../../fixtures/settlement/venues.ts";
import { NATIVE_TOKEN } from "../../src/domain/address.ts";
import { startWorld } from "../support/worlds/settlement-world.ts";
import { tradeToTheWei } from "./chain/to-the-wei.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

type Tokens = Pick<World, "usd" | "dai" | "gem" | "weth"> & World["venues"];
const N = NATIVE_TOKEN;

describe("exact-in, to the wei", () => {
  const cases: Record<string, (t: Tokens) => readonly PoolUse[]> = {
    "one V2 pair": (t) => [[t.usdDai, t.usd, t.dai]],
    "the other way": (t) => [[t.usdDai, t.dai, t.usd]],
    "a V2 fork with another fee": (t) => [[t.usdDaiPancake, t.usd, t.dai]],
    "one V3 pool": (t) => [[t.usdDaiV3, t.usd, t.dai]],
    "one V3 pool, the other way": (t) => [[t.usdDaiV3, t.dai, t.usd]],
    "V2 to V2, pair to pair": (t) => [
      [t.usdDai, t.usd, t.dai],
      [t.daiGem, t.dai, t.gem],
    ],
    "V3 to V2": (t) => [
      [t.usdDaiV3, t.usd, t.dai],
      [t.daiGem, t.dai, t.gem],
    ],
    "V2 to V3": (t) => [
      [t.usdDai, t.usd, t.dai],
      [t.daiGemV3, t.dai, t.gem],
    ],
    "V3 to V3": (t) => [
      [t.usdDaiV3, t.usd, t.dai],
      [t.daiGemV3, t.dai, t.gem],
    ],
    "a split over three": (t) => [
      [t.usdDai, t.usd, t.dai, 37],
      [t.usdDaiV3, t.usd, t.dai, 61],
      [t.usdDaiPancake, t.usd, t.dai],
    ],
    "split, merge and split again": (t) => [
      [t.usdDai, t.usd, t.dai, 37],
      [t.usdDaiV3, t.usd, t.dai],
      [t.daiGem, t.dai, t.gem, 43],
      [t.daiGemV3, t.dai, t.gem],
    ],
    "a flow over two tokens": (t) => [
      [t.usdDaiV3, t.usd, t.dai, 50],
      [t.usdWeth, t.usd, t.weth, 3],
      [t.usdWethV3, t.usd, t.weth, 5],
      [t.usdDai, t.usd, t.dai],
      [t.wethGemV3, t.weth, t.gem],
      [t.daiGem, t.dai, t.gem, 40],
      [t.daiGemV3, t.dai, t.gem],
    ],
    "the same pool twice": (t) => [
      [t.usdDaiV3, t.usd, t.dai, 50],
      [t.usdDai, t.usd, t.dai, 50],
      [t.usdDaiV3, t.usd, t.dai],
    ],
  };
  for (const [name, poolUsesOf] of Object.entries(cases)) {
    it(name, async () => {
      const amount = 12_345n * UNIT + 7n;
      const uses = poolUsesOf({ ...world, ...world.venues });
      const route = exactIn(world, uses[0]![1], uses.at(-1)![2], amount, uses);
      await tradeToTheWei(world, route);
    });
  }

  const nativeCases: Record<string, (t: Tokens) => readonly PoolUse[]> = {
    "native in, V2": (t) => [
      [t.weth, N, t.weth],
      [t.usdWeth, t.weth, t.usd],
    ],
    "native in, V3 and V2": (t) => [
      [t.weth, N, t.weth],
      [t.usdWethV3, t.weth, t.usd, 70],
      [t.usdWeth, t.weth, t.usd],
    ],
    "native out": (t) => [
      [t.usdWethV3, t.usd, t.weth, 70],
      [t.usdWeth, t.usd, t.weth],
      [t.weth, t.weth, N],
    ],
    "native in, wrapped in two parts": (t) => [
      [t.weth, N, t.weth, 50],
      [t.weth, N, t.weth],
      [t.usdWethV3, t.weth, t.usd],
    ],
  };
  for (const [name, poolUsesOf] of Object.entries(nativeCases)) {
    it(name, async () => {
      const uses = poolUsesOf({ ...world, ...world.venues });
      const route = exactIn(world, uses[0]![1], uses.at(-1)![2], 3n * UNIT + 1n, uses);
      await tradeToTheWei(world, route);
    });
  }
});

describe("exact-out, to the wei", () => {
  const cases: Record<string, (t: Tokens) => readonly PoolUse[]> = {
    "one V2 pair": (t) => [[t.usdDai, t.usd, t.dai]],
    "a V2 fork with another fee": (t) => [[t.usdDaiPancake, t.dai, t.usd]],
    "one V3 pool": (t) => [[t.usdDaiV3, t.usd, t.dai]],
    "V2 behind V2": (t) => [
      [t.daiGem, t.dai, t.gem],
      [t.usdDai, t.usd, t.dai],
    ],
    "V3 behind V2": (t) => [
      [t.daiGem, t.dai, t.gem],
      [t.usdDaiV3, t.usd, t.dai],
    ],
    "V2 behind V3": (t) => [
      [t.daiGemV3, t.dai, t.gem],
      [t.usdDai, t.usd, t.dai],
    ],
    "V3 behind V3": (t) => [
      [t.daiGemV3, t.dai, t.gem],
      [t.usdDaiV3, t.usd, t.dai],
    ],
    "a split": (t) => [
      [t.usdDai, t.usd, t.dai, 37],
      [t.usdDaiV3, t.usd, t.dai, 61],
      [t.usdDaiPancake, t.usd, t.dai],
    ],
    "a V2 pair and a V3 pool that take what one makes": (t) => [
      [t.daiGem, t.dai, t.gem, 45],
      [t.daiGemV3, t.dai, t.gem],
      [t.usdDaiV3, t.usd, t.dai],
    ],
    "a V2 pair and a V3 pool that take what two make": (t) => [
      [t.daiGem, t.dai, t.gem, 45],
      [t.daiGemV3, t.dai, t.gem],
      [t.usdDaiV3, t.usd, t.dai, 70],
      [t.usdDai, t.usd, t.dai],
    ],
    "a flow over two tokens": (t) => [
      [t.daiGemV3, t.dai, t.gem, 55],
      [t.wethGemV3, t.weth, t.gem, 2],
      [t.daiGem, t.dai, t.gem],
      [t.usdWethV3, t.usd, t.weth],
      [t.usdDaiV3, t.usd, t.dai, 45],
      [t.usdDai, t.usd, t.dai, 60],
      [t.usdDaiPancake, t.usd, t.dai],
    ],
  };
  for (const [name, poolUsesOf] of Object.entries(cases)) {
    it(name, async () => {
      const uses = poolUsesOf({ ...world, ...world.venues });
      const route = exactOut(world, uses.at(-1)![1], uses[0]![2], 6_543n * UNIT + 3n, uses);
      await tradeToTheWei(world, route, { maxSellAmount: route.sellAmount * 2n });
    });
  }

  const nativeCases: Record<string, (t: Tokens) => readonly PoolUse[]> = {
    "native in, the rest comes back": (t) => [
      [t.usdWethV3, t.weth, t.usd],
      [t.weth, N, t.weth],
    ],
    "native in by V2": (t) => [
      [t.usdWeth, t.weth, t.usd],
      [t.weth, N, t.weth],
    ],
    "native in by both, wrapped once": (t) => [
      [t.usdWeth, t.weth, t.usd, 35],
      [t.usdWethV3, t.weth, t.usd],
      [t.weth, N, t.weth],
    ],
    "native out": (t) => [
      [t.weth, t.weth, N],
      [t.usdWethV3, t.usd, t.weth, 60],
      [t.usdWeth, t.usd, t.weth],
    ],
  };
  for (const [name, poolUsesOf] of Object.entries(nativeCases)) {
    it(name, async () => {
      const uses = poolUsesOf({ ...world, ...world.venues });
      const route = exactOut(world, uses.at(-1)![1], uses[0]![2], 2n * UNIT + 1n, uses);
      await tradeToTheWei(world, route, { maxSellAmount: route.sellAmount * 2n });
    });
  }
});
