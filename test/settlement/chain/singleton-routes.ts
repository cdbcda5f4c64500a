import { expect, it } from "vitest";
import { exactIn, exactOut } from "../../../fixtures/settlement/routes.ts";
import { leftBehind, run, termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { NATIVE_TOKEN } from "../../../src/domain/address.ts";
import type { Route } from "../../../src/domain/route.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import type { withSingleton } from "../pools/singleton.ts";
import { withV4 } from "../pools/v4.ts";

const N = NATIVE_TOKEN;
const AMOUNT = 100n * UNIT;

type Made = Awaited<ReturnType<typeof withSingleton>>;

const ROUTES: Readonly<Record<string, (made: Made) => Route>> = {
  "exact-in": ({ world, ...pools }) =>
    exactIn(world, world.usd, world.dai, AMOUNT, [[pools.usdDai, world.usd, world.dai]]),
  "exact-in over ticks": ({ world, ...pools }) =>
    exactIn(world, world.usd, world.dai, 9_000n * UNIT, [[pools.usdDai, world.usd, world.dai]]),
  "exact-in, one after another": ({ world, ...pools }) =>
    exactIn(world, world.usd, world.gem, AMOUNT, [
      [pools.usdDai, world.usd, world.dai],
      [pools.daiGem, world.dai, world.gem],
    ]),
  "exact-in, straight into a pair": ({ world, ...pools }) =>
    exactIn(world, world.usd, world.gem, AMOUNT, [
      [pools.usdDai, world.usd, world.dai],
      [world.venues.daiGem, world.dai, world.gem],
    ]),
  "exact-in, split with a V3 pool": ({ world, ...pools }) =>
    exactIn(world, world.usd, world.gem, AMOUNT, [
      [pools.usdDai, world.usd, world.dai, 45],
      [world.venues.usdDaiV3, world.usd, world.dai],
      [pools.daiGem, world.dai, world.gem],
    ]),
  "exact-in, native token sold": ({ world, ...pools }) =>
    exactIn(world, N, world.usd, UNIT, [[pools.nativeUsd, N, world.usd]]),
  "exact-in, native token sold, part of it wrapped": ({ world, ...pools }) =>
    exactIn(world, N, world.usd, UNIT, [
      [pools.nativeUsd, N, world.usd, 60],
      [world.weth, N, world.weth],
      [world.venues.usdWeth, world.weth, world.usd],
    ]),
  "exact-in, native token bought": ({ world, ...pools }) =>
    exactIn(world, world.usd, N, UNIT, [[pools.nativeUsd, world.usd, N]]),
  "exact-in, native token in the middle": ({ world, ...pools }) =>
    exactIn(world, world.usd, world.weth, UNIT, [
      [pools.nativeUsd, world.usd, N],
      [world.weth, N, world.weth],
    ]),
  "exact-out": ({ world, ...pools }) =>
    exactOut(world, world.usd, world.dai, AMOUNT, [[pools.usdDai, world.usd, world.dai]]),
  "exact-out, one inside the other's lock": ({ world, ...pools }) =>
    exactOut(world, world.usd, world.gem, AMOUNT, [
      [pools.daiGem, world.dai, world.gem],
      [pools.usdDai, world.usd, world.dai],
    ]),
  "exact-out, made by a V3 pool and a pair inside the lock": ({ world, ...pools }) =>
    exactOut(world, world.usd, world.gem, AMOUNT, [
      [pools.daiGem, world.dai, world.gem],
      [world.venues.usdDaiV3, world.usd, world.dai, 60],
      [world.venues.usdDai, world.usd, world.dai],
    ]),
  "exact-out, made for a V3 pool in its callback": ({ world, ...pools }) =>
    exactOut(world, world.usd, world.gem, AMOUNT, [
      [world.venues.daiGemV3, world.dai, world.gem],
      [pools.usdDai, world.usd, world.dai],
    ]),
  "exact-out, native token sold": ({ world, ...pools }) =>
    exactOut(world, N, world.usd, UNIT, [[pools.nativeUsd, N, world.usd]]),
  "exact-out, native token from the wrapped": ({ world, ...pools }) =>
    exactOut(world, world.weth, world.usd, UNIT, [
      [pools.nativeUsd, N, world.usd],
      [world.weth, world.weth, N],
    ]),
  "exact-out, native token bought": ({ world, ...pools }) =>
    exactOut(world, world.usd, N, UNIT, [[pools.nativeUsd, world.usd, N]]),
  "exact-out, native token in the middle, both in one lock": ({ world, ...pools }) =>
    exactOut(world, world.dai, world.weth, UNIT, [
      [world.weth, N, world.weth],
      [pools.nativeUsd, world.usd, N],
      [pools.usdDai, world.dai, world.usd],
    ]),
};

/** Routes over a singleton's pools alone, beside others and before others, inside one lock and with native token. */
export function singletonRoutes(made: () => Made): Record<string, () => Route> {
  return Object.fromEntries(Object.entries(ROUTES).map(([name, build]) => [name, () => build(made())]));
}

/** A pool that runs dry over a sale fails it: no half of a swap is made. */
export function testRunningDry(made: () => Made, reason = "PartialFill("): void {
  it("are not half a swap when they run dry", async () => {
    const { world, usdDai } = made();
    const { node, taker, usd, dai, settlement } = world;
    const route = exactIn(world, usd, dai, AMOUNT, [[usdDai, usd, dai]]);
    if (route.kind !== "exactIn") throw new Error("unreachable");
    const plenty = 5n * 10n ** 5n * UNIT;
    const fills = [{ ...route.fills[0]!, sellAmount: plenty }];
    const more = { ...route, sellAmount: plenty, fills };
    const transaction = settlement.encode(more, termsFor(more, { minBuyAmount: 1n }), world.actionOf);
    expect(revertReason(await node.revertOf({ from: taker, ...transaction }))).toContain(reason);
  });
}

/** Tests of pools under several locks: of two singletons of a kind, and of Uniswap V4's manager and another singleton. */
export function testNestedLocks(made: () => Made, another: (world: World) => Promise<Made>): void {
  it("of two singletons are traded under the lock of each, one inside the other's", async () => {
    const [first, second] = [made(), await another(made().world)];
    const { usd, dai, gem } = first.world;
    const route = exactOut(second.world, usd, gem, AMOUNT, [
      [first.daiGem, dai, gem],
      [second.usdDai, usd, dai],
    ]);
    const { sold, bought } = await run(second.world, route);
    expect({ sold, bought }).toEqual({ sold: route.sellAmount, bought: AMOUNT });
  });

  it("and pools of Uniswap V4 are traded inside each other's locks, which stay open", async () => {
    const own = made();
    const both = await withV4(own.world);
    const { usd, dai, gem } = own.world;
    for (const [outer, middle, inner] of [
      [own, both, own],
      [both, own, both],
    ] as const) {
      const line = exactOut(both.world, usd, gem, AMOUNT, [
        [outer.daiGem, dai, gem, 50],
        [middle.daiGem, dai, gem],
        [inner.usdDai, usd, dai],
      ]);
      const { sold, bought } = await run(both.world, line);
      expect({ sold, bought }).toEqual({ sold: line.sellAmount, bought: AMOUNT });
      expect(await leftBehind(both.world)).toBe(0n);
      await own.world.restore();
    }
  });
}
