import { toFunctionSelector } from "viem";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { compiled } from "../../../../fixtures/settlement/node.ts";
import { exactIn, exactInOver, exactOut, exactOutOver } from "../../../../fixtures/settlement/routes.ts";
import { run, termsFor } from "../../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../../src/domain/address.ts";
import type { Route } from "../../../../src/domain/route.ts";
import { revertReason } from "../../../support/worlds/revert-reason.ts";
import { startWorld } from "../../../support/worlds/settlement-world.ts";
import { tradeBesideDust, tradeEachToTheWei } from "../../chain/to-the-wei.ts";
import { withEulerPools } from "../../pools/paid/euler-pools.ts";

/** Gas of the vaults, the connector and the account's check, which the devnet's pool has none of: an estimate. */
const VAULTS = 370_000;
const AMOUNT = 100n * UNIT + 7n;

let world: World;
let [first, second]: Address[] = [];
beforeAll(async () => {
  ({ world, first, second } = await withEulerPools(await startWorld()));
}, 120_000);
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

/** Routes over each pool, both ways and of both kinds: alone, behind another pool and before one, and both pools in parallel. */
function routes(): readonly Route[] {
  const { usd, dai } = world;
  const each = [first!, second!].flatMap((pool) => [
    ...exactInOver(world, pool, AMOUNT),
    ...exactOutOver(world, pool, AMOUNT),
  ]);
  const both = exactIn(world, usd, dai, AMOUNT, [
    [first!, usd, dai, 30],
    [second!, usd, dai],
  ]);
  return [...each, both];
}

it("pools trade to the wei, alone and among others, exact outputs too", () => tradeEachToTheWei(world, routes()));

it("what lies in the executor is not counted as paid", () => tradeBesideDust(world, routes()));

it("an exact output that costs nothing is paid a base unit", async () => {
  const { node, owner, usd, dai } = world;
  // The next trade gets what somebody has left in a pool.
  for (const token of [usd, dai]) await world.give(token, first!, UNIT);
  await node.write(owner, first!, compiled("DevnetEulerPool").abi, "swap", 0n, 0n, owner, "0x");
  for (const [sell, buy] of [
    [usd, dai],
    [dai, usd],
  ] as const) {
    const route = exactOut(world, sell, buy, 1n, [[first!, sell, buy]]);
    const free = { ...route, sellAmount: 1n, fills: route.fills.map((fill) => ({ ...fill, sellAmount: 1n })) };
    const { sold, bought } = await run(world, free);
    expect({ sold, bought }).toEqual({ sold: 1n, bought: 1n });
  }
});

/** Gas of a transaction that sells 100 to one pool. */
async function gasOver(pool: Address, sell: Address, buy: Address) {
  const route = exactIn(world, sell, buy, AMOUNT, [[pool, sell, buy]]);
  const { to, data } = world.settlement.encode(route, termsFor(route), world.actionOf);
  const used = Number(await world.node.rpc<string>("eth_estimateGas", { from: world.taker, to, data }));
  return { used, model: Number(route.fills[0]!.gas) };
}

it("gas of a use is what the model says, beside what another pool takes", async () => {
  const { usd, dai, venues } = world;
  const other = await gasOver(venues.usdDaiV3, usd, dai);
  for (const pool of [first!, second!]) {
    const { used, model } = await gasOver(pool, usd, dai);
    const measured = used - other.used + other.model + VAULTS;
    expect(Math.abs(model / measured - 1), `${model} for ${measured}`).toBeLessThan(0.15);
  }
});

it("a pool that is no operator any more, or whose vaults have less, makes no swap and says why", async () => {
  const { node, owner, usd, dai, taker } = world;
  const { abi } = compiled("DevnetEulerPool");
  const refusalOf = async (route: Route) => {
    const { to, data, value } = world.settlement.encode(route, termsFor(route), world.actionOf);
    return revertReason(await node.revertOf({ from: taker, to, data, value }));
  };
  const both = [exactIn, exactOut].map((route) => route(world, usd, dai, AMOUNT, [[second!, usd, dai]]));
  await node.write(owner, second!, abi, "setVaults", [UNIT, UNIT], [UNIT, UNIT]);
  for (const route of both) expect(await refusalOf(route)).toContain(toFunctionSelector("SwapLimitExceeded()"));
  await node.write(owner, second!, abi, "setStatus", 1, false);
  for (const route of both) expect(await refusalOf(route)).toContain(toFunctionSelector("OperatorNotInstalled()"));
});
