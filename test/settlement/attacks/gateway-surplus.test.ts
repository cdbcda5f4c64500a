import { encodeAbiParameters } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { type Orders, withOrders } from "../../../fixtures/settlement/orders.ts";
import { exactIn, exactOut } from "../../../fixtures/settlement/routes.ts";
import { leftBehind, run } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { Route } from "../../../src/domain/route.ts";
import type { SwapTerms } from "../../../src/quoting/ports.ts";
import type { GatewayOrder } from "../../../src/settlement/permits.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";

const AMOUNT = 100n * UNIT;
const PPM = 1_000_000n;

let world: World;
let orders: Orders;
/** Recipients of the surplus share and of a fee. */
let sharer: Address;
let feeTaker: Address;
beforeAll(async () => {
  world = await startWorld();
  orders = await withOrders(world);
  [sharer, feeTaker] = world.node.accounts.slice(5, 7) as [Address, Address];
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

const oneHop = () => exactIn(world, world.usd, world.dai, AMOUNT, [[world.venues.usdDai, world.usd, world.dai]]);
const purchase = () => exactOut(world, world.usd, world.dai, UNIT, [[world.venues.usdDai, world.usd, world.dai]]);
const toNative = () =>
  exactIn(world, world.usd, NATIVE_TOKEN, UNIT, [
    [world.venues.usdWeth, world.usd, world.weth],
    [world.weth, world.weth, NATIVE_TOKEN],
  ]);

/** Somebody sells `amount` of what the route buys into its first pair, so that the route brings more than it says. */
async function movePrice(route: Route, amount: bigint): Promise<void> {
  const bought = route.fills[0]!.buyToken;
  const pair = route.fills[0]!.poolId as Address;
  await world.give(bought, pair, amount);
  await world.node.write(world.owner, pair, [SYNC], "sync");
}
const SYNC = { type: "function", name: "sync", inputs: [], outputs: [], stateMutability: "nonpayable" } as const;

/** Current output of the route by plain terms; the run is rolled back. */
async function grossOf(route: Route): Promise<bigint> {
  const state = await world.node.rpc<string>("evm_snapshot");
  const { bought } = await run(world, route);
  await world.node.rpc("evm_revert", state);
  return bought;
}

function sharing(route: Route, ratePpm: bigint, changes: Partial<SwapTerms> = {}): Partial<SwapTerms> {
  const surplus = { quotedBuyAmount: route.buyAmount, ratePpm, recipient: sharer };
  return { minBuyAmount: (route.buyAmount * 99n) / 100n, surplus, ...changes };
}

describe("a share of surplus", () => {
  it("is taken of what a better price brings, and of nothing else", async () => {
    for (const [route, token] of [[oneHop(), world.dai] as const, [toNative(), NATIVE_TOKEN] as const]) {
      for (const ratePpm of [1n, 100_000n, 500_000n]) {
        const before = await world.balance(token, sharer);
        expect((await run(world, route, sharing(route, ratePpm))).bought).toBe(route.buyAmount);
        expect((await world.balance(token, sharer)) - before).toBe(0n);
        await world.restore();

        await movePrice(route, 50n * UNIT);
        const gross = await grossOf(route);
        expect(gross).toBeGreaterThan(route.buyAmount);
        const share = ((gross - route.buyAmount) * ratePpm) / PPM;
        expect((await run(world, route, sharing(route, ratePpm))).bought).toBe(gross - share);
        expect((await world.balance(token, sharer)) - before).toBe(share);
        expect(await leftBehind(world)).toBe(0n);
        await world.restore();
      }
    }
  });

  it("counts from what fees leave, whichever token they are taken of", async () => {
    const ratePpm = 10_000n;
    for (const fromSold of [false, true]) {
      const fee = { ratePpm, recipient: feeTaker, fromSold };
      const sold = fromSold ? AMOUNT - (AMOUNT * ratePpm) / PPM : AMOUNT;
      const route = exactIn(world, world.usd, world.dai, sold, [[world.venues.usdDai, world.usd, world.dai]]);
      const feeOf = (gross: bigint) => (fromSold ? 0n : (gross * ratePpm) / PPM);
      await movePrice(route, 50n * UNIT);
      const gross = await grossOf(route);
      const quotedBuyAmount = route.buyAmount - feeOf(route.buyAmount);
      const surplus = { quotedBuyAmount, ratePpm: 500_000n, recipient: sharer };
      const share = (gross - feeOf(gross) - quotedBuyAmount) / 2n;
      const terms = { fee, surplus, maxSellAmount: AMOUNT, minBuyAmount: 1n };
      const { bought, sold: left } = await run(world, route, terms);
      expect([bought, left]).toEqual([gross - feeOf(gross) - share, AMOUNT]);
      expect(await world.balance(world.dai, sharer)).toBe(share);
      const feeToken = fromSold ? world.usd : world.dai;
      expect(await world.balance(feeToken, feeTaker)).toBe(fromSold ? AMOUNT - sold : feeOf(gross));
      await world.restore();
    }
  });

  it("is none of what an exact output leaves unsold", async () => {
    const route = purchase();
    await movePrice(route, 50n * UNIT);
    const terms = sharing(route, 500_000n, { maxSellAmount: 2n * route.sellAmount });
    const { bought, sold } = await run(world, route, terms);
    expect(bought).toBe(UNIT);
    expect(sold).toBeLessThan(route.sellAmount);
    expect(await world.balance(world.usd, sharer)).toBe(0n);
    expect(await world.balance(world.dai, sharer)).toBe(0n);
  });

  it("leaves a price that got worse to the minimum", async () => {
    const route = oneHop();
    const terms = sharing(route, 500_000n, { minBuyAmount: 1n });
    const other = exactIn(world, world.usd, world.dai, UNIT, [[world.venues.usdDai, world.usd, world.dai]]);
    await run(world, other);
    const { bought } = await run(world, route, terms);
    expect(bought).toBeLessThan(route.buyAmount);
    expect(await world.balance(world.dai, sharer)).toBe(0n);
  });

  it("is refused above half, from below the minimum, and without or to a useless recipient", async () => {
    const route = oneHop();
    const quotedBuyAmount = route.buyAmount;
    const sound = { quotedBuyAmount, surplusPpm: 1n, surplusRecipient: sharer };
    const gateway = orders.at.gateway;
    for (const change of [
      { surplusPpm: 500_001n },
      { surplusPpm: 0n },
      { surplusPpm: 0n, surplusRecipient: ZERO_ADDRESS },
      { surplusPpm: 0n, quotedBuyAmount: 0n },
      { quotedBuyAmount: quotedBuyAmount - 1n },
      { surplusRecipient: ZERO_ADDRESS },
      { surplusRecipient: gateway },
      { surplusRecipient: orders.executor },
    ]) {
      const { quotedBuyAmount: quoted, surplusPpm, surplusRecipient } = { ...sound, ...change };
      const reason = `invalidsurplusshare(${quoted}, ${surplusPpm}, ${surplusRecipient})`;
      expect(await refusal(route, { ...sound, ...change })).toBe(reason);
    }
  });

  it("is not paid before a hostile executor has brought what was quoted", async () => {
    const evil = await world.node.deploy(compiled("EvilExecutor"));
    await world.give(world.dai, evil, AMOUNT);
    const route = oneHop();
    const terms = { executor: evil, minBuyAmount: UNIT, quotedBuyAmount: 2n * UNIT };
    const order = orders.orderFor(route, { ...terms, surplusPpm: 500_000n, surplusRecipient: sharer });
    const plan = (give: bigint) => encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [0n, give]);
    const callOf = (give: bigint) => ({
      ...{ from: world.taker, to: orders.at.gateway, data: orders.dataOf(order, plan(give)) },
    });
    expect(revertReason(await world.node.revertOf(callOf(UNIT - 1n)))).toContain("InsufficientOutput");
    for (const [give, share] of [
      [UNIT, 0n],
      [2n * UNIT, 0n],
      [2n * UNIT + 1n, 0n],
      [4n * UNIT, UNIT],
    ] as const) {
      const [own, theirs] = [await world.balance(world.dai, world.taker), await world.balance(world.dai, sharer)];
      await world.node.send(callOf(give));
      expect((await world.balance(world.dai, world.taker)) - own).toBe(give - share);
      expect((await world.balance(world.dai, sharer)) - theirs).toBe(share);
    }
  });
});

async function refusal(route: Route, changes: Partial<GatewayOrder>): Promise<string> {
  const data = orders.dataOf(orders.orderFor(route, changes), orders.payloadOf(route));
  return revertReason(await world.node.revertOf({ from: world.taker, to: orders.at.gateway, data })).toLowerCase();
}
