import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Address } from "../../src/domain/address.ts";
import type { Route } from "../../src/domain/route.ts";
import { withAlgebra } from "./algebra-pools.ts";
import { exactIn, exactOut } from "./routes.ts";
import { leftBehind, run } from "./swap.ts";
import { createWorld, UNIT, type World } from "./venues.ts";

let world: World;
let usdDai: Address;
let daiGem: Address;
beforeAll(async () => {
  ({ world, usdDai, daiGem } = await withAlgebra(await createWorld()));
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

/** Routes over these pools alone, beside others and in front of others, over ticks too. */
const routes: Record<string, () => Route> = {
  "exact-in": () => exactIn(world, world.usd, world.dai, 100n * UNIT, [[usdDai, world.usd, world.dai]]),
  "exact-in over ticks": () => exactIn(world, world.usd, world.dai, 9_000n * UNIT, [[usdDai, world.usd, world.dai]]),
  "exact-in, one after another": () =>
    exactIn(world, world.usd, world.gem, 100n * UNIT, [
      [usdDai, world.usd, world.dai],
      [daiGem, world.dai, world.gem],
    ]),
  "exact-in, split with a V3 pool and then a V2 pair": () =>
    exactIn(world, world.usd, world.gem, 100n * UNIT, [
      [usdDai, world.usd, world.dai, 45],
      [world.venues.usdDaiV3, world.usd, world.dai],
      [world.venues.daiGem, world.dai, world.gem],
    ]),
  "exact-out": () => exactOut(world, world.usd, world.dai, 90n * UNIT, [{ touch: [usdDai, world.usd, world.dai] }]),
  "exact-out, made by a V3 pool and a pair in the callback": () => {
    const { usd, dai, gem, venues } = world;
    const inputs = [{ touch: [venues.usdDaiV3, usd, dai, 60] as const }, { touch: [venues.usdDai, usd, dai] as const }];
    return exactOut(world, usd, gem, 70n * UNIT, [{ touch: [daiGem, dai, gem], inputs }]);
  },
  "exact-out, one in the callback of the other": () => {
    const { usd, dai, gem } = world;
    return exactOut(world, usd, gem, 70n * UNIT, [
      { touch: [daiGem, dai, gem], inputs: [{ touch: [usdDai, usd, dai] }] },
    ]);
  },
};

describe("Algebra's pools", () => {
  for (const [name, build] of Object.entries(routes)) {
    it(`are traded to the wei: ${name}`, async () => {
      const route = build();
      await world.node.rpc("evm_increaseTime", 12);
      const { sold, bought, gasUsed, terms } = await run(world, route, { maxSellAmount: route.sellAmount });
      expect({ sold, bought }).toEqual({ sold: route.sellAmount, bought: route.buyAmount });
      expect(await leftBehind(world)).toBe(0n);
      // The first to cross a tick pays for its empty slots, which the model leaves out.
      if (name.includes("ticks")) return;
      const error = Math.abs(Number(world.settlement.gas(route, terms)) / Number(gasUsed) - 1);
      expect(error, `model ${world.settlement.gas(route, terms)}, used ${gasUsed}`).toBeLessThan(0.15);
    });
  }
});
