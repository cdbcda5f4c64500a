import { encodeAbiParameters, encodeFunctionData, numberToHex } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { gatewayCall, type Orders, withOrders } from "../../../fixtures/settlement/orders.ts";
import { exactIn, exactOut } from "../../../fixtures/settlement/routes.ts";
import { leftBehind, termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, type Hex, NATIVE_TOKEN, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { Route } from "../../../src/domain/route.ts";
import type { GatewayOrder } from "../../../src/settlement/permits.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";

const AMOUNT = 100n * UNIT;
const PPM = 1_000_000n;

let world: World;
let orders: Orders;
let gateway: Address;
/** Four who take fees. */
let takers: readonly Address[];
beforeAll(async () => {
  world = await startWorld();
  orders = await withOrders(world);
  gateway = orders.at.gateway;
  takers = world.node.accounts.slice(5, 9);
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

const oneHop = (amount = AMOUNT) =>
  exactIn(world, world.usd, world.dai, amount, [[world.venues.usdDai, world.usd, world.dai]]);
const purchase = () => exactOut(world, world.usd, world.dai, UNIT, [[world.venues.usdDai, world.usd, world.dai]]);
const fromNative = () =>
  exactOut(world, NATIVE_TOKEN, world.usd, UNIT, [
    [world.venues.usdWethV3, world.weth, world.usd],
    [world.weth, NATIVE_TOKEN, world.weth],
  ]);
const toNative = () =>
  exactIn(world, world.usd, NATIVE_TOKEN, UNIT, [
    [world.venues.usdWeth, world.usd, world.weth],
    [world.weth, world.weth, NATIVE_TOKEN],
  ]);
const feesOf = (...rates: readonly bigint[]) => rates.map((ratePpm, i) => ({ ratePpm, recipient: takers[i]! }));

function callOf(route: Route, changes: Partial<GatewayOrder> = {}, value?: bigint) {
  const order = orders.orderFor(route, changes);
  const own = order.sellToken === NATIVE_TOKEN ? order.maxSellAmount : 0n;
  const data = orders.dataOf(order, orders.payloadOf(route));
  return { from: world.taker, to: gateway, data, value: value ?? own };
}
const refusal = async (route: Route, changes: Partial<GatewayOrder> = {}, value?: bigint) =>
  revertReason(await world.node.revertOf(callOf(route, changes, value))).toLowerCase();

/** Balances of all who may have a part in an order. */
async function holdings(route: Route) {
  const everybody = [world.taker, world.other, ...takers];
  const of = async (token: Address) => Promise.all(everybody.map((each) => world.balance(token, each)));
  return { sold: await of(route.sellToken), bought: await of(route.buyToken) };
}

/** Sends an order as the taker without cost of gas; answers what everybody gained. */
async function run(route: Route, changes: Partial<GatewayOrder> = {}) {
  const before = await holdings(route);
  await world.node.rpc("anvil_setNextBlockBaseFeePerGas", "0x0");
  await world.node.send({ ...callOf(route, changes), gasPrice: 0n });
  const after = await holdings(route);
  const gain = (now: readonly bigint[], then: readonly bigint[]) => {
    const [taker, other, ...fees] = now.map((each, i) => each - then[i]!);
    return { taker, other, fees };
  };
  expect(await leftBehind(world)).toBe(0n);
  return { sold: gain(after.sold, before.sold), bought: gain(after.bought, before.bought) };
}

describe("an order", () => {
  it("swaps as plain terms do, to the caller or another recipient", async () => {
    const route = oneHop();
    const own = await run(route);
    expect([own.sold.taker, own.bought.taker]).toEqual([-AMOUNT, route.buyAmount]);
    await world.restore();
    const { sold, bought } = await run(route, { recipient: world.other });
    expect([sold.taker, bought.taker, bought.other]).toEqual([-AMOUNT, 0n, route.buyAmount]);
  });

  it("takes at most 3,400 gas more than plain terms do", async () => {
    const { node, settlement, taker } = world;
    const route = oneHop();
    const gasOf = async (call: Parameters<typeof node.send>[0]) => {
      const { gasUsed } = await node.send(call);
      await world.restore();
      return gasUsed;
    };
    const plain = await gasOf({ from: taker, ...settlement.encode(route, termsFor(route), world.actionOf) });
    expect((await gasOf(callOf(route))) - plain).toBeLessThan(3_400n);
  });

  it("and plain terms pass over an attribution behind the calldata (ERC-8021), which is paid as calldata alone", async () => {
    const { node, settlement, taker } = world;
    const route = oneHop();
    const plain = settlement.encode(route, termsFor(route), world.actionOf);
    // The code "tributary", its length, the schema, and the marker that the suffix is told by.
    const code = Buffer.from("tributary").toString("hex");
    const suffix = `${code}0900${"8021".repeat(8)}`;
    const bytes = Buffer.from(suffix, "hex");
    const cost = bytes.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 0n);
    for (const call of [{ from: taker, ...plain }, callOf(route)]) {
      const before = await world.balance(world.dai, taker);
      const bare = await node.send(call);
      expect((await world.balance(world.dai, taker)) - before).toBe(route.buyAmount);
      await world.restore();
      const tagged = await node.send({ ...call, data: `${call.data}${suffix}` as Hex });
      expect((await world.balance(world.dai, taker)) - before).toBe(route.buyAmount);
      expect(tagged.gasUsed - bare.gasUsed).toBe(cost);
      await world.restore();
    }
  });

  it("is refused where its owner could lose by it", async () => {
    const route = oneHop();
    const { timestamp } = await world.node.rpc<{ timestamp: `0x${string}` }>("eth_getBlockByNumber", "latest", false);
    await world.node.rpc("evm_setNextBlockTimestamp", Number(BigInt(timestamp) + 10n));
    await world.node.rpc("evm_mine");
    const now = BigInt(timestamp) + 10n;
    expect(await refusal(route, { deadline: now - 1n })).toBe(`deadlinepassed(${now - 1n})`);
    expect(await refusal(route, { minBuyAmount: 0n })).toBe("zerominimum()");
    expect(await refusal(route, { buyToken: world.usd })).toBe(`sametoken(${world.usd})`);
    expect(await refusal(route, { maxSellAmount: 0n })).toBe("nothingtosell()");
    for (const recipient of [gateway, orders.executor]) {
      expect(await refusal(route, { recipient })).toBe(`invalidrecipient(${recipient})`);
    }
    const most = route.buyAmount + 1n;
    expect(await refusal(route, { minBuyAmount: most })).toBe(`insufficientoutput(${most}, ${route.buyAmount})`);
    await world.node.rpc("evm_setNextBlockTimestamp", Number(now + 5n));
    await run(route, { deadline: now + 5n });
  });

  it("comes with exactly the native token that it sells", async () => {
    const route = fromNative();
    const { sellAmount } = route;
    expect(await refusal(route, {}, sellAmount + 1n)).toBe(`wrongvalue(${sellAmount}, ${sellAmount + 1n})`);
    expect(await refusal(route, {}, 0n)).toBe(`wrongvalue(${sellAmount}, 0)`);
    expect(await refusal(oneHop(), {}, 1n)).toBe("wrongvalue(0, 1)");
  });

  it("cannot be started by a token within another one, and can after it", async () => {
    const { node, owner, usd, taker } = world;
    const odd = compiled("OddToken");
    const token = await node.deploy(odd);
    const pair = await world.newPair(token, usd);
    await world.give(token, taker, 2n * AMOUNT);
    await node.write(taker, token, odd.abi, "approve", gateway, 2n ** 255n);
    const at = { ...world, states: new Map([...world.states, [pair, await world.poolAt(pair)]]) };
    const route = exactIn(at, token, usd, UNIT, [[pair, token, usd]]);
    const inner = orders.orderFor(oneHop());
    const calls = [
      gatewayCall("swapByOrder", inner, "0x00"),
      gatewayCall("swapOrderWithApproval", inner, `0x${"01".repeat(65)}`, "0x00"),
      gatewayCall("swapSignedOrder", inner, { nonce: 0n, owner: taker, signature: "0x" }, "0x00"),
    ];
    for (const data of calls) {
      await node.write(owner, token, odd.abi, "callDuringTransfer", gateway, data);
      const saved = await node.rpc<string>("evm_snapshot");
      await node.send(callOf(route));
      expect(revertReason(await node.read(token, odd.abi, "answer"))).toBe("Reentered()");
      await node.rpc("evm_revert", saved);
    }
    // The gateway tells the taker while tokens are drawn.
    await node.write(owner, token, odd.abi, "callDuringTransfer", gateway, gatewayCall("seller"));
    await node.send(callOf(route));
    expect(BigInt(await node.read<`0x${string}`>(token, odd.abi, "answer"))).toBe(BigInt(taker));
  });

  it("leaves the gateway open for the next one of the same transaction, and nothing to draw", async () => {
    const { node, owner, usd, dai } = world;
    const account = await node.deploy(compiled("NativeReceiver"));
    const { abi } = compiled("NativeReceiver");
    await world.give(usd, account, 10n * AMOUNT);
    const approve = encodeFunctionData({
      abi: compiled("PlainToken").abi,
      functionName: "approve",
      args: [gateway, 10n * AMOUNT],
    });
    await node.write(owner, account, abi, "run", usd, approve);
    const route = purchase();
    const first = callOf(route, { maxSellAmount: 2n * route.sellAmount }).data;
    const both = encodeFunctionData({ abi, functionName: "runBoth", args: [gateway, first, gateway, first] });
    const saved = await node.rpc<string>("evm_snapshot");
    await node.send({ from: owner, to: account, data: both });
    expect(await world.balance(dai, account)).toBe(2n * UNIT);
    await node.rpc("evm_revert", saved);

    // An executor that is asked to sell native token finds none of the first order's usd to draw.
    const evil = await node.deploy(compiled("EvilExecutor"));
    const take = encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [1n, 0n]);
    const native = { executor: evil, sellToken: NATIVE_TOKEN, buyToken: dai, maxSellAmount: 1n };
    const second = gatewayCall("swapByOrder", orders.orderFor(oneHop(), native), take);
    const theft = encodeFunctionData({ abi, functionName: "runBoth", args: [gateway, first, gateway, second] });
    const reason = await node.revertOf({ from: owner, to: account, data: theft, value: 1n });
    expect(revertReason(reason)).toBe("SellAmountExceeded(0, 1)");
  });
});

describe("fees on the bought token", () => {
  it("go to up to four, each rounded down, the rest to the recipient, in any token", async () => {
    for (const route of [oneHop(), toNative()]) {
      const rates = [1n, 333n, 70_000n, 29_666n];
      const fees = rates.map((rate) => (route.buyAmount * rate) / PPM);
      const rest = route.buyAmount - fees.reduce((sum, fee) => sum + fee);
      const { sold, bought } = await run(route, { fees: feesOf(...rates), minBuyAmount: rest });
      expect(sold).toEqual({ taker: -route.sellAmount, other: 0n, fees: [0n, 0n, 0n, 0n] });
      expect(bought).toEqual({ taker: rest, other: 0n, fees });
      await world.restore();
      const reason = await refusal(route, { fees: feesOf(...rates), minBuyAmount: rest + 1n });
      expect(reason).toBe(`insufficientoutput(${rest + 1n}, ${rest})`);
    }
  });

  it("are at most 10 % together, of at most four, with somebody to go to", async () => {
    const route = oneHop();
    const [one, two] = takers as [Address, Address];
    const odd = [
      [{ recipient: one, ratePpm: 0n }],
      [{ recipient: one, ratePpm: 100_001n }],
      [{ recipient: one, ratePpm: 2n ** 256n - 1n }],
      [{ recipient: ZERO_ADDRESS, ratePpm: 1n }],
      [{ recipient: gateway, ratePpm: 1n }],
      [{ recipient: orders.executor, ratePpm: 1n }],
      [...feesOf(60_000n), { recipient: two, ratePpm: 40_001n }],
      [...feesOf(50_000n, 25_000n, 25_000n), { recipient: two, ratePpm: 1n }],
    ];
    for (const fees of odd) {
      const { ratePpm, recipient } = fees.at(-1)!;
      for (const feesFromSold of [false, true]) {
        expect(await refusal(route, { fees, feesFromSold })).toBe(`invalidfee(${ratePpm}, ${recipient})`);
      }
    }
    const five = [...feesOf(1n, 1n, 1n, 1n), { recipient: one, ratePpm: 1n }];
    expect(await refusal(route, { fees: five })).toBe("toomanyfees(5)");
    await run(route, { fees: feesOf(100_000n), minBuyAmount: 1n });
  });

  it("are a part of what came, not of what is here, and what is owed to the recipient anyway counts for nothing", async () => {
    const { node, taker } = world;
    await node.rpc("anvil_setBalance", gateway, "0x7");
    const { abi } = compiled("NativeReceiver");
    const receiver = await node.deploy(compiled("NativeReceiver"));
    const debt = UNIT / 10n;
    await node.rpc("anvil_setBalance", receiver, numberToHex(debt));
    await node.write(world.owner, receiver, abi, "plan", taker, debt, "0x");
    await node.write(world.owner, receiver, abi, "feel", 1);
    const route = toNative();
    const net = route.buyAmount - route.buyAmount / 100n;
    const fees = [{ recipient: receiver, ratePpm: 10_000n }];
    const reason = await refusal(route, { fees, minBuyAmount: net + debt });
    expect(reason).toBe(`insufficientoutput(${net + debt}, ${net})`);
    await node.rpc("anvil_setNextBlockBaseFeePerGas", "0x0");
    const before = await world.balance(NATIVE_TOKEN, taker);
    await node.send({ ...callOf(route, { fees, minBuyAmount: net }), gasPrice: 0n });
    expect((await world.balance(NATIVE_TOKEN, taker)) - before).toBe(net + debt);
    expect(await world.balance(NATIVE_TOKEN, gateway)).toBe(7n);
  });

  it("stop the swap where one is refused, and are not sent where they round to nothing", async () => {
    const { node } = world;
    const refuser = await node.deploy(compiled("NativeReceiver"));
    await node.write(world.owner, refuser, compiled("NativeReceiver").abi, "feel", 3);
    const fees = [...feesOf(1_000n), { recipient: refuser, ratePpm: 1n }];
    const route = toNative();
    expect(await refusal(route, { fees, minBuyAmount: 1n })).toBe(`nativetransferfailed(${refuser})`);
    const { usd, weth, venues } = world;
    const small = exactIn(world, usd, NATIVE_TOKEN, 900_000n, [
      [venues.usdWeth, usd, weth],
      [weth, weth, NATIVE_TOKEN],
    ]);
    const only = [{ recipient: refuser, ratePpm: 1n }];
    expect((await run(small, { fees: only })).bought.taker).toBe(small.buyAmount);
  });
});

describe("fees on the sold token", () => {
  const rates = [1n, 333n, 70_000n, 29_666n] as const;
  const fees = rates.map((rate) => (AMOUNT * rate) / PPM);
  const most = AMOUNT - fees.reduce((sum, fee) => sum + fee);
  const changes = () => ({ fees: feesOf(...rates), feesFromSold: true, maxSellAmount: AMOUNT });

  it("are a part of all that is sold, and the rest is swapped", async () => {
    const route = oneHop(most);
    const { sold, bought } = await run(route, changes());
    expect(sold).toEqual({ taker: -AMOUNT, other: 0n, fees });
    expect(bought).toEqual({ taker: route.buyAmount, other: 0n, fees: [0n, 0n, 0n, 0n] });
    await world.restore();
    const wanted = route.buyAmount + 1n;
    expect(await refusal(route, { ...changes(), minBuyAmount: wanted })).toBe(
      `insufficientoutput(${wanted}, ${route.buyAmount})`,
    );
  });

  it("are as much less as an exact output takes less than the maximum", async () => {
    const route = purchase();
    const { sold, bought } = await run(route, changes());
    const expected = fees.map((fee) => (fee * route.sellAmount) / most);
    expect(sold.fees).toEqual(expected);
    expect(sold.taker).toBe(-(route.sellAmount + expected.reduce((sum, fee) => sum + fee)));
    expect(bought.taker).toBe(UNIT);
  });

  it("leave the executor no more than the rest to draw", async () => {
    const route = purchase();
    const maxSellAmount = route.sellAmount + 1n;
    const reason = await refusal(route, { fees: feesOf(100_000n), feesFromSold: true, maxSellAmount });
    expect(reason).toBe(`sellamountexceeded(${maxSellAmount - maxSellAmount / 10n}, ${route.sellAmount})`);
  });

  it("are taken in native token, what is left goes back to the caller, and what was here stays", async () => {
    const { node, taker, other } = world;
    await node.rpc("anvil_setBalance", gateway, "0x7");
    const route = fromNative();
    const maxSellAmount = 3n * route.sellAmount;
    const whole = [60_000n, 1n].map((rate) => (maxSellAmount * rate) / PPM);
    const net = maxSellAmount - whole[0]! - whole[1]!;
    const expected = whole.map((fee) => (fee * route.sellAmount) / net);
    await node.rpc("anvil_setNextBlockBaseFeePerGas", "0x0");
    const before = await holdings(route);
    const order = { fees: feesOf(60_000n, 1n), feesFromSold: true, maxSellAmount, recipient: other };
    await node.send({ ...callOf(route, order), gasPrice: 0n });
    const after = await holdings(route);
    const gains = after.sold.map((each, i) => each - before.sold[i]!);
    expect(gains).toEqual([-(route.sellAmount + expected[0]! + expected[1]!), 0n, ...expected, 0n, 0n]);
    expect(after.bought[1]! - before.bought[1]!).toBe(UNIT);
    expect(await world.balance(NATIVE_TOKEN, gateway)).toBe(7n);
    expect(await world.balance(NATIVE_TOKEN, orders.executor)).toBe(0n);
    expect(taker).not.toBe(other);
  });

  it("that round to nothing are not sent, nor is a rest of nothing", async () => {
    const { node, weth, usd, venues } = world;
    const refuser = await node.deploy(compiled("NativeReceiver"));
    await node.write(world.owner, refuser, compiled("NativeReceiver").abi, "feel", 3);
    const small = exactIn(world, NATIVE_TOKEN, usd, 900_000n, [
      [weth, NATIVE_TOKEN, weth],
      [venues.usdWeth, weth, usd],
    ]);
    const fees = [{ recipient: refuser, ratePpm: 1n }];
    expect((await run(small, { fees, feesFromSold: true })).bought.taker).toBe(small.buyAmount);
    await world.restore();
    // A caller that takes no native token gets none where all of it was sold.
    const caller = await node.deploy(compiled("Refuser"));
    const { data, value } = callOf(small);
    const args = [gateway, data] as const;
    const swap = encodeFunctionData({ abi: compiled("Refuser").abi, functionName: "swap", args });
    await node.send({ from: world.owner, to: caller, data: swap, value });
    expect(await world.balance(usd, caller)).toBe(small.buyAmount);
  });

  it("that are refused stop the swap, and may not start another", async () => {
    const { node } = world;
    const { abi } = compiled("NativeReceiver");
    const receiver = await node.deploy(compiled("NativeReceiver"));
    const route = fromNative();
    const order = {
      fees: [{ recipient: receiver, ratePpm: 1_000n }],
      feesFromSold: true,
      maxSellAmount: 2n * route.sellAmount,
    };
    await node.write(world.owner, receiver, abi, "feel", 3);
    expect(await refusal(route, order)).toBe(`nativetransferfailed(${receiver})`);
    const inner = gatewayCall("swapByOrder", orders.orderFor(oneHop()), "0x00");
    await node.write(world.owner, receiver, abi, "plan", gateway, 0n, inner);
    await node.write(world.owner, receiver, abi, "feel", 2);
    await node.send(callOf(route, order));
    expect(revertReason(await node.read(receiver, abi, "answer"))).toBe("Reentered()");
  });
});

describe("a share of the balance", () => {
  const ALL = 1_000_000_000n;

  /** Leaves the taker with this much usd. */
  async function keepOnly(amount: bigint): Promise<void> {
    const { node, taker, usd, owner, balance } = world;
    await node.write(taker, usd, compiled("PlainToken").abi, "transfer", owner, (await balance(usd, taker)) - amount);
  }

  it("is sold where it is less than the maximum, with the minimum scaled and rounded up", async () => {
    const maxSellAmount = 2n * AMOUNT + 1n;
    const route = oneHop();
    await keepOnly(AMOUNT);
    const enough = (route.buyAmount * maxSellAmount) / AMOUNT;
    const order = { maxSellAmount, balanceShare: ALL };
    const wanted = route.buyAmount + 1n;
    expect(await refusal(route, { ...order, minBuyAmount: enough + 1n })).toBe(
      `insufficientoutput(${wanted}, ${route.buyAmount})`,
    );
    const { sold, bought } = await run(route, { ...order, minBuyAmount: enough });
    expect([sold.taker, bought.taker]).toEqual([-AMOUNT, route.buyAmount]);
    expect(await refusal(route, order)).toBe("nothingtosell()");
  });

  it("never has a minimum of nothing", async () => {
    const { node, dai } = world;
    await keepOnly(1n);
    // One wei of three: a third of the minimum of one.
    const evil = await node.deploy(compiled("EvilExecutor"));
    const nothing = encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [1n, 0n]);
    const order = orders.orderFor(oneHop(), { executor: evil, maxSellAmount: 3n, minBuyAmount: 1n, balanceShare: ALL });
    const data = gatewayCall("swapByOrder", { ...order, buyToken: dai }, nothing);
    const reason = revertReason(await node.revertOf({ from: world.taker, to: gateway, data }));
    expect(reason).toBe("InsufficientOutput(1, 0)");
  });

  it("is that share, rounded down, and no more than the maximum", async () => {
    await keepOnly(4n * AMOUNT + 3n);
    const route = oneHop();
    const quarter = { maxSellAmount: 3n * AMOUNT, minBuyAmount: 1n, balanceShare: ALL / 4n };
    expect((await run(route, quarter)).sold.taker).toBe(-AMOUNT);
    const capped = { maxSellAmount: AMOUNT, minBuyAmount: 1n, balanceShare: ALL };
    expect((await run(oneHop(), capped)).sold.taker).toBe(-AMOUNT);
    await world.restore();
    // At exactly the maximum the minimum is the whole one.
    await keepOnly(AMOUNT);
    const whole = oneHop();
    const reason = await refusal(whole, { balanceShare: ALL, minBuyAmount: whole.buyAmount + 1n });
    expect(reason).toBe(`insufficientoutput(${whole.buyAmount + 1n}, ${whole.buyAmount})`);
  });

  it("includes fees on the sold token", async () => {
    await keepOnly(AMOUNT);
    const fee = AMOUNT / 100n;
    const route = oneHop(AMOUNT - fee);
    const order = { fees: feesOf(10_000n), feesFromSold: true, maxSellAmount: 2n * AMOUNT, balanceShare: ALL };
    const { sold, bought } = await run(route, { ...order, minBuyAmount: 2n * route.buyAmount });
    expect(sold).toEqual({ taker: -AMOUNT, other: 0n, fees: [fee, 0n, 0n, 0n] });
    expect(bought.taker).toBe(route.buyAmount);
  });

  it("is at most all of it, and never of native token", async () => {
    expect(await refusal(oneHop(), { balanceShare: ALL + 1n })).toBe(`invalidshare(${ALL + 1n})`);
    expect(await refusal(fromNative(), { balanceShare: ALL })).toBe(`invalidshare(${ALL})`);
  });
});

