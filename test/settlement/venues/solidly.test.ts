import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { exactIn, exactOut } from "../../../fixtures/settlement/routes.ts";
import { leftBehind, run, termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../src/domain/address.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { tradeToTheWei, tradeWithFee } from "../chain/to-the-wei.ts";
import { withSolidly } from "../pools/solidly.ts";

let world: World;
let stable: Address;
let volatile: Address;
let factory: Address;
beforeAll(async () => {
  ({ world, stable, volatile, factory } = await withSolidly(await startWorld()));
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

describe("pools of Solidly's kind", () => {
  it("pay to the wei, one after the other, the second paid straight by the first", async () => {
    const { usd, dai, gem } = world;
    for (const amount of [12_345n, UNIT, 1_234n * UNIT + 567n, 40_000n * UNIT]) {
      const route = exactIn(world, usd, gem, amount, [
        [stable, usd, dai],
        [volatile, dai, gem],
      ]);
      await tradeToTheWei(world, route);
      await world.restore();
    }
  });

  it("take part in splits with pairs and concentrated pools, with a fee", async () => {
    const { usd, dai, gem, venues } = world;
    const route = exactIn(world, usd, gem, 10_000n * UNIT, [
      [venues.usdDaiV3, usd, dai, 30],
      [stable, usd, dai],
      [volatile, dai, gem, 40],
      [venues.daiGem, dai, gem],
    ]);
    await tradeWithFee(world, route);
    expect(await leftBehind(world)).toBe(0n);
  });

  it("give an exact output where they are volatile, for the least that they take", async () => {
    const { usd, dai, gem, venues } = world;
    for (const amount of [1n, 999n, 1_000n * UNIT + 1n]) {
      const route = exactOut(world, usd, gem, amount, [
        [volatile, dai, gem],
        [venues.usdDaiV3, usd, dai],
      ]);
      await tradeToTheWei(world, route, { maxSellAmount: route.sellAmount * 2n });
      await world.restore();
    }
  });

  it("revert when they are paused or pay less than the minimum", async () => {
    const { node, owner, taker, usd, dai, settlement } = world;
    const route = exactIn(world, usd, dai, UNIT, [[stable, usd, dai]]);
    const transaction = settlement.encode(route, termsFor(route), world.actionOf);
    const abi = compiled("DevnetSolidlyFactory").abi;
    await node.write(owner, factory, abi, "setCustomFee", stable, 6n);
    expect(revertReason(await node.revertOf({ from: taker, ...transaction }))).toMatch(/^InsufficientOutput\(/);
    await node.write(owner, factory, abi, "setCustomFee", stable, 0n);
    await node.write(owner, factory, abi, "setPauseState", true);
    expect(revertReason(await node.revertOf({ from: taker, ...transaction }))).toContain("paused");
  });

  it("use gas within 10 % of the model", async () => {
    const { usd, dai, gem } = world;
    for (const build of [
      () => exactIn(world, usd, dai, 30_000n * UNIT, [[stable, usd, dai]]),
      () => exactIn(world, dai, gem, 10n * UNIT, [[volatile, dai, gem]]),
      () => exactOut(world, dai, gem, 10n * UNIT, [[volatile, dai, gem]]),
    ]) {
      const route = build();
      await world.node.rpc("evm_increaseTime", 12);
      const { gasUsed, terms } = await run(world, route);
      const error = Math.abs(Number(world.settlement.gas(route, terms)) / Number(gasUsed) - 1);
      expect(error).toBeLessThan(0.1);
      await world.restore();
    }
  });
});
