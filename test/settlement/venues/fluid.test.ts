import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { exactIn, exactOut } from "../../../fixtures/settlement/routes.ts";
import { leftApproved, leftBehind, run, termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { tradeToTheWei } from "../chain/to-the-wei.ts";
import { withFluid } from "../pools/fluid.ts";

/** The devnet's contracts take more than Fluid's own, which the model is of. */
const GAS = 2_000_000n;

let world: World;
let usdDai: Address;
let nativeUsd: Address;
beforeAll(async () => {
  ({ world, usdDai, nativeUsd } = await withFluid(await startWorld()));
}, 120_000);
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

async function expectNoApproval(): Promise<void> {
  expect(await leftApproved(world, [world.usd, world.dai], [usdDai, nativeUsd])).toBe(0n);
}

describe("pools of Fluid", () => {
  it("pay to the wei both ways, native token too, alone and among others", async () => {
    const { usd, dai, gem, venues } = world;
    for (const amount of [10n ** 14n + 1n, UNIT, 1_234n * UNIT + 567n]) {
      for (const route of [
        exactIn(world, usd, dai, amount, [[usdDai, usd, dai]]),
        exactIn(world, dai, usd, amount, [[usdDai, dai, usd]]),
        exactIn(world, NATIVE_TOKEN, usd, amount, [[nativeUsd, NATIVE_TOKEN, usd]]),
        exactIn(world, usd, NATIVE_TOKEN, amount, [[nativeUsd, usd, NATIVE_TOKEN]]),
        exactIn(world, NATIVE_TOKEN, dai, amount, [
          [nativeUsd, NATIVE_TOKEN, usd],
          [usdDai, usd, dai],
        ]),
        exactIn(world, dai, NATIVE_TOKEN, amount, [
          [usdDai, dai, usd],
          [nativeUsd, usd, NATIVE_TOKEN],
        ]),
      ]) {
        await tradeToTheWei(world, route);
        await expectNoApproval();
        await world.restore();
      }
    }
    const split = exactIn(world, usd, gem, 500n * UNIT, [
      [venues.usdDaiV3, usd, dai, 30],
      [usdDai, usd, dai],
      [venues.daiGem, dai, gem],
    ]);
    await tradeToTheWei(world, split);
  });

  it("bring native token to the executor where another venue takes it on", async () => {
    const { usd, weth } = world;
    const route = exactIn(world, usd, weth, 10n * UNIT, [
      [nativeUsd, usd, NATIVE_TOKEN],
      [weth, NATIVE_TOKEN, weth],
    ]);
    await tradeToTheWei(world, route);
  });

  it("give an exact output, and what the last unit of twelve decimals brings beyond it is the taker's", async () => {
    const { usd, dai } = world;
    for (const [pool, sold, bought, amount] of [
      [usdDai, usd, dai, 777n * UNIT],
      [usdDai, dai, usd, 777n * UNIT + 1n],
      [nativeUsd, NATIVE_TOKEN, usd, 3n * UNIT + 999_999n],
      [nativeUsd, usd, NATIVE_TOKEN, 3n * UNIT],
      [nativeUsd, usd, NATIVE_TOKEN, 3n * UNIT + 5n],
    ] as const) {
      const route = exactOut(world, sold, bought, amount, [[pool, sold, bought]]);
      const moved = await run(world, route, { maxSellAmount: route.sellAmount * 2n }, GAS);
      expect(moved.sold).toBe(route.sellAmount);
      expect(moved.bought).toBe(((amount + 999_999n) / 1_000_000n) * 1_000_000n);
      expect(await leftBehind(world)).toBe(0n);
      await expectNoApproval();
      await world.restore();
    }
  });

  it("give an exact output before and behind others", async () => {
    const { usd, dai, gem, venues } = world;
    const route = exactOut(world, usd, gem, 100n * UNIT + 1n, [
      [venues.daiGem, dai, gem],
      [usdDai, usd, dai],
    ]);
    const { sold, bought } = await run(world, route, { maxSellAmount: route.sellAmount * 2n }, GAS);
    expect({ sold, bought: bought >= route.buyAmount }).toEqual({ sold: route.sellAmount, bought: true });
    expect(await leftBehind(world)).toBe(0n);
  });

  it("make no swap beyond what they have, and say so", async () => {
    const { node, taker, usd, dai, settlement } = world;
    const route = exactOut(world, usd, dai, UNIT, [[usdDai, usd, dai]]);
    const buyAmount = 10n ** 26n;
    const beyond = { ...route, buyAmount, fills: route.fills.map((fill) => ({ ...fill, buyAmount })) };
    const asked = settlement.encode(beyond, termsFor(beyond, { maxSellAmount: 2n * UNIT }), world.actionOf);
    expect(revertReason(await node.revertOf({ from: taker, ...asked }))).toMatch(/^unknown error 0x2fee3e0e0*c766$/);
  });
});
