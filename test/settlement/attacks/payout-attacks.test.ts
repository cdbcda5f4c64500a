import { encodeFunctionData, type Hex, numberToHex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { exactIn, exactOut } from "../../../fixtures/settlement/routes.ts";
import { leftBehind, run, termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { gatewayArtifact } from "../../../src/settlement/artifacts.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { rawSwap } from "../chain/direct.ts";

const { abi } = compiled("NativeReceiver");
const MOODS = ["Take", "PayADebt", "CallBack", "Refuse", "BurnGas", "AnswerAtLength"] as const;

let world: World;
let gateway: Address;
let executor: Address;
/** Recipients of native token: the taker of a fee, or a contract that swaps. */
let receiver: Address;
beforeAll(async () => {
  world = await startWorld();
  [gateway, executor] = world.settlement.contracts as readonly [Address, Address];
});
beforeEach(async () => {
  receiver = await world.node.deploy(compiled("NativeReceiver"));
});
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

const feel = (mood: (typeof MOODS)[number]) =>
  world.node.write(world.owner, receiver, abi, "feel", MOODS.indexOf(mood));
const plan = (callee: Address, debt: bigint, data: Hex) =>
  world.node.write(world.owner, receiver, abi, "plan", callee, debt, data);

/** Usd for native token. */
const toNative = () =>
  exactIn(world, world.usd, NATIVE_TOKEN, UNIT, [
    [world.venues.usdWeth, world.usd, world.weth],
    [world.weth, world.weth, NATIVE_TOKEN],
  ]);
/** Native token for an exact output of usd. */
const fromNative = () =>
  exactOut(world, NATIVE_TOKEN, world.usd, UNIT, [
    [world.venues.usdWethV3, world.weth, world.usd],
    [world.weth, NATIVE_TOKEN, world.weth],
  ]);

/** Calls that a receiver may try while it is paid: gateway and executor, each by all that they let others call. */
const calls = () => {
  const pull = encodeFunctionData({ abi: gatewayArtifact.abi, functionName: "pull", args: [receiver, 1n] });
  const swap = rawSwap({ executor, sellToken: world.usd, buyToken: world.dai }, "0x0000");
  return [
    [gateway, swap, /^Reentered\(\)$/],
    [gateway, pull, /^NotTheExecutor\(/],
    [executor, "0x", /^UnexpectedNative\(/],
  ] as const;
};

async function outcomeOfCall(): Promise<string> {
  expect(await world.node.read(receiver, abi, "called")).toBe(true);
  const answer = await world.node.read<Hex>(receiver, abi, "answer");
  return (await world.node.read<boolean>(receiver, abi, "succeeded")) ? "done" : revertReason(answer);
}

describe("whoever takes a fee in native token", () => {
  const fee = () => ({ ratePpm: 10_000n, recipient: receiver });

  it("cannot make up what is missing of the minimum by what is the taker's anyway", async () => {
    const { node, taker } = world;
    const route = toNative();
    const net = route.buyAmount - route.buyAmount / 100n;
    // A price moved against the taker has left `debt` too little, which the fee's taker owes since long.
    const debt = UNIT / 10n;
    await node.rpc("anvil_setBalance", receiver, numberToHex(debt));
    await plan(taker, debt, "0x");
    await feel("PayADebt");
    const terms = termsFor(route, { fee: fee(), minBuyAmount: net + debt });
    const transaction = world.settlement.encode(route, terms, world.actionOf);
    const reason = revertReason(await node.revertOf({ from: taker, ...transaction }));
    expect(reason).toBe(`InsufficientOutput(${net + debt}, ${net})`);
    // A payment of that debt during a sufficient swap comes on top.
    expect((await run(world, route, { fee: fee(), minBuyAmount: net })).bought).toBe(net + debt);
  });

  it("cannot swap, draw or pay in within the swap", async () => {
    for (const [to, data, refusal] of calls()) {
      await plan(to, 0n, data);
      await feel("CallBack");
      const route = toNative();
      const { bought } = await run(world, route, { fee: fee() });
      expect(bought).toBe(route.buyAmount - route.buyAmount / 100n);
      if (data !== "0x") expect(await outcomeOfCall()).toMatch(refusal);
      await world.restore();
      receiver = await world.node.deploy(compiled("NativeReceiver"));
    }
  });

  it("stops the swap by refusing it or by burning all gas, and nothing has moved then", async () => {
    const { node, taker, usd, balance } = world;
    const before = await balance(usd, taker);
    for (const [mood, reason] of [
      ["Refuse", /^NativeTransferFailed\(/],
      ["BurnGas", /^(NativeTransferFailed\(|reverted without a reason)/],
    ] as const) {
      await feel(mood);
      const route = toNative();
      const transaction = world.settlement.encode(route, termsFor(route, { fee: fee() }), world.actionOf);
      expect(revertReason(await node.revertOf({ from: taker, ...transaction })), mood).toMatch(reason);
    }
    expect(await balance(usd, taker)).toBe(before);
  });

  it("is sent nothing where the fee rounds down to nothing, and cannot refuse that", async () => {
    await feel("Refuse");
    const { usd, weth, venues } = world;
    const route = exactIn(world, usd, NATIVE_TOKEN, 900_000n, [
      [venues.usdWeth, usd, weth],
      [weth, weth, NATIVE_TOKEN],
    ]);
    const { bought } = await run(world, route, { fee: { ratePpm: 1n, recipient: receiver } });
    expect(bought).toBe(route.buyAmount);
  });

  it("has its answer left unread, however long", async () => {
    const quiet = await run(world, toNative(), { fee: fee() });
    await world.restore();
    receiver = await world.node.deploy(compiled("NativeReceiver"));
    await feel("AnswerAtLength");
    const { bought, gasUsed } = await run(world, toNative(), { fee: fee() }, 2_000_000n);
    expect(bought).toBe(quiet.bought);
    // 250,000 bytes cost it 145,000 of its own to make; to copy them once would cost as much again.
    expect(gasUsed - quiet.gasUsed).toBeLessThan(200_000n);
  });
});

describe("a contract that swaps native token", () => {
  async function swapFrom(data: Hex, value: bigint): Promise<void> {
    const call = encodeFunctionData({ abi, functionName: "run", args: [gateway, data] });
    await world.node.send({ from: world.owner, to: receiver, data: call, value });
  }

  it("gets back what was not spent, itself and not the recipient", async () => {
    const { other, usd, balance } = world;
    const route = fromNative();
    const terms = termsFor(route, { maxSellAmount: 3n * route.sellAmount, recipient: other });
    const { data, value } = world.settlement.encode(route, terms, world.actionOf);
    const [before, native] = [await balance(usd, other), await balance(NATIVE_TOKEN, other)];
    await swapFrom(data, value);
    expect(await balance(NATIVE_TOKEN, receiver)).toBe(2n * route.sellAmount);
    expect((await balance(usd, other)) - before).toBe(UNIT);
    expect(await balance(NATIVE_TOKEN, other)).toBe(native);
    expect(await leftBehind(world)).toBe(0n);
  });

  it("and refuses it gets no swap", async () => {
    await feel("Refuse");
    const route = fromNative();
    const terms = termsFor(route, { maxSellAmount: 3n * route.sellAmount, recipient: world.other });
    const { data, value } = world.settlement.encode(route, terms, world.actionOf);
    const call = encodeFunctionData({ abi, functionName: "run", args: [gateway, data] });
    const reason = await world.node.revertOf({ from: world.owner, to: receiver, data: call, value });
    expect(revertReason(reason).toLowerCase()).toBe(`nativetransferfailed(${receiver})`);
  });

  it("finds the door locked when it is refunded", async () => {
    for (const [to, data, refusal] of calls()) {
      if (data === "0x") continue;
      await plan(to, 0n, data);
      await feel("CallBack");
      const route = fromNative();
      const terms = termsFor(route, { maxSellAmount: 2n * route.sellAmount, recipient: world.other });
      const transaction = world.settlement.encode(route, terms, world.actionOf);
      await swapFrom(transaction.data, transaction.value);
      expect(await outcomeOfCall()).toMatch(refusal);
      await world.restore();
      receiver = await world.node.deploy(compiled("NativeReceiver"));
    }
  });
});

describe("what the taker is owed anyway, and anybody can have paid (a token on the way does)", () => {
  const DEBT = 50n * UNIT;
  const AMOUNT = 100n * UNIT;

  /** The world with a route from usd by way of an attacker's token, whose transfers have the taker paid its own dai. */
  async function attacked() {
    const { node, owner, taker, usd, dai, give } = world;
    const odd = await node.deploy(compiled("OddToken"));
    const [first, second] = [await world.newPair(odd, usd), await world.newPair(odd, dai)];
    const debtor = await node.deploy(compiled("Debtor"), dai, taker);
    await give(dai, debtor, DEBT);
    const pay = encodeFunctionData({ abi: compiled("Debtor").abi, functionName: "pay" });
    await node.write(owner, odd, compiled("OddToken").abi, "callDuringTransfer", debtor, pay);
    const states = new Map(world.states);
    for (const pair of [first, second]) states.set(pair, await world.poolAt(pair));
    const at: World = { ...world, states };
    const sold = exactIn(at, usd, dai, AMOUNT, [
      [first, usd, odd],
      [second, odd, dai],
    ]);
    const bought = exactOut(at, usd, dai, AMOUNT, [
      [second, odd, dai],
      [first, usd, odd],
    ]);
    return [sold, bought] as const;
  }

  it("does not count for the minimum, exact-in or exact-out, with or without a fee", async () => {
    const { node, taker, dai, integrator } = world;
    for (const fee of [undefined, { ratePpm: 10_000n, recipient: integrator }]) {
      for (const route of await attacked()) {
        const net = fee === undefined ? route.buyAmount : route.buyAmount - route.buyAmount / 100n;
        const withFee = fee === undefined ? {} : { fee };
        const terms = termsFor(route, { ...withFee, minBuyAmount: net + 1n });
        const transaction = world.settlement.encode(route, terms, world.actionOf);
        const reason = revertReason(await node.revertOf({ from: taker, ...transaction }));
        expect(reason).toBe(`InsufficientOutput(${net + 1n}, ${net})`);
        const saved = await node.rpc<string>("evm_snapshot");
        const before = await world.balance(dai, taker);
        await run(world, route, withFee);
        expect((await world.balance(dai, taker)) - before).toBe(net + DEBT);
        await node.rpc("evm_revert", saved);
      }
    }
  });
});

describe("native token that was forced upon the gateway", () => {
  beforeEach(() => world.node.rpc("anvil_setBalance", gateway, "0x7"));

  it("is nobody's refund", async () => {
    const route = fromNative();
    const { sold, bought } = await run(world, route, { maxSellAmount: 2n * route.sellAmount });
    expect({ sold, bought }).toEqual({ sold: route.sellAmount, bought: route.buyAmount });
    expect(await world.balance(NATIVE_TOKEN, gateway)).toBe(7n);
  });

  it("is nobody's output and nobody's fee", async () => {
    const route = toNative();
    const fee = { ratePpm: 100_000n, recipient: world.integrator };
    const before = await world.balance(NATIVE_TOKEN, world.integrator);
    const { bought } = await run(world, route, { fee });
    const taken = route.buyAmount / 10n;
    expect((await world.balance(NATIVE_TOKEN, world.integrator)) - before).toBe(taken);
    expect(bought).toBe(route.buyAmount - taken);
    expect(await world.balance(NATIVE_TOKEN, gateway)).toBe(7n);
  });
});
