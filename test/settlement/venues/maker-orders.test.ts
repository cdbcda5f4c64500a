import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { exactIn, exactOut } from "../../../fixtures/settlement/routes.ts";
import { leftApproved, leftBehind, run, termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import type { Address, Hex } from "../../../src/domain/address.ts";
import type { MakerOrder } from "../../../src/domain/maker-order.ts";
import { type ExactInRoute, type Route, SHARE_ONE } from "../../../src/domain/route.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { type Makers, withMakers } from "../pools/makers.ts";

const token = compiled("PlainToken").abi;

let makers: Makers;
let world: World;
beforeAll(async () => {
  makers = await withMakers(await startWorld());
  world = makers.world;
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

/** The maker's gains and losses while `done` ran. */
async function traded(order: MakerOrder, done: () => Promise<unknown>) {
  const holdings = async () => ({
    got: await world.balance(order.takerToken, order.maker),
    has: await world.balance(order.makerToken, order.maker),
  });
  const before = await holdings();
  await done();
  const after = await holdings();
  return { got: after.got - before.got, gave: before.has - after.has };
}

async function expectClean(): Promise<void> {
  expect(await leftBehind(world)).toBe(0n);
  expect(await leftApproved(world, [world.usd, world.dai, world.gem], world.settlement.contracts)).toBe(0n);
}

async function reasonOf(route: Route, at: World, changes = {}, from: Address = world.taker): Promise<string> {
  const transaction = at.settlement.encode(route, termsFor(route, changes), at.actionOf);
  return revertReason(await at.node.revertOf({ from, ...transaction }));
}

describe("a maker's order", () => {
  it("is filled to the wei, in full and in part, with and without a fee", async () => {
    const { usd, gem, integrator } = world;
    const rates = { makerAmount: 997n * UNIT + 3n, takerAmount: 1_000n * UNIT + 7n };
    for (const amount of [rates.takerAmount, 1n * UNIT + 1n, 333_333_333n]) {
      for (const fee of [undefined, { ratePpm: 10_000n, recipient: integrator }]) {
        const order = makers.orderOf(usd, gem, rates);
        const at = makers.worldWith([{ order, signature: await makers.sign(order) }]);
        const route = exactIn(at.world, usd, gem, amount, [[at.ids[0]!, usd, gem]]);
        const moved = await traded(order, async () => {
          const { sold, bought } = await run(at.world, route, fee === undefined ? {} : { fee });
          expect(sold).toBe(amount);
          expect(bought).toBe(route.buyAmount - (fee === undefined ? 0n : route.buyAmount / 100n));
        });
        expect(moved).toEqual({ got: amount, gave: (amount * rates.makerAmount) / rates.takerAmount });
        await expectClean();
        await world.restore();
      }
    }
  });

  it("makes an exact output, and the maker loses nothing by rounding", async () => {
    const { usd, gem } = world;
    const order = makers.orderOf(usd, gem, { makerAmount: 7n * UNIT, takerAmount: 1_000n * UNIT + 1n });
    const at = makers.worldWith([{ order, signature: await makers.sign(order) }]);
    const wanted = 3n * UNIT + 5n;
    const route = exactOut(at.world, usd, gem, wanted, [[at.ids[0]!, usd, gem]]);
    const moved = await traded(order, async () => {
      const { sold, bought } = await run(at.world, route, { maxSellAmount: 2n * route.sellAmount });
      expect({ sold, bought }).toEqual({ sold: route.sellAmount, bought: wanted });
    });
    expect(moved.gave).toBe(wanted);
    expect(moved.got * order.makerAmount).toBeGreaterThanOrEqual(moved.gave * order.takerAmount);
    await expectClean();
  });

  it("stands before, after and beside pools, and between other makers' orders", async () => {
    const { usd, dai, gem, weth, venues } = world;
    const first = makers.orderOf(usd, dai, { makerAmount: 1_001n * UNIT });
    const second = makers.orderOf(dai, gem, {
      maker: makers.otherMaker,
      takerAmount: 5_000n * UNIT,
      makerAmount: 5_003n * UNIT,
    });
    const at = makers.worldWith([
      { order: first, signature: await makers.sign(first) },
      { order: second, signature: await makers.sign(second, makers.otherKey) },
    ]);
    const [a, b] = at.ids as [Address, Address];
    const amount = 800n * UNIT + 1n;
    const N = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee" as Address;
    const routes: readonly Route[] = [
      exactIn(at.world, usd, gem, amount, [
        [a, usd, dai],
        [b, dai, gem],
      ]),
      exactIn(at.world, usd, gem, amount, [
        [a, usd, dai],
        [venues.daiGem, dai, gem],
      ]),
      exactIn(at.world, usd, gem, amount, [
        [venues.usdDaiV3, usd, dai],
        [b, dai, gem],
      ]),
      exactIn(at.world, usd, gem, amount, [
        [a, usd, dai, 40],
        [venues.usdDai, usd, dai, 30],
        [venues.usdDaiV3, usd, dai],
        [venues.daiGemV3, dai, gem, 50],
        [b, dai, gem],
      ]),
      exactIn(at.world, N, gem, UNIT, [
        [weth, N, weth],
        [venues.usdWeth, weth, usd],
        [a, usd, dai],
        [b, dai, gem],
      ]),
      exactOut(at.world, usd, gem, amount, [
        [b, dai, gem],
        [a, usd, dai],
      ]),
      exactOut(at.world, usd, gem, amount, [
        [b, dai, gem, 60],
        [venues.daiGemV3, dai, gem],
        [a, usd, dai, 50],
        [venues.usdDaiV3, usd, dai, 60],
        [venues.usdDai, usd, dai],
      ]),
      exactOut(at.world, usd, gem, amount, [
        [venues.daiGemV3, dai, gem],
        [a, usd, dai],
      ]),
    ];
    for (const route of routes) {
      const { sold, bought } = await run(at.world, route);
      expect({ sold, bought }).toEqual({ sold: route.sellAmount, bought: route.buyAmount });
      await expectClean();
      await world.restore();
    }
  });

  it("takes no more than it is for: the fills after it take the rest", async () => {
    const { usd, dai, gem, venues } = world;
    const order = makers.orderOf(dai, gem, { takerAmount: 300n * UNIT, makerAmount: 290n * UNIT });
    const at = makers.worldWith([{ order, signature: await makers.sign(order) }]);
    const amount = 1_000n * UNIT;
    // As planned the order takes less than all of its 300; then more arrives.
    const planned = exactIn(at.world, usd, gem, amount, [
      [venues.usdDaiV3, usd, dai],
      [at.ids[0]!, dai, gem, 20],
      [venues.daiGemV3, dai, gem],
    ]) as ExactInRoute;
    const greedy: ExactInRoute = {
      ...planned,
      fills: planned.fills.map((fill) =>
        fill.poolId === at.ids[0] ? { ...fill, share: (SHARE_ONE * 90n) / 100n } : fill,
      ),
    };
    const before = await world.balance(dai, world.taker);
    const moved = await traded(order, () => run(at.world, greedy, { minBuyAmount: 1n }));
    expect(moved).toEqual({ got: order.takerAmount, gave: order.makerAmount });
    expect(await world.balance(dai, world.taker)).toBe(before);
    await expectClean();
  });

  it("takes no more than it is for: where nobody takes the rest, it is the taker's", async () => {
    const { usd, dai, gem, venues, taker } = world;
    const order = makers.orderOf(dai, gem, { takerAmount: 300n * UNIT, makerAmount: 290n * UNIT });
    const at = makers.worldWith([{ order, signature: await makers.sign(order) }]);
    const few = exactIn(at.world, usd, gem, 200n * UNIT, [
      [venues.usdDaiV3, usd, dai],
      [at.ids[0]!, dai, gem],
    ]) as ExactInRoute;
    const amount = 400n * UNIT;
    const more: ExactInRoute = { ...few, sellAmount: amount };
    const arrived = exactIn(world, usd, dai, amount, [[venues.usdDaiV3, usd, dai]]).buyAmount;
    const before = await world.balance(dai, taker);
    const moved = await traded(order, () => run(at.world, more, { minBuyAmount: 290n * UNIT }));
    expect(moved).toEqual({ got: order.takerAmount, gave: order.makerAmount });
    expect((await world.balance(dai, taker)) - before).toBe(arrived - order.takerAmount);
    await expectClean();
    await world.restore();

    const direct = makers.orderOf(usd, gem, { takerAmount: 300n * UNIT, makerAmount: 290n * UNIT });
    const with1 = makers.worldWith([{ order: direct, signature: await makers.sign(direct) }]);
    const small = exactIn(with1.world, usd, gem, UNIT, [[with1.ids[0]!, usd, gem]]) as ExactInRoute;
    const { sold, bought } = await run(with1.world, { ...small, sellAmount: amount }, { minBuyAmount: 1n });
    expect({ sold, bought }).toEqual({ sold: 300n * UNIT, bought: 290n * UNIT });
  });

  it("may be signed by whom the maker has registered, and by a contract's own rule", async () => {
    const { usd, gem } = world;
    const amount = 100n * UNIT;
    const swap = async (order: MakerOrder, signature: Hex) => {
      const at = makers.worldWith([{ order, signature }]);
      const route = exactIn(at.world, usd, gem, amount, [[at.ids[0]!, usd, gem]]);
      return { route, at };
    };
    const order = makers.orderOf(usd, gem);
    const byOther = await swap(order, await makers.sign(order, makers.otherKey));
    expect(await reasonOf(byOther.route, byOther.at.world)).toContain("InvalidSignature(");
    await makers.write(makers.maker, "setSigner", makers.otherMaker, true);
    expect((await run(byOther.at.world, byOther.route)).bought).toBe(amount);
    await makers.write(makers.maker, "setSigner", makers.otherMaker, false);
    const again = makers.orderOf(usd, gem);
    const gone = await swap(again, await makers.sign(again, makers.otherKey));
    expect(await reasonOf(gone.route, gone.at.world)).toContain("InvalidSignature(");

    const ofContract = makers.orderOf(usd, gem, { maker: makers.contractMaker });
    const judged = await swap(ofContract, await makers.signForContract(ofContract));
    expect((await run(judged.at.world, judged.route)).bought).toBe(amount);
    await expectClean();
  });

  it("is its trader's and nobody else's, whoever sees it first (the trader may be a contract)", async () => {
    const { usd, gem, other, give, node } = world;
    const order = makers.orderOf(usd, gem);
    const signature = await makers.sign(order);
    const at = makers.worldWith([{ order, signature }]);
    const route = exactIn(at.world, usd, gem, UNIT, [[at.ids[0]!, usd, gem]]);
    await give(usd, other, UNIT);
    await node.write(other, usd, token, "approve", world.settlement.allowanceTarget, UNIT);
    expect(await reasonOf(route, at.world, {}, other)).toContain("InvalidSignature(");

    const smart = makers.orderOf(usd, gem, { trader: makers.contractMaker, maker: makers.otherMaker });
    const forWallet = makers.worldWith([{ order: smart, signature: await makers.sign(smart, makers.otherKey) }]);
    const walletRoute = exactIn(forWallet.world, usd, gem, UNIT, [[forWallet.ids[0]!, usd, gem]]);
    const transaction = world.settlement.encode(walletRoute, termsFor(walletRoute), forWallet.world.actionOf);
    const wallet = compiled("MakerWallet").abi;
    const { contractMaker } = makers;
    await node.write(contractMaker, usd, token, "approve", world.settlement.allowanceTarget, UNIT);
    const before = await world.balance(gem, contractMaker);
    await node.write(world.taker, contractMaker, wallet, "run", transaction.to, transaction.data);
    expect((await world.balance(gem, contractMaker)) - before).toBe(walletRoute.buyAmount);
  });

  it("uses the gas that docs/gas.md says", async () => {
    const { usd, gem } = world;
    const gasOf = async (order: MakerOrder, signature: Hex) => {
      const at = makers.worldWith([{ order, signature }]);
      const route = exactIn(at.world, usd, gem, UNIT, [[at.ids[0]!, usd, gem]]);
      return Number((await run(at.world, route)).gasUsed);
    };
    // The first nonce of 256 writes to an empty slot.
    const used: Record<string, number> = {};
    for (const name of ["first of 256 nonces", "later nonce"]) {
      const order = makers.orderOf(usd, gem, { nonce: name === "later nonce" ? 2_561n : 2_560n });
      used[name] = await gasOf(order, await makers.sign(order));
    }
    const refillable = makers.orderOf(usd, gem, { refillable: true, nonce: 2_562n });
    const parts = await makers.sign(refillable);
    used["first part"] = await gasOf(refillable, parts);
    used["second part"] = await gasOf(refillable, parts);
    const ofContract = makers.orderOf(usd, gem, { maker: makers.contractMaker, nonce: 2_560n });
    used["a contract's, first of 256"] = await gasOf(ofContract, await makers.signForContract(ofContract));
    const bounds: Record<string, number> = {
      ...{ "first of 256 nonces": 127_500, "later nonce": 110_500, "first part": 133_000, "second part": 117_500 },
      "a contract's, first of 256": 134_500,
    };
    for (const [name, most] of Object.entries(bounds)) {
      expect(used[name], name).toBeLessThan(most);
      expect(used[name], name).toBeGreaterThan(most * 0.95);
    }
  });
});
