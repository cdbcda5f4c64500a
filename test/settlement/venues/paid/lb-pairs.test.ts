import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compiled } from "../../../../fixtures/settlement/node.ts";
import { exactIn, exactOut } from "../../../../fixtures/settlement/routes.ts";
import { leftBehind, run, termsFor } from "../../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../../src/domain/address.ts";
import { type Fill, SHARE_ONE } from "../../../../src/domain/route.ts";
import { mathOf, type Pool } from "../../../../src/pools/pool.ts";
import { isRejection } from "../../../../src/pools/pool-math.ts";
import { revertReason } from "../../../support/worlds/revert-reason.ts";
import { startWorld } from "../../../support/worlds/settlement-world.ts";
import { tradeToTheWei, tradeWithFee } from "../../chain/to-the-wei.ts";
import { withLiquidityBook } from "../../pools/liquidity-book.ts";

let world: World;
let first: Address;
let second: Address;
let factory: Address;
beforeAll(async () => {
  ({ world, first, second, factory } = await withLiquidityBook(await startWorld()));
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

const pairAbi = compiled("DevnetBinPair").abi;

/** Output of a pair for an amount. */
function paidFor(pair: Address, sell: number, amount: bigint): bigint {
  const pool = world.states.get(pair) as Pool;
  const quote = mathOf(pool).quoteExactIn(pool.state, { sell, buy: 1 - sell }, amount, 0n);
  if (isRejection(quote)) throw new Error(quote.rejected);
  return quote.amount;
}

describe("pairs of bins", () => {
  it("pay to the wei both ways, over one bin and over many, and one after the other", async () => {
    const { usd, dai, gem } = world;
    for (const amount of [12_345n, UNIT, 150n * UNIT + 567n, 900n * UNIT]) {
      await tradeToTheWei(world, exactIn(world, usd, dai, amount, [[first, usd, dai]]));
      await world.restore();
      await tradeToTheWei(world, exactIn(world, dai, usd, amount, [[first, dai, usd]]));
      await world.restore();
      const route = exactIn(world, usd, gem, amount, [
        [first, usd, dai],
        [second, dai, gem],
      ]);
      await tradeToTheWei(world, route);
      await world.restore();
    }
  });

  it("take part in splits with pairs and concentrated pools, with a fee", async () => {
    const { usd, dai, gem, venues } = world;
    const route = exactIn(world, usd, gem, 500n * UNIT, [
      [venues.usdDaiV3, usd, dai, 30],
      [first, usd, dai],
      [second, dai, gem, 40],
      [venues.daiGem, dai, gem],
    ]);
    await tradeWithFee(world, route);
    expect(await leftBehind(world)).toBe(0n);
  });

  it("give an exact output for what they say themselves; what that brings beyond it is the taker's", async () => {
    const { usd, dai, gem } = world;
    let surplus = 0n;
    for (const [pair, sold, bought, buyAmount] of [
      [first, usd, dai, 1n],
      [first, usd, dai, 777n * UNIT + 1n],
      [first, dai, usd, 999n],
      [first, dai, usd, 250n * UNIT + 3n],
      [second, gem, dai, 1n],
      [second, gem, dai, 300n * UNIT + 1n],
    ] as const) {
      const sell = sold === dai ? 1 : 0;
      const [sellAmount] = await world.node.read<[bigint]>(pair, pairAbi, "getSwapIn", buyAmount, sell === 0);
      const ends = { sellToken: sold, buyToken: bought, sellAmount, buyAmount };
      const fill: Fill = { poolId: pair, source: "Test", ...ends, gas: 0n, share: SHARE_ONE };
      const route = { kind: "exactOut", ...ends, fills: [fill] } as const;
      const moved = await run(world, route, { maxSellAmount: route.sellAmount * 2n });
      expect(moved).toMatchObject({ sold: route.sellAmount, bought: paidFor(pair, sell, route.sellAmount) });
      expect(moved.bought - buyAmount).toBeLessThanOrEqual(4n);
      surplus += moved.bought - buyAmount;
      expect(await leftBehind(world)).toBe(0n);
      await world.restore();
    }
    expect(surplus).toBeGreaterThanOrEqual(3n);
  });

  it("give an exact output before and behind others", async () => {
    const { usd, dai, gem, venues } = world;
    for (const uses of [
      [
        [second, dai, gem],
        [venues.usdDaiV3, usd, dai],
      ],
      [
        [venues.daiGem, dai, gem],
        [first, usd, dai],
      ],
      [
        [second, dai, gem],
        [first, usd, dai],
      ],
    ] as const) {
      const route = exactOut(world, usd, gem, 100n * UNIT + 1n, uses);
      const { sold, bought } = await run(world, route, { maxSellAmount: route.sellAmount * 2n });
      expect(sold).toBe(route.sellAmount);
      expect(bought - route.buyAmount).toBeLessThanOrEqual(2n);
      expect(await leftBehind(world)).toBe(0n);
      await world.restore();
    }
  });

  it("revert when they have less than is asked for, and when their fee has risen", async () => {
    const { node, owner, taker, usd, dai, settlement } = world;
    const most = exactOut(world, usd, dai, 2_000n * UNIT, [[first, usd, dai]]);
    const beyond = { ...most, buyAmount: 3_000n * UNIT };
    const more = { ...beyond, fills: beyond.fills.map((fill) => ({ ...fill, buyAmount: 3_000n * UNIT })) };
    const terms = termsFor(more, { maxSellAmount: 10_000n * UNIT });
    const asked = settlement.encode(more, terms, world.actionOf);
    expect(revertReason(await node.revertOf({ from: taker, ...asked }))).toMatch(/^InsufficientLiquidity\(/);

    const huge = 2n ** 128n + 1n;
    const cut = { ...most, buyAmount: huge, fills: most.fills.map((fill) => ({ ...fill, buyAmount: huge })) };
    const all = settlement.encode(cut, termsFor(cut, { maxSellAmount: 10_000n * UNIT }), world.actionOf);
    expect(revertReason(await node.revertOf({ from: taker, ...all }))).toMatch(/^InsufficientLiquidity\(/);

    const route = exactIn(world, usd, dai, UNIT, [[first, usd, dai]]);
    const transaction = settlement.encode(route, termsFor(route), world.actionOf);
    const costly = [11_000, 30, 600, 5_000, 0, 1_000, 350_000];
    await node.write(owner, factory, compiled("DevnetBinFactory").abi, "setFeesParametersOnPair", first, costly);
    expect(revertReason(await node.revertOf({ from: taker, ...transaction }))).toMatch(/^InsufficientOutput\(/);
  });

  it("use gas within 10 % of the model", async () => {
    const { usd, dai } = world;
    for (const build of [
      () => exactIn(world, usd, dai, 30n * UNIT, [[first, usd, dai]]),
      () => exactIn(world, usd, dai, 950n * UNIT, [[first, usd, dai]]),
      () => exactOut(world, usd, dai, 30n * UNIT, [[first, usd, dai]]),
      () => exactOut(world, dai, usd, 950n * UNIT, [[first, dai, usd]]),
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