describe("what the owner is owed anyway, and a token on the way has paid", () => {
  it("makes up for nothing, with fees on either side or none", async () => {
    const { node, owner, taker, usd, dai } = world;
    const debt = 50n * UNIT;
    const odd = await node.deploy(compiled("OddToken"));
    const [first, second] = [await world.newPair(odd, usd), await world.newPair(odd, dai)];
    const debtor = await node.deploy(compiled("Debtor"), dai, taker);
    await world.give(dai, debtor, debt);
    const pay = encodeFunctionData({ abi: compiled("Debtor").abi, functionName: "pay" });
    await node.write(owner, odd, compiled("OddToken").abi, "callDuringTransfer", debtor, pay);
    const states = new Map(world.states);
    for (const pair of [first, second]) states.set(pair, await world.poolAt(pair));
    const selling = (amount: bigint) =>
      exactIn({ ...world, states }, usd, dai, amount, [
        [first, usd, odd],
        [second, odd, dai],
      ]);
    const net = AMOUNT - AMOUNT / 100n;
    const cases = [
      { route: selling(AMOUNT), changes: {}, bought: selling(AMOUNT).buyAmount },
      {
        route: selling(net),
        changes: { fees: feesOf(10_000n), feesFromSold: true, maxSellAmount: AMOUNT },
        bought: selling(net).buyAmount,
      },
      {
        route: selling(AMOUNT),
        changes: { fees: feesOf(10_000n) },
        bought: selling(AMOUNT).buyAmount - selling(AMOUNT).buyAmount / 100n,
      },
    ];
    for (const { route, changes, bought } of cases) {
      const wanted = bought + 1n;
      expect(await refusal(route, { ...changes, minBuyAmount: wanted })).toBe(
        `insufficientoutput(${wanted}, ${bought})`,
      );
    }
  });
});
