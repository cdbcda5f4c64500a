import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { exactIn, exactOut, type PoolUse } from "../../../fixtures/settlement/routes.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { tradeToTheWei } from "../chain/to-the-wei.ts";
import { amountsOf, percents, split } from "./random-pool-uses.ts";

const RUNS = process.env.TRIBUTARY_LONG === "1" ? 1_000 : 40;
const TIMEOUT_MS = 60_000 + RUNS * 500;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

/** Amounts of all sizes, from a few base units up to a part of the pools that the weakest of them can bear. */
const amounts = amountsOf({ min: 6, max: 19 });
const masks = fc.integer({ min: 0, max: 0xffff });

describe("random routes on the real venues, to the wei", () => {
  it("exact-in", { timeout: TIMEOUT_MS }, async () => {
    let [native, split3, large] = [0, 0, 0];
    const property = fc.asyncProperty(
      amounts,
      masks,
      percents,
      fc.boolean(),
      async (amount, mask, shares, ofNative) => {
        const { usd, dai, gem, weth, venues: v } = world;
        const toDai = split(mask, [v.usdDaiV3, v.usdDai, v.usdDaiPancake], usd, dai, shares);
        const toGem = split(mask >> 3, [v.daiGem, v.daiGemV3], dai, gem, shares.slice(3));
        const first: PoolUse[] = ofNative
          ? [[weth, NATIVE_TOKEN, weth], ...split(mask >> 5, [v.usdWeth, v.usdWethV3], weth, usd, shares.slice(5))]
          : [];
        const uses = [...first, ...toDai, ...toGem];
        const route = exactIn(world, ofNative ? NATIVE_TOKEN : usd, gem, amount, uses);
        await tradeToTheWei(world, route);
        await world.restore();
        native += ofNative ? 1 : 0;
        split3 += toDai.length === 3 ? 1 : 0;
        large += amount > UNIT ? 1 : 0;
      },
    );
    await fc.assert(property, { seed: 1, numRuns: RUNS, endOnFailure: true });
    for (const seen of [native, split3, large]) expect(seen).toBeGreaterThan(RUNS / 20);
  });

  it("exact-out", { timeout: TIMEOUT_MS }, async () => {
    let [native, deep, large] = [0, 0, 0];
    const property = fc.asyncProperty(
      amounts,
      masks,
      percents,
      fc.boolean(),
      async (amount, mask, shares, ofNative) => {
        const { usd, dai, gem, weth, venues: v } = world;
        const toGem = split(mask >> 3, [v.daiGem, v.daiGemV3], dai, gem, shares.slice(6));
        const toDai = split(mask, [v.usdDaiV3, v.usdDai, v.usdDaiPancake], usd, dai, shares);
        const first: PoolUse[] = ofNative
          ? [...split(mask >> 8, [v.usdWethV3, v.usdWeth], weth, usd, shares.slice(4)), [weth, NATIVE_TOKEN, weth]]
          : [];
        const uses = [...toGem, ...toDai, ...first];
        const route = exactOut(world, ofNative ? NATIVE_TOKEN : usd, gem, amount, uses);
        await tradeToTheWei(world, route, { maxSellAmount: route.sellAmount * 2n });
        await world.restore();
        native += ofNative ? 1 : 0;
        deep += route.fills.length > 4 ? 1 : 0;
        large += amount > UNIT ? 1 : 0;
      },
    );
    await fc.assert(property, { seed: 2, numRuns: RUNS, endOnFailure: true });
    for (const seen of [native, deep, large]) expect(seen).toBeGreaterThan(RUNS / 20);
  });
});
