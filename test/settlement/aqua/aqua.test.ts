import { encodeFunctionData, erc20Abi } from "viem";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { exactIn, exactInOver, exactOutOver } from "../../../fixtures/settlement/routes.ts";
import { termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { Route } from "../../../src/domain/route.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { tradeBesideDust, tradeEachToTheWei } from "../chain/to-the-wei.ts";
import { withAqua } from "./strategies.ts";

let world: World;
let [aqua, maker]: Address[] = [];
let strategies: readonly Address[];
beforeAll(async () => {
  ({ world, aqua, maker, strategies } = await withAqua(await startWorld()));
}, 120_000);
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

/** Routes over each strategy, of both kinds. */
function routes(): readonly Route[] {
  const amount = 100n * UNIT + 7n;
  return strategies.flatMap((pool) => [...exactInOver(world, pool, amount), ...exactOutOver(world, pool, amount)]);
}

it("strategies pay to the wei out of their maker's wallet, alone and among others", () =>
  tradeEachToTheWei(world, routes()));

it("what lies in the executor is not counted as paid", () => tradeBesideDust(world, routes()));

it("a maker who lets Aqua draw no more makes no swap, and the reason says so", async () => {
  const { usd, dai, node, taker } = world;
  const route = exactIn(world, usd, dai, UNIT, [[strategies[0]!, usd, dai]]);
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [aqua!, 0n] });
  await node.send({ from: maker!, to: dai, data });
  const transaction = world.settlement.encode(route, termsFor(route), world.actionOf);
  expect(revertReason(await node.revertOf({ from: taker, ...transaction }))).toMatch(/allowance/i);
});

/** Gas of a transaction that sells 100 to one pool. */
async function gasOver(pool: Address): Promise<{ readonly used: number; readonly model: number }> {
  const { usd, dai, node, taker, settlement } = world;
  const route = exactIn(world, usd, dai, 100n * UNIT, [[pool, usd, dai]]);
  const { to, data } = settlement.encode(route, termsFor(route), world.actionOf);
  const used = Number(await node.rpc<string>("eth_estimateGas", { from: taker, to, data }));
  return { used, model: Number(route.fills[0]!.gas) };
}

it("gas of a use is what the model says, beside what another pool takes", async () => {
  const other = await gasOver(world.venues.usdDaiV3);
  for (const pool of strategies) {
    const { used, model } = await gasOver(pool);
    const measured = used - other.used + other.model;
    expect(Math.abs(model / measured - 1), `${model} for ${measured}`).toBeLessThan(0.15);
  }
});
