import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { compiled } from "../../../../fixtures/settlement/node.ts";
import { exactIn } from "../../../../fixtures/settlement/routes.ts";
import { leftApproved, run, termsFor } from "../../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../../fixtures/settlement/venues.ts";
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../../../src/domain/address.ts";
import type { ExactInRoute } from "../../../../src/domain/route.ts";
import { createRevertReader } from "../../../../src/settlement/revert-reason.ts";
import { kuru } from "../../../../src/venues/kuru/source.ts";
import { startWorld } from "../../../support/worlds/settlement-world.ts";
import { tradeBesideDust, tradeEachToTheWei, tradeToTheWei, tradeWithFee } from "../../chain/to-the-wei.ts";
import { withKuruMarkets } from "./kuru-markets.ts";

const reverts = createRevertReader([
  kuru({ protocol: "kuru", source: "Kuru", fromBlock: 0n, router: ZERO_ADDRESS, marginAccount: ZERO_ADDRESS }),
]);

let world: World;
let usdDai: Address;
let nativeUsd: Address;
let account: Address;
beforeAll(async () => {
  ({ world, usdDai, nativeUsd, account } = await withKuruMarkets(await startWorld()));
}, 120_000);
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

/** Routes over the markets: alone in both directions, native token too, over several levels, behind another pool and before one. */
function routes(amount: bigint): readonly ExactInRoute[] {
  const { usd, dai, gem, venues } = world;
  return [
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
    exactIn(world, gem, usd, amount, [
      [venues.daiGem, gem, dai],
      [usdDai, dai, usd],
    ]),
    exactIn(world, usd, gem, amount, [
      [venues.usdDaiV3, usd, dai, 30],
      [usdDai, usd, dai],
      [venues.daiGem, dai, gem],
    ]),
  ];
}

it("markets pay to the wei both ways, native token too, alone and among others", async () => {
  for (const amount of [10n ** 14n + 1n, UNIT, 1_234n * UNIT + 567n]) await tradeEachToTheWei(world, routes(amount));
});

it("what lies in the executor is not counted, and no approval is left", async () => {
  await tradeBesideDust(world, routes(100n * UNIT + 7n));
  await tradeToTheWei(world, routes(100n * UNIT + 7n)[0]!);
  expect(await leftApproved(world, [world.usd, world.dai], [usdDai, nativeUsd, account])).toBe(0n);
});

it("a fee for the integrator is taken off what a market brings", async () => {
  await tradeWithFee(world, routes(100n * UNIT + 7n)[1]!);
});

it("a market brings native token to the executor where another venue takes it on", async () => {
  const { usd, weth } = world;
  const route = exactIn(world, usd, weth, 10n * UNIT, [
    [nativeUsd, usd, NATIVE_TOKEN],
    [weth, NATIVE_TOKEN, weth],
  ]);
  await tradeToTheWei(world, route);
});

it("what is less than a part that the market counts goes to the margin account", async () => {
  const { usd, dai } = world;
  for (const [sold, bought, dust] of [
    [usd, dai, 10n ** 8n - 1n],
    [dai, usd, 10n ** 10n - 1n],
  ] as const) {
    const amount = 50n * UNIT;
    const before = await world.balance(sold, account);
    const even = await tradeToTheWei(world, exactIn(world, sold, bought, amount, [[usdDai, sold, bought]]));
    expect((await world.balance(sold, account)) - before).toBe(amount);
    await world.restore();
    const odd = await tradeToTheWei(world, exactIn(world, sold, bought, amount + dust, [[usdDai, sold, bought]]));
    expect(odd.bought).toBe(even.bought);
    expect((await world.balance(sold, account)) - before).toBe(amount + dust);
    await world.restore();
  }
});

it("a market that is paused, or has less than was seen, makes no swap, and says so", async () => {
  const { usd, dai, node, owner, taker, settlement } = world;
  const { abi } = compiled("DevnetKuruMarket");
  const reasonOf = (amount: bigint) => {
    const route = exactIn(world, usd, dai, amount, [[usdDai, usd, dai]]);
    const { to, data, value } = settlement.encode(route, termsFor(route), world.actionOf);
    return async () => reverts.reason(await node.revertOf({ from: taker, to, data, value }));
  };
  const [small, large] = [reasonOf(UNIT), reasonOf(3_000n * UNIT)];
  await node.write(owner, usdDai, abi, "updateVaultOrdSz", 0n, 0n, 0n, 0n, true);
  for (let level = 1n; level <= 6n; level++)
    await node.write(owner, usdDai, abi, "removeLevel", 10n ** 8n - level * 10n ** 5n, true);
  expect(await large()).toMatch(/^InsufficientLiquidity\(\)$/);
  await node.write(owner, usdDai, abi, "toggleMarket", 1);
  expect(await small()).toMatch(/^MarketStateError\(\)$/);
});

it("an amount that no market can count is refused", async () => {
  const { usd, dai, node, taker, settlement, actionOf } = world;
  const route = exactIn(world, usd, dai, UNIT, [[usdDai, usd, dai]]);
  const finer: World["actionOf"] = (fill) => {
    const action = actionOf(fill);
    return action.action === "kuru-market" ? { ...action, digits: [40, 8] } : action;
  };
  const { to, data, value } = settlement.encode(route, termsFor(route), finer);
  expect(reverts.reason(await node.revertOf({ from: taker, to, data, value }))).toMatch(/^PartialFill\(/);
});

it("a use takes no more gas than the model says, beside what another pool takes", async () => {
  const { usd, dai, venues } = world;
  const gasOf = async (route: ExactInRoute) => {
    const { gasUsed } = await run(world, route);
    await world.restore();
    return { used: Number(gasUsed), model: Number(route.fills[0]!.gas) };
  };
  const other = await gasOf(exactIn(world, usd, dai, 100n * UNIT, [[venues.usdDaiV3, usd, dai]]));
  for (const amount of [100n, 900n, 2_000n]) {
    const { used, model } = await gasOf(exactIn(world, usd, dai, amount * UNIT, [[usdDai, usd, dai]]));
    expect(used - other.used + other.model, `${amount}`).toBeLessThan(model);
  }
});
