import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { exactIn, exactOut } from "../../../fixtures/settlement/routes.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { Route } from "../../../src/domain/route.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { testRoutes } from "../chain/modelled-routes.ts";

interface WithPools {
  readonly world: World;
  readonly usdDai: Address;
  readonly daiGem: Address;
}

/** The tests of a venue that pays in a callback and is asked to in one, over two of its pools. */
export function testTwoConcentratedPools(title: string, withPools: (world: World) => Promise<WithPools>): void {
  describe(title, () => {
    let world: World;
    let usdDai: Address;
    let daiGem: Address;
    beforeAll(async () => {
      ({ world, usdDai, daiGem } = await withPools(await startWorld()));
    });
    afterEach(() => world.restore());
    afterAll(() => world?.node.stop());

    /** Routes over these pools alone, beside others and in front of others, over ticks too. */
    const routes: Record<string, () => Route> = {
      "exact-in": () => exactIn(world, world.usd, world.dai, 100n * UNIT, [[usdDai, world.usd, world.dai]]),
      "exact-in over ticks": () =>
        exactIn(world, world.usd, world.dai, 9_000n * UNIT, [[usdDai, world.usd, world.dai]]),
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
      "exact-out": () => exactOut(world, world.usd, world.dai, 90n * UNIT, [[usdDai, world.usd, world.dai]]),
      "exact-out, made by a V3 pool and a pair in the callback": () => {
        const { usd, dai, gem, venues } = world;
        return exactOut(world, usd, gem, 70n * UNIT, [
          [daiGem, dai, gem],
          [venues.usdDaiV3, usd, dai, 60],
          [venues.usdDai, usd, dai],
        ]);
      },
      "exact-out, one in the callback of the other": () => {
        const { usd, dai, gem } = world;
        return exactOut(world, usd, gem, 70n * UNIT, [
          [daiGem, dai, gem],
          [usdDai, usd, dai],
        ]);
      },
    };

    testRoutes(() => world, routes);
  });
}
