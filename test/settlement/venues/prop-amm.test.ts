import { erc20Abi } from "viem";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { exactInOver } from "../../../fixtures/settlement/routes.ts";
import { leftBehind, run, termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { ExactInRoute } from "../../../src/domain/route.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import type { AnyAction } from "../../../src/venues/index.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { MANNER } from "../../venues/worlds/prop-amm.ts";

const contract = compiled("DevnetPropAmm");
/** Best level: one for one, less 900 parts of a million. */
const LEVEL = 1_000n * UNIT;

const AMOUNT = 100n * UNIT;

let world: World;
let [sent, drawn]: Address[] = [];

beforeAll(async () => {
  const base = await startWorld();
  const { node, owner, usd, dai, give } = base;
  const deploy = async (draws: boolean) => {
    const venue = await node.deploy(contract, usd, dai, draws, UNIT, LEVEL, owner);
    for (const token of [usd, dai]) await give(token, venue, 10_000n * UNIT);
    await node.write(owner, venue, contract.abi, "sync");
    return venue;
  };
  [sent, drawn] = [await deploy(false), await deploy(true)];
  const levels = [{ takerAmount: LEVEL, makerAmount: (LEVEL * 999_100n) / 1_000_000n }];
  const states = new Map<Address, Pool>(base.states);
  for (const id of [sent, drawn]) {
    const tokens = usd < dai ? [usd, dai] : [dai, usd];
    const state = { bids: levels, asks: levels, swapGas: 100_000n };
    states.set(id, { id, source: "Test", tokens, curve: "sampled-ladder", state });
  }
  const actionOf: World["actionOf"] = (fill) => {
    const venue = [sent, drawn].find((each) => each === fill.poolId);
    return venue === undefined ? base.actionOf(fill) : { action: "prop-amm", venue, draws: venue === drawn };
  };
  await base.keep();
  world = { ...base, states, actionOf };
}, 120_000);
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

async function expectExact(route: ExactInRoute): Promise<void> {
  const { sold, bought } = await run(world, route);
  expect({ sold, bought }).toEqual({ sold: route.sellAmount, bought: route.buyAmount });
  expect(await leftBehind(world)).toBe(0n);
  const [, executor] = world.settlement.contracts as readonly [Address, Address];
  for (const token of [world.usd, world.dai])
    expect(await world.node.read<bigint>(token, erc20Abi, "allowance", executor, drawn)).toBe(0n);
  await world.restore();
}

it.each([
  ["is sent what it is sold", () => sent!],
  ["draws what it is sold", () => drawn!],
])("a contract that %s is traded to the wei, alone and among others", async (_, venue) => {
  for (const route of exactInOver(world, venue(), AMOUNT)) await expectExact(route);
});

it("what lies at a receiver or in the executor is not counted as paid", async () => {
  const { settlement, usd, dai, give } = world;
  const [, executor] = settlement.contracts as readonly [Address, Address];
  for (const venue of [sent!, drawn!]) {
    for (const route of exactInOver(world, venue, AMOUNT)) {
      for (const token of [usd, dai]) await give(token, executor, 7n);
      const { sold, bought } = await run(world, route);
      expect({ sold, bought }).toEqual({ sold: route.sellAmount, bought: route.buyAmount });
      for (const token of [usd, dai]) expect(await world.balance(token, executor)).toBe(7n);
      await world.restore();
    }
  }
});

async function refusal(route: ExactInRoute, action: World["actionOf"] = world.actionOf): Promise<string> {
  const { to, data, value } = world.settlement.encode(route, termsFor(route), action);
  return revertReason(await world.node.revertOf({ from: world.taker, to, data, value }));
}

it("a contract that pays less than it quoted makes no swap, and neither does one that refuses", async () => {
  const { node, owner } = world;
  for (const venue of [sent!, drawn!]) {
    const [route] = exactInOver(world, venue, AMOUNT);
    await node.write(owner, venue, contract.abi, "set", true, MANNER.paysLess);
    expect(await refusal(route!)).toBe("InsufficientOutput(99910000000000000000, 98910900000000000000)");
    await node.write(owner, venue, contract.abi, "set", false, MANNER.honest);
    expect(await refusal(route!)).not.toBe("");
  }
});

it("a payload that asks for another way of payment is refused", async () => {
  const [route] = exactInOver(world, drawn!, AMOUNT);
  const { to, data, value } = world.settlement.encode(route!, termsFor(route!), world.actionOf);
  const [is, other] = [`000001${drawn!.slice(2)}`, `000002${drawn!.slice(2)}`];
  const detailed = [is, `${drawn!.slice(2)}000001`].find((bytes) => data.includes(bytes));
  expect(detailed).toBeDefined();
  const wrong = data.replace(detailed!, detailed === is ? other : `${drawn!.slice(2)}000002`) as typeof data;
  expect(revertReason(await world.node.revertOf({ from: world.taker, to, data: wrong, value }))).toBe(
    "InvalidPayload()",
  );
});

it("a contract that is sent what it would draw, or the other way around, makes no swap", async () => {
  for (const [venue, draws] of [
    [sent!, true],
    [drawn!, false],
  ] as const) {
    const action = (): AnyAction => ({ action: "prop-amm", venue, draws });
    expect(await refusal(exactInOver(world, venue, AMOUNT)[0]!, action)).not.toBe("");
  }
});
