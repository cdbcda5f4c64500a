import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { compiled } from "../../../../fixtures/settlement/node.ts";
import { exactIn, exactOut } from "../../../../fixtures/settlement/routes.ts";
import { termsFor } from "../../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../../fixtures/settlement/venues.ts";
import { type Address, toAddress } from "../../../../src/domain/address.ts";
import type { Route } from "../../../../src/domain/route.ts";
import { settlementContracts } from "../../../../src/settlement/contracts.ts";
import { createRevertReader } from "../../../../src/settlement/revert-reason.ts";
import { maverick } from "../../../../src/venues/maverick/source.ts";
import { revertReason } from "../../../support/worlds/revert-reason.ts";
import { startWorld } from "../../../support/worlds/settlement-world.ts";
import { tradeBesideDust, tradeEachToTheWei } from "../../chain/to-the-wei.ts";
import { withMaverickPool } from "./maverick-pool.ts";

const reverts = createRevertReader([
  maverick({ protocol: "maverick", source: "Maverick_V2", fromBlock: 0n, factory: toAddress(`0x${"00".repeat(20)}`) }),
]);
const poolAbi = compiled("DevnetMaverickPool").abi;

let world: World;
let pool: Address;
let tokens: readonly [Address, Address];
beforeAll(async () => {
  ({ world, pool, tokens } = await withMaverickPool(await startWorld()));
}, 120_000);
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

/** Routes over the pool: alone in both directions and over several ticks, behind another pool and before one. */
function routes(): readonly Route[] {
  const { usd, dai, gem, venues } = world;
  const amount = 100n * UNIT + 7n;
  const [there, further, behind, before] = [
    [[pool, usd, dai]],
    [[pool, dai, usd]],
    [
      [venues.daiGem, gem, dai],
      [pool, dai, usd],
    ],
    [
      [pool, usd, dai],
      [venues.daiGem, dai, gem],
    ],
  ] as const;
  return [
    exactIn(world, usd, dai, amount, there),
    exactIn(world, dai, usd, 50_000n * UNIT + 1n, further),
    exactIn(world, gem, usd, amount, behind),
    exactIn(world, usd, gem, amount, before),
    exactOut(world, usd, dai, amount, there),
    exactOut(world, dai, usd, 50_000n * UNIT + 1n, further),
    exactOut(world, gem, usd, amount, behind.toReversed()),
    exactOut(world, usd, gem, amount, before.toReversed()),
  ];
}

it("a pool pays to the wei, alone and among others, exact-in and exact-out", () => tradeEachToTheWei(world, routes()));

it("what lies in the executor is not counted as paid", () => tradeBesideDust(world, routes()));

it("a swap that would go beyond the last tick is none, whether the input or the output is given", async () => {
  const { usd, dai, node, taker } = world;
  for (const route of [
    exactIn(world, usd, dai, 50_000n * UNIT, [[pool, usd, dai]]),
    exactOut(world, usd, dai, 50_000n * UNIT, [[pool, usd, dai]]),
  ]) {
    const near = { action: "maverick-pool", pool, tokenA: tokens[0], tickLimit: usd === tokens[0] ? 1 : -1 } as const;
    const { to, data, value } = world.settlement.encode(route, termsFor(route), () => near);
    expect(revertReason(await node.revertOf({ from: taker, to, data, value }))).toMatch(/^PartialFill\(/);
  }
});

it("a pool whose price has moved beyond the last tick makes no swap, and says so", async () => {
  const { usd, dai, node, owner, taker } = world;
  const asked = [exactIn, exactOut].map((make) => make(world, usd, dai, UNIT, [[pool, usd, dai]]));
  await node.write(owner, pool, poolAbi, "moveTo", usd === tokens[0] ? 4 : -4);
  for (const route of asked) {
    const { to, data, value } = world.settlement.encode(route, termsFor(route), world.actionOf);
    expect(reverts.reason(await node.revertOf({ from: taker, to, data, value }))).toMatch(
      /^PoolCurrentTickBeyondSwapLimit\(-?4\)$/,
    );
  }
});

it("the part tells anybody a cost, and keeps nothing of the swap that it undoes", async () => {
  const { node, taker, usd, dai, weth, balance } = world;
  const part = settlementContracts(weth).parts.find(({ name }) => name === "MaverickPools")!.address;
  const { abi } = compiled("MaverickPools");
  const before = await node.read(pool, poolAbi, "getState");
  const params = { amount: UNIT, tokenAIn: true, exactOutput: true, tickLimit: 3 };
  await node.write(taker, part, abi, "costAt", pool, params);
  expect(await node.read(pool, poolAbi, "getState")).toEqual(before);
  for (const token of [usd, dai]) expect(await balance(token, part)).toBe(0n);
});

it("gas of a use is what the model says, beside what another pool takes", async () => {
  const { usd, dai, venues } = world;
  const gasOf = async (route: Route) => {
    const { to, data } = world.settlement.encode(route, termsFor(route), world.actionOf);
    const used = Number(await world.node.rpc<string>("eth_estimateGas", { from: world.taker, to, data }));
    return { used, model: Number(route.fills[0]!.gas) };
  };
  for (const make of [exactIn, exactOut] as const) {
    const other = await gasOf(make(world, usd, dai, 100n * UNIT, [[venues.usdDaiV3, usd, dai]]));
    const { used, model } = await gasOf(make(world, usd, dai, 100n * UNIT, [[pool, usd, dai]]));
    const measured = used - other.used + other.model;
    expect(Math.abs(model / measured - 1), `${model} for ${measured}`).toBeLessThan(0.05);
  }
});
