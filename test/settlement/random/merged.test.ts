import { encodeFunctionData } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { exactIn, exactOut, type PoolUse } from "../../../fixtures/settlement/routes.ts";
import { termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import type { Route } from "../../../src/domain/route.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { testRoutes } from "../chain/modelled-routes.ts";
import { tradeToTheWei } from "../chain/to-the-wei.ts";
import { tradeOnce } from "../chain/trade-once.ts";
import { withV4 } from "../pools/v4.ts";

const token = compiled("PlainToken");
const AMOUNT = 100n * UNIT;

let world: World;
let v4: Awaited<ReturnType<typeof withV4>>;
let daiWethV3: Address;
beforeAll(async () => {
  v4 = await withV4(await startWorld());
  const { dai, weth } = v4.world;
  daiWethV3 = await v4.world.newPool(dai, weth, 200n * UNIT);
  await tradeOnce(v4.world, daiWethV3, [dai, weth], v4.world.actionOf);
  const states = new Map(v4.world.states).set(daiWethV3, await v4.world.poolAt(daiWethV3));
  world = { ...v4.world, states };
  await world.keep();
}, 120_000);
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

/** Two that take of a token, which one makes for both or several do. */
const routes: Record<string, () => Route> = {
  "pairs alone": () =>
    exactOut(world, world.weth, world.dai, UNIT, [
      [world.venues.usdDai, world.usd, world.dai, 55],
      [world.venues.usdDaiPancake, world.usd, world.dai],
      [world.venues.usdWeth, world.weth, world.usd],
    ]),
  "V3 pools alone": () =>
    exactOut(world, world.usd, world.gem, UNIT, [
      [world.venues.daiGemV3, world.dai, world.gem, 70],
      [world.venues.wethGemV3, world.weth, world.gem],
      [daiWethV3, world.dai, world.weth],
      [world.venues.usdDaiV3, world.usd, world.dai],
    ]),
  "a pair and a V3 pool, from both": () =>
    exactOut(world, world.usd, world.gem, AMOUNT, [
      [world.venues.daiGem, world.dai, world.gem, 45],
      [world.venues.daiGemV3, world.dai, world.gem],
      [world.venues.usdDaiV3, world.usd, world.dai, 70],
      [world.venues.usdDai, world.usd, world.dai],
    ]),
  "V4 and V3, from V4": () =>
    exactOut(world, world.usd, world.gem, AMOUNT, [
      [v4.daiGem, world.dai, world.gem, 45],
      [world.venues.daiGemV3, world.dai, world.gem],
      [v4.usdDai, world.usd, world.dai],
    ]),
  "V3, V4 and a pair, from all of them": () =>
    exactOut(world, world.usd, world.gem, AMOUNT, [
      [world.venues.daiGemV3, world.dai, world.gem, 30],
      [v4.daiGem, world.dai, world.gem, 50],
      [world.venues.daiGem, world.dai, world.gem],
      [world.venues.usdDaiV3, world.usd, world.dai, 40],
      [world.venues.usdDai, world.usd, world.dai, 50],
      [v4.usdDai, world.usd, world.dai],
    ]),
  "a pair and a V3 pool, from V4 in native token, wrapped once": () =>
    exactOut(world, world.usd, world.gem, UNIT / 10n, [
      [world.venues.wethGemV3, world.weth, world.gem, 60],
      [world.venues.daiGemV3, world.dai, world.gem],
      [daiWethV3, world.weth, world.dai],
      [world.weth, NATIVE_TOKEN, world.weth],
      [v4.nativeUsd, world.usd, NATIVE_TOKEN],
    ]),
};

describe("what several take is made once", () => {
  testRoutes(
    () => world,
    routes,
    () => 0.2,
  );

  it("by 128 pairs between 17 tokens", async () => {
    const { node, taker, settlement, give, usd } = world;
    const tokens: Address[] = [usd];
    while (tokens.length < 17) {
      const next = await node.deploy(token);
      await give(next, taker, 10n * UNIT);
      await node.write(taker, next, token.abi, "approve", settlement.allowanceTarget, UNIT);
      tokens.push(next);
    }
    const states = new Map<Address, Pool>(world.states);
    const uses: PoolUse[] = [];
    for (let to = 16; to > 0; to--) {
      // Usd makes the first eight only, so that there are as many as a route may have.
      for (let from = to > 8 ? 1 : 0; from < to; from++) {
        const pair = await world.newPair(tokens[from]!, tokens[to]!);
        states.set(pair, await world.poolAt(pair));
        uses.push([pair, tokens[from]!, tokens[to]!, from === to - 1 ? 100 : 20]);
      }
    }
    expect(uses).toHaveLength(128);
    const route = exactOut({ ...world, states }, usd, tokens[16]!, UNIT, uses);
    await tradeToTheWei(world, route);
  });

  it("and leaves nothing behind that a later swap in the same transaction would find", async () => {
    const { node, owner, other, taker, usd, dai, gem, weth, venues, settlement, give, balance } = world;
    const keeper = await node.deploy(compiled("Keeper"));
    const two = await node.deploy(compiled("OneTransaction"));
    await give(usd, keeper, 1_000n * UNIT);
    await node.write(owner, keeper, compiled("Keeper").abi, "approve", usd, settlement.allowanceTarget);
    const first = exactOut(world, usd, gem, UNIT, [
      [venues.daiGem, dai, gem],
      [venues.usdDai, usd, dai],
    ]);
    const second = exactOut(world, NATIVE_TOKEN, usd, UNIT, [
      [venues.usdWeth, weth, usd, 35],
      [venues.usdWethV3, weth, usd],
      [weth, NATIVE_TOKEN, weth],
    ]);
    const encoded = [first, second].map(
      (route) => settlement.encode(route, termsFor(route, { recipient: taker }), world.actionOf).data,
    );
    const data = encodeFunctionData({
      abi: compiled("OneTransaction").abi,
      functionName: "run",
      args: [keeper, settlement.allowanceTarget, ...encoded],
    });
    const before = await balance(usd, taker);
    await node.send({ from: other, to: two, data, value: second.sellAmount });
    expect((await balance(usd, taker)) - before).toBe(UNIT);
  });

  it("costs as much as the same flow does exact-in", async () => {
    const { usd, dai, gem, venues } = world;
    const bought = exactOut(world, usd, gem, AMOUNT, [
      [venues.daiGem, dai, gem, 45],
      [venues.daiGemV3, dai, gem],
      [venues.usdDaiV3, usd, dai],
    ]);
    const sold = exactIn(world, usd, gem, bought.sellAmount, [
      [venues.usdDaiV3, usd, dai],
      [venues.daiGemV3, dai, gem, 50],
      [venues.daiGem, dai, gem],
    ]);
    const used = [];
    for (const route of [sold, bought]) {
      await world.node.rpc("evm_increaseTime", 12);
      used.push(Number((await tradeToTheWei(world, route)).gasUsed));
      await world.restore();
    }
    expect(used[1]! / used[0]!).toBeLessThan(1.03);
  });
});
