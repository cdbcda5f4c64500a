import { encodeFunctionData, erc20Abi } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compiled } from "../../fixtures/settlement/node.ts";
import { exactIn, exactOut } from "../../fixtures/settlement/routes.ts";
import { leftApproved, leftBehind, run, termsFor } from "../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../fixtures/settlement/venues.ts";
import type { Address, Hex } from "../../src/domain/address.ts";
import { RFQ_FUNCTIONS, type RfqFunction } from "../../src/domain/maker-order.ts";
import type { Route } from "../../src/domain/route.ts";
import { RFQ_ORDER_GAS } from "../../src/pools/levels/gas.ts";
import { revertReason } from "../support/worlds/revert-reason.ts";
import { startWorld } from "../support/worlds/settlement-world.ts";
import { RFQ_MAKER, type RfqMakers, withRfqMakers } from "./pools/rfq-makers.ts";

const double = compiled("ZeroExDouble").abi;
const RATE = { takerAmount: 1_000n * UNIT + 7n, makerAmount: 997n * UNIT + 3n };

let makers: RfqMakers;
let world: World;
beforeAll(async () => {
  makers = await withRfqMakers(await startWorld());
  world = makers.world;
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

/** One order of a kind, alone in its world. */
async function oneOrder(by: RfqFunction, takerToken: Address, makerToken: Address, changes = {}) {
  const order = await makers.orderOf(by, { takerToken, makerToken, ...RATE, ...changes });
  const at = makers.worldWith([order]);
  return { ...order, at: at.world, id: at.ids[0]! };
}

async function expectClean(): Promise<void> {
  expect(await leftBehind(world)).toBe(0n);
  const tokens = [world.usd, world.dai, world.gem];
  expect(await leftApproved(world, tokens, Object.values(makers.contracts))).toBe(0n);
}

async function reasonOf(route: Route, at: World, changes = {}): Promise<string> {
  const { to, data, value } = at.settlement.encode(route, termsFor(route, changes), at.actionOf);
  return revertReason(await at.node.revertOf({ from: world.taker, to, data, value }));
}

async function works(route: Route, at: World): Promise<boolean> {
  const { to, data, value } = at.settlement.encode(route, termsFor(route), at.actionOf);
  const call = at.node.rpc("eth_call", { from: world.taker, to, data, value: `0x${value.toString(16)}` }, "latest");
  return call.then(
    () => true,
    () => false,
  );
}

describe.each(RFQ_FUNCTIONS)("an order of %s", (by) => {
  it("is filled to the wei, in full and in part, with and without a fee", async () => {
    const { usd, gem, integrator } = world;
    for (const amount of [RATE.takerAmount, UNIT + 1n, 333_333_333n]) {
      for (const fee of [undefined, { ratePpm: 10_000n, recipient: integrator }]) {
        const { at, id } = await oneOrder(by, usd, gem);
        const route = exactIn(at, usd, gem, amount, [[id, usd, gem]]);
        const before = await world.balance(gem, RFQ_MAKER);
        const { sold, bought } = await run(at, route, fee === undefined ? {} : { fee });
        const gave = (amount * RATE.makerAmount) / RATE.takerAmount;
        expect(before - (await world.balance(gem, RFQ_MAKER))).toBe(gave);
        expect({ sold, bought }).toEqual({ sold: amount, bought: gave - (fee === undefined ? 0n : gave / 100n) });
        await expectClean();
        await world.restore();
      }
    }
  });

  it("makes an exact output, alone and behind a pool", async () => {
    const { usd, dai, gem, venues } = world;
    const wanted = 3n * UNIT + 5n;
    const alone = await oneOrder(by, usd, gem);
    const behind = await oneOrder(by, dai, gem);
    for (const [at, route] of [
      [alone.at, exactOut(alone.at, usd, gem, wanted, [[alone.id, usd, gem]])],
      [
        behind.at,
        exactOut(behind.at, usd, gem, wanted, [
          [behind.id, dai, gem],
          [venues.usdDai, usd, dai],
        ]),
      ],
    ] as const) {
      const { sold, bought } = await run(at, route, { maxSellAmount: 2n * route.sellAmount });
      expect({ sold, bought: bought - wanted }).toEqual({ sold: route.sellAmount, bought: expect.toSatisfy(isDust) });
      await expectClean();
      await world.restore();
    }
  });

  it("stands before, after and beside pools", async () => {
    const { usd, dai, gem, venues } = world;
    const amount = 800n * UNIT + 1n;
    const [first, second] = [await oneOrder(by, usd, dai), await oneOrder(by, dai, gem)];
    const routes: readonly (readonly [World, Route])[] = [
      [
        first.at,
        exactIn(first.at, usd, gem, amount, [
          [first.id, usd, dai],
          [venues.daiGem, dai, gem],
        ]),
      ],
      [
        second.at,
        exactIn(second.at, usd, gem, amount, [
          [venues.usdDaiV3, usd, dai],
          [second.id, dai, gem],
        ]),
      ],
      [
        first.at,
        exactIn(first.at, usd, dai, amount, [
          [first.id, usd, dai, 40],
          [venues.usdDai, usd, dai],
        ]),
      ],
    ];
    for (const [at, route] of routes) {
      const { sold, bought } = await run(at, route);
      expect({ sold, bought }).toEqual({ sold: route.sellAmount, bought: route.buyAmount });
      await expectClean();
      await world.restore();
    }
  });

  it("takes no more than it says: the rest stays with the seller, or goes back", async () => {
    const { usd, dai, gem, venues } = world;
    const [alone, behind] = [await oneOrder(by, usd, gem), await oneOrder(by, dai, gem)];
    const route = exactIn(alone.at, usd, gem, RATE.takerAmount, [[alone.id, usd, gem]]);
    const more = { ...route, sellAmount: route.sellAmount + 5n } as Route;
    const { sold, bought } = await run(alone.at, more, { maxSellAmount: more.sellAmount });
    expect({ sold, bought }).toEqual({ sold: RATE.takerAmount, bought: RATE.makerAmount });
    await expectClean();
    await world.restore();

    // The pool before it brings more than the order takes.
    const through = exactIn(behind.at, usd, gem, 700n * UNIT, [
      [venues.usdDai, usd, dai],
      [behind.id, dai, gem],
    ]);
    const larger = { ...through, sellAmount: 2_000n * UNIT } as Route;
    const before = await world.balance(dai, world.taker);
    const swapped = await run(behind.at, larger, { maxSellAmount: larger.sellAmount, minBuyAmount: 1n });
    expect(swapped.bought).toBe(RATE.makerAmount);
    expect(await world.balance(dai, world.taker)).toBeGreaterThan(before);
    await expectClean();
  });

  it("that pays less than it says, or draws less, makes no swap", async () => {
    const { usd, gem, node, owner } = world;
    const { at, id, settlement } = await oneOrder(by, usd, gem);
    const route = exactIn(at, usd, gem, RATE.takerAmount, [[id, usd, gem]]);
    const lax = { minBuyAmount: 1n };
    await node.write(owner, settlement, double, "keepBack", 1n, 0n);
    expect(await reasonOf(route, at, lax)).toMatch(/^Underpaid\(.*, 997000000000000000003, 997000000000000000002\)$/i);
    await node.write(owner, settlement, double, "keepBack", 0n, 1n);
    expect(await reasonOf(route, at, lax)).toMatch(/^PartialFill/);
    await node.write(owner, settlement, double, "keepBack", 0n, 0n);
    expect(await works(route, at)).toBe(true);
  });

  it("cannot trade a second time, draw again or let others in while it settles", async () => {
    const { usd, gem, node, owner, taker, settlement: ours } = world;
    const { at, id, settlement } = await oneOrder(by, usd, gem);
    const route = exactIn(at, usd, gem, RATE.takerAmount, [[id, usd, gem]]);
    const [gateway, executor] = ours.contracts as readonly [Address, Address];
    const again = at.settlement.encode(route, termsFor(route), at.actionOf);
    const doors: readonly (readonly [Address, Hex])[] = [
      [again.to, again.data],
      [gateway, encodeFunctionData({ abi: compiled("Gateway").abi, functionName: "pull", args: [settlement, 1n] })],
      [usd, encodeFunctionData({ abi: erc20Abi, functionName: "transferFrom", args: [executor, settlement, 1n] })],
      [usd, encodeFunctionData({ abi: erc20Abi, functionName: "transferFrom", args: [taker, settlement, 1n] })],
    ];
    for (const [callee, data] of doors) {
      await node.write(owner, settlement, double, "callDuringTrade", callee, data);
      const { sold, bought } = await run(at, route, {}, 3_000_000n);
      expect({ sold, bought }).toEqual({ sold: RATE.takerAmount, bought: RATE.makerAmount });
      expect(await node.read<boolean>(settlement, double, "succeeded")).toBe(false);
      await expectClean();
      await world.restore();
    }
  });

  it("is refused with another amount, when it is expired, and when anything that was signed is changed", async () => {
    const { usd, gem } = world;
    const expired = await oneOrder(by, usd, gem, { expiry: 1_000n });
    const route = exactIn(expired.at, usd, gem, UNIT, [[expired.id, usd, gem]]);
    expect(await reasonOf(route, expired.at)).toContain("expired");
    const good = await oneOrder(by, usd, gem);
    const words = (good.call.arguments.length - 2) / 64;
    const fill = { "0x-rfq": 14, "0x-otc": 12, "bebop-single": 12, "hashflow-rfqt": 7 }[by];
    const unsigned: number[] = [];
    for (let word = 0; word < words; word += 1) {
      const end = 2 + 64 * (word + 1);
      const digit = (Number.parseInt(good.call.arguments[end - 1]!, 16) ^ 1).toString(16);
      const changed = `${good.call.arguments.slice(0, end - 1)}${digit}${good.call.arguments.slice(end)}` as Hex;
      const at = makers.worldWith([{ ...good, call: { ...good.call, arguments: changed } }]);
      const wrong = exactIn(at.world, usd, gem, RATE.takerAmount, [[at.ids[0]!, usd, gem]]);
      // The amount is the executor's to write; of what is left, flags of a signature and padding are not signed.
      if (await works(wrong, at.world)) unsigned.push(word);
    }
    expect(unsigned).toContain(fill);
    expect(unsigned.length, String(unsigned)).toBeLessThanOrEqual(4);
  });

  it("uses the gas that routes are compared by", async () => {
    const { usd, gem } = world;
    const { at, id } = await oneOrder(by, usd, gem);
    await world.give(usd, RFQ_MAKER, 1n);
    await world.give(gem, world.taker, 1n);
    const { gasUsed } = await run(at, exactIn(at, usd, gem, RATE.takerAmount, [[id, usd, gem]]), {}, 1_000_000n);
    process.stdout.write(`${by}: ${gasUsed}\n`);
    expect(Number(gasUsed)).toBeLessThan(Number(RFQ_ORDER_GAS) + 60_000);
  });
});

/** Surplus of an exact output, whose cost is rounded up. */
const isDust = (amount: bigint) => amount >= 0n && amount <= 1n;

it("no function but those four is called, and none at a token or at a contract of ours", async () => {
  const { usd, gem, settlement, dai } = world;
  const good = await oneOrder("bebop-single", usd, gem);
  const route = exactIn(good.at, usd, gem, RATE.takerAmount, [[good.id, usd, gem]]);
  for (const target of [usd, gem, dai, ...settlement.contracts]) {
    const at = makers.worldWith([{ ...good, settlement: target }]);
    const there = exactIn(at.world, usd, gem, RATE.takerAmount, [[at.ids[0]!, usd, gem]]);
    expect(await reasonOf(there, at.world, { minBuyAmount: 1n }), target).not.toBe("");
  }
  // The fill's detail: the function's number, two bytes of entries, then the contract.
  const { to, data, value } = good.at.settlement.encode(route, termsFor(route), good.at.actionOf);
  const at = data.indexOf(good.settlement.slice(2)) - 6;
  for (const number of ["04", "ff"]) {
    const wrong = `${data.slice(0, at)}${number}${data.slice(at + 2)}` as Hex;
    expect(revertReason(await world.node.revertOf({ from: world.taker, to, data: wrong, value }))).toBe(
      "InvalidPayload()",
    );
  }
});
