import { encodeAbiParameters, encodeFunctionData, parseSignature } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { type Drawn, gatewayCall, type Orders, TAKER, withOrders } from "../../../fixtures/settlement/orders.ts";
import { exactIn, exactOut } from "../../../fixtures/settlement/routes.ts";
import { leftBehind } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { createPermitReader } from "../../../src/chain/simulation/permits.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, type Hex, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import type { BlockRef } from "../../../src/domain/block.ts";
import type { Route } from "../../../src/domain/route.ts";
import { PERMIT2 } from "../../../src/domain/terms/typed-data.ts";
import type { ChainReader } from "../../../src/market/chain-reader.ts";
import { type GatewayOrder, permit2TypedData } from "../../../src/settlement/permits.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";

const AMOUNT = 100n * UNIT;
const LOTS = 2n ** 256n - 1n;
const token = compiled("PermitToken");

let world: World;
let orders: Orders;
let gateway: Address;
/** A token with permits and a pair with usd; the taker has some and has approved nobody. */
let coin: Address;
let pair: Address;
beforeAll(async () => {
  world = await startWorld();
  orders = await withOrders(world);
  gateway = orders.at.gateway;
  coin = await world.node.deploy(token);
  pair = await world.newPair(coin, world.usd);
  await world.give(coin, world.taker, 10n * AMOUNT);
  await world.keep();
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

async function atCoin(): Promise<World> {
  return { ...world, states: new Map([...world.states, [pair, await world.poolAt(pair)]]) };
}
const coinRoute = async () => exactIn(await atCoin(), coin, world.usd, AMOUNT, [[pair, coin, world.usd]]);
const coinPurchase = async () => exactOut(await atCoin(), coin, world.usd, UNIT, [[pair, coin, world.usd]]);
const oneHop = () => exactIn(world, world.usd, world.dai, AMOUNT, [[world.venues.usdDai, world.usd, world.dai]]);
const evilPlan = (take: bigint, give: bigint) =>
  encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [take, give]);

const callOf = (order: GatewayOrder, payload: Hex, drawn: Drawn, from = world.taker) => ({
  ...{ from, to: gateway, data: orders.dataOf(order, payload, drawn) },
});
const refusal = async (call: ReturnType<typeof callOf>) => revertReason(await world.node.revertOf(call));

/** The taker's gains in the route's tokens by a call. */
async function run(route: Route, call: ReturnType<typeof callOf>, owner = world.taker) {
  const of = () => Promise.all([route.sellToken, route.buyToken].map((each) => world.balance(each, owner)));
  const before = await of();
  await world.node.send(call);
  const after = await of();
  expect(await leftBehind(world)).toBe(0n);
  expect(await world.balance(coin, gateway)).toBe(0n);
  return { sold: before[0]! - after[0]!, bought: after[1]! - before[1]! };
}

describe("a permit (EIP-2612)", () => {
  const permitCall = async (order: GatewayOrder, { permit }: Awaited<ReturnType<Orders["permit"]>>) => {
    const { r, s, yParity } = parseSignature(permit);
    const args = [world.taker, gateway, order.maxSellAmount, order.deadline, 27 + yParity, r, s];
    return { from: world.other, to: coin, data: encodeFunctionData({ abi: token.abi, functionName: "permit", args }) };
  };

  it("lets its caller swap without an approval before, and leaves none of exact inputs", async () => {
    const route = await coinRoute();
    const order = orders.orderFor(route);
    const call = callOf(order, orders.payloadOf(route), await orders.permit(order));
    expect(await run(route, call)).toEqual({ sold: AMOUNT, bought: route.buyAmount });
    expect(await world.node.read(coin, token.abi, "allowance", world.taker, gateway)).toBe(0n);
    expect(await refusal(call)).toContain("allowance too small");
  });

  it("that somebody else has brought before does not stop the swap", async () => {
    const route = await coinRoute();
    const order = orders.orderFor(route);
    const permit = await orders.permit(order);
    await world.node.send(await permitCall(order, permit));
    expect(await world.node.read(coin, token.abi, "nonces", world.taker)).toBe(1n);
    expect(await run(route, callOf(order, orders.payloadOf(route), permit))).toEqual({
      ...{ sold: AMOUNT, bought: route.buyAmount },
    });
  });

  it("proves nothing by being taken: without an allowance there is no swap, with one there is", async () => {
    const route = await coinRoute();
    const order = orders.orderFor(route);
    const call = callOf(order, orders.payloadOf(route), await orders.permit(order));
    const wrong = callOf(order, orders.payloadOf(route), await orders.permit(order, 7n));
    expect(await refusal(wrong)).toContain("allowance too small");
    await world.node.write(world.owner, coin, token.abi, "ignorePermits");
    expect(await refusal(call)).toContain("allowance too small");
    await world.node.write(world.taker, coin, token.abi, "approve", gateway, AMOUNT);
    expect((await run(route, wrong)).sold).toBe(AMOUNT);
  });

  it("is answered by the wrapped native token with a yes, which opens nobody's tokens (incidents 1, 25)", async () => {
    const { node, weth, usd, venues, other, taker } = world;
    const route = exactIn(world, weth, usd, UNIT, [[venues.usdWeth, weth, usd]]);
    const order = orders.orderFor(route, { recipient: other });
    const permit = await orders.permit(order);
    // The taker's approval of the gateway is without limit, and the attacker brings the taker's permit.
    const before = await world.balance(weth, taker);
    const reason = await node.revertOf(callOf(order, orders.payloadOf(route), permit, other));
    expect(reason).not.toBe("");
    expect(await world.balance(weth, taker)).toBe(before);
    await node.write(taker, weth, bundled("WETH9").abi, "approve", gateway, 0n);
    const own = orders.orderFor(route);
    await expect(node.send(callOf(own, orders.payloadOf(route), permit))).rejects.toThrow();
    await node.write(taker, weth, bundled("WETH9").abi, "approve", gateway, UNIT);
    expect((await run(route, callOf(own, orders.payloadOf(route), permit))).sold).toBe(UNIT);
  });

  it("of somebody else's is of no use to a caller", async () => {
    const route = await coinRoute();
    const order = orders.orderFor(route, { recipient: world.other });
    const permit = await orders.permit(order);
    const call = callOf(order, orders.payloadOf(route), permit, world.other);
    expect(await refusal(call)).toContain("allowance too small");
    // Not even after it was taken, and approves the gateway.
    await world.node.send(await permitCall(order, permit));
    expect(await refusal(call)).toContain("allowance too small");
  });

  it("is its caller's own, whoever sent the transaction", async () => {
    const { node, owner, taker } = world;
    const account = await node.deploy(compiled("NativeReceiver"));
    const { abi } = compiled("NativeReceiver");
    await world.give(coin, account, AMOUNT);
    const args = [gateway, AMOUNT];
    const approve = encodeFunctionData({ abi: token.abi, functionName: "approve", args });
    await node.write(owner, account, abi, "run", coin, approve);
    const route = await coinRoute();
    const order = orders.orderFor(route);
    const { data } = callOf(order, orders.payloadOf(route), await orders.permit(order));
    await node.write(taker, account, abi, "run", gateway, data);
    expect(await world.balance(world.usd, account)).toBe(route.buyAmount);
    expect(await node.read(coin, token.abi, "allowance", taker, gateway)).toBe(0n);
    expect(await node.read(coin, token.abi, "nonces", taker)).toBe(0n);
  });

  it("is of a token, and of what the order says", async () => {
    const { usd } = world;
    const route = await coinRoute();
    const order = orders.orderFor(route);
    const permit = await orders.permit(order);
    for (const other of [{ maxSellAmount: AMOUNT + 1n }, { deadline: order.deadline - 1n }]) {
      const call = callOf({ ...order, ...other }, orders.payloadOf(route), permit);
      expect(await refusal(call)).toContain("allowance too small");
    }
    const short = callOf(order, orders.payloadOf(route), { permit: `0x${"01".repeat(64)}` });
    expect(await refusal(short)).toMatch(/index out of bounds|without a reason/);
    const native = orders.orderFor(oneHop(), { sellToken: NATIVE_TOKEN, buyToken: usd });
    expect(await refusal(callOf(native, "0x0000", permit))).toBe(`WrongValue(${AMOUNT}, 0)`);
  });

  it("cannot start another swap, nor draw before the executor runs", async () => {
    const { node, owner } = world;
    const route = await coinRoute();
    const order = orders.orderFor(route);
    const evil = await node.deploy(compiled("EvilExecutor"));
    const draw = encodeFunctionData({
      abi: compiled("EvilExecutor").abi,
      functionName: "pullFrom",
      args: [gateway, 1n],
    });
    const inner = gatewayCall("swapByOrder", order, "0x00");
    for (const [callee, data, expected] of [
      [gateway, inner, "Reentered()"],
      [evil, draw, "SellAmountExceeded(0, 1)"],
    ] as const) {
      const saved = await node.rpc<string>("evm_snapshot");
      await node.write(owner, coin, token.abi, "callDuringTransfer", callee, data);
      // The token calls within `permit` first and once more within the transfer, so that the latter is left out.
      const terms = { ...order, executor: callee === evil ? evil : order.executor };
      const payload = callee === evil ? evilPlan(0n, 0n) : orders.payloadOf(route);
      if (callee === evil) {
        const recipientGets = orders.orderFor(route, { executor: evil, minBuyAmount: 1n });
        await world.give(world.usd, evil, UNIT);
        await node.send(callOf(recipientGets, evilPlan(0n, 1n), await orders.permit(recipientGets)));
      } else await node.send(callOf(terms, payload, await orders.permit(terms)));
      expect(revertReason(await node.read(coin, token.abi, "answer"))).toBe(expected);
      await node.rpc("evm_revert", saved);
    }
  });
});

describe("a permit of DAI's form", () => {
  const dai = compiled("DaiToken");
  let old: Address;
  let route: Route;
  beforeAll(async () => {
    old = await world.node.deploy(dai);
    const market = await world.newPair(old, world.usd);
    await world.give(old, world.taker, 10n * AMOUNT);
    await world.keep();
    const states = new Map([...world.states, [market, await world.poolAt(market)]]);
    route = exactIn({ ...world, states }, old, world.usd, AMOUNT, [[market, old, world.usd]]);
  });

  it("is told from EIP-2612's by the token's own type", async () => {
    const calls = (list: readonly { readonly to: Address; readonly data: Hex }[]) =>
      Promise.all(list.map((call) => world.node.rpc<Hex>("eth_call", call, "latest").catch(() => undefined)));
    const reader = createPermitReader({ calls } as unknown as ChainReader, 31_337);
    const at = {} as BlockRef;
    expect(await reader.domainOf(old, world.taker, at)).toEqual({
      ...{ form: "dai", name: "Dai Token", version: "1", nonce: 0n },
    });
    expect(await reader.domainOf(coin, world.taker, at)).toMatchObject({ form: "eip2612" });
    expect(await reader.domainOf(world.usd, world.taker, at)).toBeUndefined();
  });

  it("lets its caller swap, once, and leaves an allowance without end", async () => {
    const order = orders.orderFor(route);
    const call = callOf(order, orders.payloadOf(route), await orders.permit(order, 0n, "dai"));
    expect(await run(route, call)).toEqual({ sold: AMOUNT, bought: route.buyAmount });
    expect(await world.node.read(old, dai.abi, "allowance", world.taker, gateway)).toBe(2n ** 256n - 1n);
    await world.node.write(world.taker, old, dai.abi, "approve", gateway, 0n);
    expect(await refusal(call)).toContain("allowance too small");
  });

  it("opens nothing for another caller, by another nonce or until another second", async () => {
    const order = orders.orderFor(route);
    const payload = orders.payloadOf(route);
    const permit = await orders.permit(order, 0n, "dai");
    expect(await refusal(callOf(order, payload, permit, world.other))).toContain("allowance too small");
    const next = await orders.permit(order, 1n, "dai");
    expect(await refusal(callOf(order, payload, next))).toContain("allowance too small");
    expect(await refusal(callOf({ ...order, deadline: order.deadline - 1n }, payload, permit))).toContain(
      "allowance too small",
    );
    expect(await world.balance(old, world.taker)).toBe(10n * AMOUNT);
  });
});

describe("a transfer of Permit2's", () => {
  it("swaps for its signer, whoever brings it, once", async () => {
    const route = oneHop();
    const order = orders.orderFor(route);
    const payload = orders.payloadOf(route);
    // The gateway itself needs no approval.
    await world.node.write(world.taker, world.usd, token.abi, "approve", gateway, 0n);
    let nonce = 0n;
    for (const from of [world.taker, world.other]) {
      const call = callOf(order, payload, await orders.signed(order, payload, nonce++), from);
      expect(await run(route, call)).toEqual({ sold: AMOUNT, bought: route.buyAmount });
      expect(await refusal(call)).toBe("InvalidNonce()");
      await world.restore();
      await world.node.write(world.taker, world.usd, token.abi, "approve", gateway, 0n);
    }
  });

  it("is void by any other order, payload, nonce, owner, gateway or chain than was signed", async () => {
    const { dai, gem, other, integrator } = world;
    const route = oneHop();
    const fees = [{ recipient: integrator, ratePpm: 1_000n }];
    const surplus = { quotedBuyAmount: UNIT, surplusPpm: 1_000n, surplusRecipient: integrator };
    const order = orders.orderFor(route, { fees, recipient: world.taker, minBuyAmount: UNIT, ...surplus });
    const payload = orders.payloadOf(route);
    const drawn = await orders.signed(order, payload);
    if (!("signed" in drawn)) throw new Error("it is signed");
    const changes: Readonly<Record<keyof GatewayOrder, unknown>> = {
      executor: other,
      sellToken: gem,
      maxSellAmount: AMOUNT - 1n,
      buyToken: gem,
      minBuyAmount: UNIT - 1n,
      recipient: other,
      deadline: order.deadline + 1n,
      fees: [{ recipient: other, ratePpm: 1_000n }],
      feesFromSold: true,
      balanceShare: 1_000_000_000n,
      quotedBuyAmount: UNIT + 1n,
      surplusPpm: 1_001n,
      surplusRecipient: other,
    };
    for (const [field, value] of Object.entries(changes)) {
      expect(await refusal(callOf({ ...order, [field]: value } as GatewayOrder, payload, drawn)), field).toBe(
        "InvalidSigner()",
      );
    }
    for (const other of [[], [{ recipient: integrator, ratePpm: 999n }], [...fees, ...fees]]) {
      expect(await refusal(callOf({ ...order, fees: other }, payload, drawn))).toBe("InvalidSigner()");
    }
    expect(await refusal(callOf(order, `${payload.slice(0, -2)}00` as Hex, drawn))).toBe("InvalidSigner()");
    expect(await refusal(callOf(order, `${payload}00`, drawn))).toBe("InvalidSigner()");
    for (const signed of [
      { ...drawn.signed, nonce: 1n },
      { ...drawn.signed, owner: other },
    ]) {
      expect(await refusal(callOf(order, payload, { signed }))).toMatch(/InvalidSigner|TRANSFER_FROM_FAILED/);
    }
    for (const at of [
      { ...orders.at, chainId: 1n },
      { ...orders.at, gateway: dai },
    ]) {
      const data = permit2TypedData(at, order, payload, 0n) as unknown as Parameters<typeof TAKER.signTypedData>[0];
      const signature = await TAKER.signTypedData(data);
      const call = callOf(order, payload, { signed: { ...drawn.signed, signature } });
      expect(await refusal(call)).toBe("InvalidSigner()");
    }
    await world.node.send(callOf(order, payload, drawn, other));
  });

  it("is its signer's swap, whoever brings it", async () => {
    const { node, owner, taker, other } = world;
    await node.write(taker, coin, token.abi, "approve", PERMIT2, LOTS);
    await node.write(owner, coin, token.abi, "callDuringTransfer", gateway, gatewayCall("seller"));
    const route = await coinRoute();
    const order = orders.orderFor(route);
    const payload = orders.payloadOf(route);
    await run(route, callOf(order, payload, await orders.signed(order, payload), other));
    expect(BigInt(await node.read<Hex>(coin, token.abi, "answer"))).toBe(BigInt(taker));
  });

  it("ends with the order's deadline, and is of a token", async () => {
    const route = oneHop();
    const order = orders.orderFor(route, { deadline: 1n });
    const payload = orders.payloadOf(route);
    expect(await refusal(callOf(order, payload, await orders.signed(order, payload)))).toBe("DeadlinePassed(1)");
    const native = orders.orderFor(route, { sellToken: NATIVE_TOKEN });
    expect(await refusal(callOf(native, payload, await orders.signed(native, payload)))).toBe(
      `WrongValue(${AMOUNT}, 0)`,
    );
  });

  it("gives what was not sold back to its owner, less fees on the sold token", async () => {
    const { usd, dai, venues, other, integrator } = world;
    const route = exactOut(world, usd, dai, UNIT, [[venues.usdDai, usd, dai]]);
    const payload = orders.payloadOf(route);
    const fees = [{ recipient: integrator, ratePpm: 50_000n }];
    const order = orders.orderFor(route, { fees, feesFromSold: true, maxSellAmount: AMOUNT, recipient: other });
    const most = AMOUNT - AMOUNT / 20n;
    const fee = ((AMOUNT / 20n) * route.sellAmount) / most;
    const before = [await world.balance(usd, integrator), await world.balance(dai, other)];
    const { sold } = await run(route, callOf(order, payload, await orders.signed(order, payload), other));
    expect(sold).toBe(route.sellAmount + fee);
    expect((await world.balance(usd, integrator)) - before[0]!).toBe(fee);
    expect((await world.balance(dai, other)) - before[1]!).toBe(UNIT);
  });

  it("draws a share of the balance, where that is less than what was signed", async () => {
    const { node, taker, usd, owner, balance } = world;
    await node.write(taker, usd, token.abi, "transfer", owner, (await balance(usd, taker)) - AMOUNT);
    const route = oneHop();
    const payload = orders.payloadOf(route);
    const terms = { balanceShare: 1_000_000_000n, maxSellAmount: 2n * AMOUNT, minBuyAmount: 2n * route.buyAmount };
    const order = orders.orderFor(route, terms);
    const call = callOf(order, payload, await orders.signed(order, payload), world.other);
    expect(await run(route, call)).toEqual({ sold: AMOUNT, bought: route.buyAmount });
  });

  it("of a smart wallet is judged by the wallet (ERC-1271)", async () => {
    const { node, owner, usd, dai, other } = world;
    const key = privateKeyToAccount(`0x${"ab".repeat(32)}`);
    const wallet = await node.deploy(compiled("MakerWallet"), key.address);
    await world.give(usd, wallet, AMOUNT);
    const approve = encodeFunctionData({ abi: token.abi, functionName: "approve", args: [PERMIT2, LOTS] });
    await node.write(owner, wallet, compiled("MakerWallet").abi, "run", usd, approve);
    const route = oneHop();
    const order = orders.orderFor(route);
    const payload = orders.payloadOf(route);
    const drawnBy = async (signer: typeof key) => {
      const drawn = await orders.signed(order, payload, 0n, signer);
      const { r, s, yParity } = parseSignature("signed" in drawn ? drawn.signed.signature : "0x");
      const words = [{ type: "bytes32" }, { type: "bytes32" }, { type: "uint8" }] as const;
      const signature = encodeAbiParameters(words, [r, s, 27 + yParity]);
      return { signed: { nonce: 0n, owner: wallet, signature } };
    };
    const wrong = await drawnBy(TAKER as typeof key);
    expect(await refusal(callOf(order, payload, wrong, other))).toBe("InvalidContractSignature()");
    const { bought } = await run(route, callOf(order, payload, await drawnBy(key), other), wallet);
    expect(bought).toBe(route.buyAmount);
    expect(await world.balance(dai, wallet)).toBe(route.buyAmount);
  });
});

describe("an executor that is not ours, with what Permit2 has brought", () => {
  let evil: Address;
  beforeEach(async () => {
    evil = await world.node.deploy(compiled("EvilExecutor"));
    await world.give(world.dai, evil, 10n * AMOUNT);
  });

  async function call(executor: Address, payload: Hex, changes: Partial<GatewayOrder> = {}) {
    const order = orders.orderFor(oneHop(), { executor, minBuyAmount: UNIT, ...changes });
    return callOf(order, payload, await orders.signed(order, payload), world.other);
  }

  it("draws once what is sold, not the fees on it, and what it leaves goes back", async () => {
    const { usd, dai, integrator } = world;
    expect(await refusal(await call(evil, evilPlan(AMOUNT + 1n, UNIT)))).toBe(
      `SellAmountExceeded(${AMOUNT}, ${AMOUNT + 1n})`,
    );
    const greedy = await world.node.deploy(compiled("GreedyExecutor"));
    expect(await refusal(await call(greedy, "0x"))).toBe(`SellAmountExceeded(0, ${AMOUNT})`);
    const fees = [{ recipient: integrator, ratePpm: 100_000n }];
    const withFee = await call(evil, evilPlan(AMOUNT, UNIT), { fees, feesFromSold: true });
    expect(await refusal(withFee)).toBe(`SellAmountExceeded(${AMOUNT - AMOUNT / 10n}, ${AMOUNT})`);
    const route = { ...oneHop(), sellToken: usd, buyToken: dai };
    const half = await call(evil, evilPlan(AMOUNT / 2n, UNIT));
    expect(await run(route, half)).toEqual({ sold: AMOUNT / 2n, bought: UNIT });
  });

  it("is the only one that draws, and only while it runs", async () => {
    const { node, other } = world;
    const outside = node.revertOf({
      ...{ from: other, to: evil },
      data: encodeFunctionData({ abi: compiled("EvilExecutor").abi, functionName: "pullFrom", args: [gateway, 0n] }),
    });
    expect(revertReason(await outside).toLowerCase()).toBe(`nottheexecutor(${evil})`);
  });

  it("cannot draw while Permit2 brings the tokens, nor while fees are paid, nor anybody else while it may", async () => {
    const { node, owner, taker, usd } = world;
    await node.write(taker, coin, token.abi, "approve", PERMIT2, LOTS);
    await world.give(usd, evil, UNIT);
    const { abi } = compiled("EvilExecutor");
    const draw = encodeFunctionData({ abi, functionName: "pullFrom", args: [gateway, 1n] });
    const stranger = await node.deploy(compiled("EvilExecutor"));
    const order = orders.orderFor(await coinPurchase(), { executor: evil, minBuyAmount: 1n, maxSellAmount: AMOUNT });
    const payload = evilPlan(0n, 1n);
    // Nothing is drawn, so that the token moves twice: to the gateway, and back to its owner.
    for (const [callee, expected] of [
      [evil, "SellAmountExceeded(0, 1)"],
      [stranger, `NotTheExecutor(${stranger})`],
    ] as const) {
      const saved = await node.rpc<string>("evm_snapshot");
      await node.write(owner, coin, token.abi, "callDuringTransfer", callee, draw);
      await node.send(callOf(order, payload, await orders.signed(order, payload)));
      const answer = revertReason(await node.read(coin, token.abi, "answer"));
      expect(answer.toLowerCase()).toBe(expected.toLowerCase());
      await node.rpc("evm_revert", saved);
    }
    // While it draws, the token lets somebody else try.
    await node.write(owner, coin, token.abi, "callDuringTransfer", stranger, draw);
    const half = evilPlan(AMOUNT / 2n, 1n);
    await node.send(callOf(order, half, await orders.signed(order, half)));
    expect((await world.balance(coin, evil)) + (await world.balance(coin, stranger))).toBe(AMOUNT / 2n);
  });

  it("gets no more than came of a token that keeps a part: there is nothing else here", async () => {
    const { node, owner, taker, usd } = world;
    await node.write(taker, coin, token.abi, "approve", PERMIT2, LOTS);
    const route: Route = await coinRoute();
    await node.write(owner, coin, token.abi, "keep", 10_000n);
    const order = orders.orderFor(route, { minBuyAmount: 1n });
    const payload = orders.payloadOf(route);
    const before = await world.balance(usd, taker);
    expect(await refusal(callOf(order, payload, await orders.signed(order, payload)))).toContain(
      "the pair was paid too little",
    );
    expect(await world.balance(usd, taker)).toBe(before);
  });
});
