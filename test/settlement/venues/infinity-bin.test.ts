import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { exactOut } from "../../../fixtures/settlement/routes.ts";
import { leftBehind, run } from "../../../fixtures/settlement/swap.ts";
import { createWorld, UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { poolIdOf } from "../../../src/venues/infinity-cl/pool-key.ts";
import { forgedSingletons } from "../chain/forged-singletons.ts";
import { testRoutes } from "../chain/modelled-routes.ts";
import { singletonRoutes, testRunningDry } from "../chain/singleton-routes.ts";
import { withInfinity } from "../pools/infinity.ts";
import { BIN_TERMS, withInfinityBins } from "../pools/infinity-bins.ts";

let world: World;
let bins: Awaited<ReturnType<typeof withInfinityBins>>;
beforeAll(async () => {
  bins = await withInfinityBins(await createWorld());
  world = bins.world;
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

const AMOUNT = 100n * UNIT;

describe("pools of bins of PancakeSwap Infinity", () => {
  testRoutes(
    () => world,
    singletonRoutes(() => bins),
    (name) => (name.includes("both in one lock") ? 0.2 : 0.15),
  );

  it("and of concentrated liquidity are traded under one lock of their Vault", async () => {
    const both = await withInfinity(bins.world, bins.vault);
    const { usd, dai, gem } = world;
    for (const [outer, inner] of [
      [bins, both],
      [both, bins],
    ] as const) {
      const route = exactOut(both.world, usd, gem, AMOUNT, [
        [outer.daiGem, dai, gem],
        [inner.usdDai, usd, dai],
      ]);
      const { sold, bought } = await run(both.world, route);
      expect({ sold, bought }).toEqual({ sold: route.sellAmount, bought: AMOUNT });
      expect(await leftBehind(both.world)).toBe(0n);
      await world.restore();
    }
  });

  // BinPool__OutOfLiquidity().
  testRunningDry(() => bins, "0x96aa65ad");
});

describe("forged managers of bins", () => {
  const { binStep, ...terms } = BIN_TERMS;
  forgedSingletons(() => ({
    ...bins,
    actionAt: (manager) => ({ action: "infinity-bin-pool", manager, ...BIN_TERMS }),
    idAt: (manager, currencies) => poolIdOf({ currencies, manager, tickSpacing: binStep, ...terms }),
  }));
});
