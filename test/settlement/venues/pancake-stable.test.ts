import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { exactIn } from "../../../fixtures/settlement/routes.ts";
import { leftApproved, run, termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { ORACLE_GAS } from "../../../src/pools/stableswap/gas.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { tradeToTheWei } from "../chain/to-the-wei.ts";
import { withPancakeStable } from "../pools/pancake-stable.ts";

let world: World;
let usdDai: Address;
let nativeUsd: Address;
beforeAll(async () => {
  ({ world, usdDai, nativeUsd } = await withPancakeStable(await startWorld()));
}, 120_000);
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

it("pools of PancakeSwap's StableSwap and Lista pay to the wei both ways, native token too, and keep no approval", async () => {
  const { usd, dai, weth, venues } = world;
  for (const amount of [10n ** 14n + 1n, 1_234n * UNIT + 567n]) {
    for (const route of [
      exactIn(world, usd, dai, amount, [[usdDai, usd, dai]]),
      exactIn(world, NATIVE_TOKEN, usd, amount, [[nativeUsd, NATIVE_TOKEN, usd]]),
      exactIn(world, usd, NATIVE_TOKEN, amount, [[nativeUsd, usd, NATIVE_TOKEN]]),
      exactIn(world, NATIVE_TOKEN, dai, amount, [
        [nativeUsd, NATIVE_TOKEN, usd],
        [usdDai, usd, dai],
      ]),
      exactIn(world, dai, weth, amount, [
        [usdDai, dai, usd, 40],
        [venues.usdDaiV3, dai, usd],
        [nativeUsd, usd, NATIVE_TOKEN],
        [weth, NATIVE_TOKEN, weth],
      ]),
    ]) {
      await tradeToTheWei(world, route);
      expect(await leftApproved(world, [usd, dai], [usdDai, nativeUsd])).toBe(0n);
      await world.restore();
    }
  }
});

it("a pool refuses what leaves its price too far from the oracle, and its reason is told", async () => {
  const { node, owner, taker, usd, dai, settlement } = world;
  const { abi } = compiled("DevnetPancakeStableswap");
  const route = exactIn(world, usd, dai, UNIT, [[usdDai, usd, dai]]);
  const transaction = settlement.encode(route, termsFor(route), world.actionOf);
  await node.write(owner, usdDai, abi, "set_prices", [UNIT, (UNIT * 11n) / 10n], [UNIT / 100n, UNIT / 100n], false);
  expect(revertReason(await node.revertOf({ from: taker, ...transaction }))).toContain("too far from the oracle");
});

it("gas is within 12 % of the model, the oracle's apart", async () => {
  const { usd, dai } = world;
  for (const route of [
    exactIn(world, usd, dai, 1_000n * UNIT, [[usdDai, usd, dai]]),
    exactIn(world, dai, usd, 70n * UNIT, [[usdDai, dai, usd]]),
  ]) {
    const { gasUsed, terms } = await run(world, route);
    const model = world.settlement.gas(route, terms) - ORACLE_GAS;
    expect(Math.abs(Number(model) / Number(gasUsed) - 1), `model ${model}, used ${gasUsed}`).toBeLessThan(0.12);
    await world.restore();
  }
});
