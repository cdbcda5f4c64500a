import { encodeFunctionData, numberToHex, parseSignature, serializeSignature } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { exactIn } from "../../../fixtures/settlement/routes.ts";
import { termsFor } from "../../../fixtures/settlement/swap.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { type Address, type Hex, NATIVE_TOKEN, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { MakerOrder } from "../../../src/domain/maker-order.ts";
import { orderSettlementArtifact } from "../../../src/settlement/artifacts.ts";
import { makerOrderDigest } from "../../../src/settlement/maker-order-digest.ts";
import { revertReason } from "../../support/worlds/revert-reason.ts";
import { startWorld } from "../../support/worlds/settlement-world.ts";
import { CHAIN_ID, type Makers, withMakers } from "../pools/makers.ts";

const plain = compiled("PlainToken").abi;
const wallet = compiled("MakerWallet");
const { abi } = orderSettlementArtifact;
const ALL = 1_000n * UNIT;
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

let makers: Makers;
let world: World;
/** A contract's stand-in: an account that fills by itself, in two transactions. */
let filler: Address;
let usd: Address;
let gem: Address;
beforeAll(async () => {
  makers = await withMakers(await startWorld());
  ({ world } = makers);
  ({ usd, gem } = world);
  filler = world.node.accounts[5]!;
});
beforeEach(() => world.give(usd, makers.orders, ALL));
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

const orderOf = (changes: Partial<MakerOrder> = {}) => makers.orderOf(usd, gem, { taker: filler, ...changes });

interface Fill {
  readonly takerAmount?: bigint;
  readonly makerAmount?: bigint;
  readonly from?: Address;
  readonly recipient?: Address;
}

function callOf(order: MakerOrder, signature: Hex, fill: Fill = {}) {
  const { takerAmount = order.takerAmount, from = filler, recipient = filler } = fill;
  const { makerAmount = (order.makerAmount * takerAmount) / (order.takerAmount || 1n) } = fill;
  const args = [order, signature, takerAmount, makerAmount, recipient];
  return { from, to: makers.orders, data: encodeFunctionData({ abi, functionName: "fill", args }) };
}

const fill = (order: MakerOrder, signature: Hex, how?: Fill) => world.node.send(callOf(order, signature, how));
const refusal = async (order: MakerOrder, signature: Hex, how?: Fill) =>
  revertReason(await world.node.revertOf(callOf(order, signature, how)));

describe("an order is filled once (replay)", () => {
  it("in full", async () => {
    const order = orderOf();
    const signature = await makers.sign(order);
    await fill(order, signature);
    expect(await world.balance(gem, filler)).toBe(ALL);
    await world.give(usd, makers.orders, ALL);
    expect(await refusal(order, signature)).toBe(`NonceUsed(${order.nonce})`);
  });

  it("or in one part, unless its maker said more; then up to all of it", async () => {
    const once = orderOf();
    await fill(once, await makers.sign(once), { takerAmount: 1n });
    expect(await refusal(once, await makers.sign(once), { takerAmount: 1n })).toContain("NonceUsed(");

    const order = orderOf({ refillable: true });
    const signature = await makers.sign(order);
    const digest = makerOrderDigest(order, CHAIN_ID, makers.orders);
    expect(await makers.read("hashOf", order)).toBe(digest);
    for (const part of [ALL / 4n, 1n, ALL / 2n]) await fill(order, signature, { takerAmount: part });
    const left = ALL / 4n - 1n;
    expect(await makers.read("filled", digest)).toBe(ALL - left);
    expect(await refusal(order, signature, { takerAmount: left + 1n })).toBe(`Overfilled(${left}, ${left + 1n})`);
    await fill(order, signature, { takerAmount: left - 1n });
    await world.give(usd, makers.orders, ALL);
    await fill(order, signature, { takerAmount: 1n });
    expect(await refusal(order, signature, { takerAmount: 1n })).toBe("Overfilled(0, 1)");
  });

  it("and the first of those with one nonce makes the others void, filled in part or not", async () => {
    const first = orderOf({ refillable: true });
    const second = orderOf({ refillable: true, nonce: first.nonce, makerAmount: ALL / 2n });
    await fill(first, await makers.sign(first), { takerAmount: 1n });
    expect(await refusal(second, await makers.sign(second), { takerAmount: 1n })).toContain("NonceUsed(");
    await fill(first, await makers.sign(first), { takerAmount: 1n });
    // Another maker's nonces are its own.
    const theirs = orderOf({ maker: makers.otherMaker, nonce: first.nonce });
    await fill(theirs, await makers.sign(theirs, makers.otherKey), { takerAmount: 1n });
  });
});

describe("an order binds", () => {
  it("its taker", async () => {
    const order = orderOf();
    const reason = await refusal(order, await makers.sign(order), { from: world.other });
    expect(reason.toLowerCase()).toBe(`notthetaker(${world.other})`);
    // Naming oneself does not help: the taker is signed.
    const mine = { ...order, taker: world.other };
    expect(await refusal(mine, await makers.sign(order), { from: world.other })).toContain("InvalidSignature(");
  });

  it("its amounts, whatever part is taken", async () => {
    const order = orderOf({ makerAmount: 7n, takerAmount: 1_000n, minTakerAmount: 10n });
    const signature = await makers.sign(order);
    expect(await refusal(order, signature, { takerAmount: 1_001n })).toBe("Overfilled(1000, 1001)");
    expect(await refusal(order, signature, { takerAmount: 9n })).toBe("BelowMinimum(10, 9)");
    expect(await refusal(order, signature, { takerAmount: 0n })).toBe("BelowMinimum(10, 0)");
    expect(await refusal(order, signature, { takerAmount: 500n, makerAmount: 4n })).toBe("WorseThanSigned()");
    expect(await refusal(order, signature, { makerAmount: 2n ** 255n })).toBe("an amount went out of range");
    await fill(order, signature, { takerAmount: 500n, makerAmount: 3n });
    const free = orderOf({ refillable: true });
    expect(await refusal(free, await makers.sign(free), { takerAmount: 0n })).toBe("BelowMinimum(0, 0)");
  });

  it("its expiry, to the second", async () => {
    const now = BigInt(
      await world.node.rpc<{ timestamp: Hex }>("eth_getBlockByNumber", "latest", false).then((b) => b.timestamp),
    );
    const order = orderOf({ expiry: now + 100n });
    const signature = await makers.sign(order);
    await world.node.rpc("evm_setNextBlockTimestamp", numberToHex(now + 100n));
    const saved = await world.node.rpc<string>("evm_snapshot");
    await fill(order, signature);
    await world.node.rpc("evm_revert", saved);
    await world.node.rpc("evm_setNextBlockTimestamp", numberToHex(now + 101n));
    await world.node.rpc("evm_mine");
    expect(await refusal(order, signature)).toBe(`OrderExpired(${now + 100n})`);
  });

  it("its payment: nothing is sold before all of it is the maker's", async () => {
    const order = orderOf({ takerAmount: 2n * ALL });
    expect(await refusal(order, await makers.sign(order))).toBe("balance too small");
    const odd = await world.node.deploy(compiled("OddToken"));
    await world.node.write(world.owner, odd, compiled("OddToken").abi, "mint", makers.orders, ALL);
    await world.node.write(world.owner, odd, compiled("OddToken").abi, "keep", 10_000n);
    const keeps = orderOf({ takerToken: odd, takerAmount: ALL });
    const due = `PaymentTooSmall(${ALL}, ${(ALL * 99n) / 100n})`;
    expect(await refusal(keeps, await makers.sign(keeps))).toBe(due);
    await world.node.write(world.owner, odd, compiled("OddToken").abi, "refuse");
    for (const changes of [{ takerToken: odd }, { makerToken: odd }]) {
      const refuses = orderOf(changes);
      expect(await refusal(refuses, await makers.sign(refuses))).toContain("TransferFailed(");
    }
  });

  it("tokens that are none to nothing", async () => {
    const nothing = orderOf({ makerToken: NATIVE_TOKEN });
    expect(await refusal(nothing, await makers.sign(nothing))).toContain("TransferFailed(");
    const native = orderOf({ takerToken: NATIVE_TOKEN });
    expect(await refusal(native, await makers.sign(native))).toContain("NativeTransferFailed(");
  });
});

describe("only the maker decides who signs for it (incident 32)", () => {
  it("not its taker, not whoever registers himself, not a signature for somewhere else", async () => {
    const order = orderOf();
    const byOther = await makers.sign(order, makers.otherKey);
    const invalid = `InvalidSignature(${order.maker})`;
    const isInvalid = async (given: MakerOrder, signature: Hex) =>
      expect((await refusal(given, signature)).toLowerCase()).toBe(invalid.toLowerCase());
    await isInvalid(order, byOther);
    for (const account of [filler, makers.otherMaker]) {
      await makers.write(account, "setSigner", makers.otherMaker, true);
      await makers.write(account, "setSigner", makers.maker, true);
    }
    await isInvalid(order, byOther);
    await isInvalid(order, await makers.sign(order, makers.key, 1));
    await isInvalid(order, await makers.sign(order, makers.key, CHAIN_ID, makers.executor));
    for (const [name, value] of Object.entries({
      ...{ trader: filler, makerToken: world.dai, takerToken: world.dai, makerAmount: ALL + 1n, takerAmount: ALL - 1n },
      ...{ minTakerAmount: 1n, expiry: order.expiry + 1n, nonce: order.nonce + 1n, refillable: true },
    })) {
      await isInvalid({ ...order, [name]: value }, await makers.sign(order));
    }
  });

  it("and the chain is the one that it is on now", async () => {
    const { node } = world;
    const order = orderOf();
    const [here, there] = [await makers.sign(order), await makers.sign(order, makers.key, 7)];
    await node.rpc("anvil_setChainId", 7);
    try {
      expect(await refusal(order, here)).toContain("InvalidSignature(");
      await node.rpc("eth_call", callOf(order, there), "latest");
    } finally {
      await node.rpc("anvil_setChainId", CHAIN_ID);
    }
    expect(await refusal(order, there)).toContain("InvalidSignature(");
  });

  it("in one form: no mirror image, no short, long, empty or zero signature", async () => {
    const order = orderOf();
    const signature = await makers.sign(order);
    const { r, s, yParity } = parseSignature(signature);
    const mirrored = numberToHex(CURVE_ORDER - BigInt(s), { size: 32 });
    const forms: Record<string, Hex> = {
      mirrored: serializeSignature({ r, s: mirrored, yParity: 1 - yParity }),
      "v of 0 or 1": `${signature.slice(0, -2)}0${yParity}` as Hex,
      short: signature.slice(0, -2) as Hex,
      long: `${signature}00`,
      empty: "0x",
      zero: `0x${"00".repeat(65)}`,
    };
    for (const [name, form] of Object.entries(forms)) {
      expect(await refusal(order, form), name).toContain("InvalidSignature(");
      const nobody = { ...order, maker: ZERO_ADDRESS };
      expect(await refusal(nobody, form), `${name}, of nobody`).toContain("InvalidSignature(");
    }
  });

  it("nor does a contract that knows no signatures (incidents 1 and 25)", async () => {
    for (const maker of [world.weth, usd, world.settlement.allowanceTarget, makers.orders]) {
      const order = orderOf({ maker });
      for (const signature of [await makers.sign(order), "0x"] as const) {
        expect(await refusal(order, signature)).toContain("InvalidSignature(");
      }
    }
  });
});

describe("a maker that is a contract", () => {
  const MOODS = ["SayYes", "SayNo", "SayYesAndMore", "SayYesInShort", "SayYesDirtily", "BurnGas", "AnswerAtLength"];
  const accepted = ["SayYes", "SayYesAndMore", "AnswerAtLength"];

  it("answers in one word, with bounded gas, or not at all", async () => {
    const { node, owner } = world;
    for (const [i, mood] of [...MOODS, "Revert"].entries()) {
      await node.write(owner, makers.contractMaker, wallet.abi, "feel", i + 1);
      const order = orderOf({ maker: makers.contractMaker });
      const call = { ...callOf(order, "0x"), gas: numberToHex(420_000) };
      if (accepted.includes(mood)) {
        await node.rpc("eth_call", call, "latest");
        continue;
      }
      // The gas that it burns leaves enough to report the error.
      const error = await node.rpc("eth_call", call, "latest").then(
        () => undefined,
        (reason: { readonly data: Hex }) => reason,
      );
      expect(revertReason(error!.data), mood).toContain("InvalidSignature(");
    }
  });

  it("burns no more of the taker's gas than it is given", async () => {
    const { node, owner } = world;
    await node.write(owner, makers.contractMaker, wallet.abi, "feel", MOODS.indexOf("BurnGas") + 1);
    const call = callOf(orderOf({ maker: makers.contractMaker }), "0x");
    const hash = await node.rpc<Hex>("eth_sendTransaction", { ...call, gas: numberToHex(3_000_000) });
    const receiptOf = () => node.rpc<{ gasUsed: Hex; status: Hex } | null>("eth_getTransactionReceipt", hash);
    await expect.poll(receiptOf).not.toBeNull();
    const receipt = await receiptOf();
    expect(receipt?.status).toBe("0x0");
    expect(Number(receipt?.gasUsed)).toBeGreaterThan(220_000);
    expect(Number(receipt?.gasUsed)).toBeLessThan(260_000);
  });

  it("can change nothing while it is asked", async () => {
    const { node, owner } = world;
    const order = orderOf({ maker: makers.contractMaker });
    const inner = orderOf({ maker: makers.contractMaker, taker: makers.contractMaker });
    await node.write(owner, makers.contractMaker, wallet.abi, "feel", MOODS.length + 2);
    const plans = [encodeFunctionData({ abi, functionName: "cancelNonces", args: [0n, 1n] }), callOf(inner, "0x").data];
    for (const data of plans) {
      await node.write(owner, makers.contractMaker, wallet.abi, "plan", makers.orders, data);
      expect(await refusal(order, "0x")).toContain("InvalidSignature(");
    }
    // Looking is allowed.
    const look = encodeFunctionData({ abi, functionName: "leastNonce", args: [filler] });
    await node.write(owner, makers.contractMaker, wallet.abi, "plan", makers.orders, look);
    await fill(order, "0x");
  });
});

describe("reentrancy (incident 36)", () => {
  it("from either token finds the door locked", async () => {
    const { node, owner } = world;
    const odd = compiled("OddToken");
    for (const side of ["takerToken", "makerToken"] as const) {
      const evil = await node.deploy(odd);
      const inner = orderOf({ taker: evil, maker: makers.otherMaker });
      const { data } = callOf(inner, await makers.sign(inner, makers.otherKey));
      await node.write(owner, evil, odd.abi, "mint", side === "takerToken" ? makers.orders : makers.maker, ALL);
      await node.write(makers.maker, evil, odd.abi, "approve", makers.orders, ALL);
      await node.write(owner, evil, odd.abi, "callDuringTransfer", makers.orders, data);
      const order = orderOf({ [side]: evil });
      await world.give(usd, makers.orders, ALL);
      await fill(order, await makers.sign(order));
      expect(await node.read(evil, odd.abi, "called")).toBe(true);
      expect(await node.read(evil, odd.abi, "succeeded")).toBe(false);
      expect(revertReason(await node.read<Hex>(evil, odd.abi, "answer"))).toBe("Reentered()");
    }
  });

  it("finds the nonce used already: it is consumed before any transfer", async () => {
    const { node, owner } = world;
    const odd = compiled("OddToken");
    const evil = await node.deploy(odd);
    await node.write(owner, evil, odd.abi, "mint", makers.orders, ALL);
    const order = orderOf({ takerToken: evil });
    const { data } = {
      data: encodeFunctionData({ abi, functionName: "usedNonces", args: [order.maker, order.nonce >> 8n] }),
    };
    await node.write(owner, evil, odd.abi, "callDuringTransfer", makers.orders, data);
    await fill(order, await makers.sign(order));
    const seen = BigInt(await node.read<Hex>(evil, odd.abi, "answer"));
    expect((seen >> (order.nonce & 255n)) & 1n).toBe(1n);
  });
});

describe("pay before collect", () => {
  it("is never asked of a maker: it has all of its payment before its token moves", async () => {
    const { node, owner } = world;
    const odd = compiled("OddToken");
    const evil = await node.deploy(odd);
    await node.write(owner, evil, odd.abi, "mint", makers.maker, ALL);
    await node.write(makers.maker, evil, odd.abi, "approve", makers.orders, ALL);
    const before = await world.balance(usd, makers.maker);
    const data = encodeFunctionData({ abi: plain, functionName: "balanceOf", args: [makers.maker] });
    await node.write(owner, evil, odd.abi, "callDuringTransfer", usd, data);
    const order = orderOf({ makerToken: evil });
    await fill(order, await makers.sign(order));
    expect(BigInt(await node.read<Hex>(evil, odd.abi, "answer")) - before).toBe(ALL);
  });
});

describe("a maker takes back what it signed", () => {
  const word = (order: MakerOrder) => [order.nonce >> 8n, 1n << (order.nonce & 255n)] as const;

  it("one nonce or many, also after a first part", async () => {
    const [order, begun, kept] = [orderOf(), orderOf({ refillable: true }), orderOf()];
    await fill(begun, await makers.sign(begun), { takerAmount: 1n });
    await makers.write(makers.maker, "cancelNonces", word(order)[0], word(order)[1] | word(begun)[1]);
    for (const each of [order, begun]) {
      expect(await refusal(each, await makers.sign(each), { takerAmount: 1n })).toBe(`NonceUsed(${each.nonce})`);
    }
    await fill(kept, await makers.sign(kept), { takerAmount: 1n });
  });

  it("all below a nonce, for good", async () => {
    const begun = orderOf({ refillable: true });
    await fill(begun, await makers.sign(begun), { takerAmount: 1n });
    const [low, high] = [orderOf({ nonce: 999n }), orderOf({ nonce: 1_000n })];
    await makers.write(makers.maker, "raiseLeastNonce", 1_000n);
    for (const each of [low, begun]) {
      expect(await refusal(each, await makers.sign(each), { takerAmount: 1n })).toBe(
        `NonceTooLow(1000, ${each.nonce})`,
      );
    }
    await fill(high, await makers.sign(high), { takerAmount: 1n });
    for (const nonce of [1_000n, 0n]) {
      const data = encodeFunctionData({ abi, functionName: "raiseLeastNonce", args: [nonce] });
      const reason = revertReason(await world.node.revertOf({ from: makers.maker, to: makers.orders, data }));
      expect(reason).toBe(`NonceTooLow(1000, ${nonce})`);
    }
  });

  it("and nobody does it for a maker", async () => {
    const order = orderOf();
    await makers.write(filler, "cancelNonces", ...word(order));
    await makers.write(filler, "raiseLeastNonce", 10n ** 9n);
    await fill(order, await makers.sign(order));
  });
});

describe("changed calldata", { timeout: 180_000 }, () => {
  /** Balances of the maker and of a bystander with an approval. */
  const holdings = async (order: MakerOrder) => ({
    got: await world.balance(order.takerToken, order.maker),
    has: await world.balance(order.makerToken, order.maker),
    bystander: [await world.balance(usd, makers.otherMaker), await world.balance(gem, makers.otherMaker)],
  });

  /** Changes each byte in turn; what does not revert never sells below the signed rate. Answers how many did not. */
  async function tryAll(order: MakerOrder, call: { from: Address; to: Address; data: Hex }) {
    const before = await holdings(order);
    const bytes = Buffer.from(call.data.slice(2), "hex");
    let done = 0;
    for (let at = 0; at < bytes.length; at++) {
      const change = 1 + ((at * 7) % 255);
      bytes[at]! ^= change;
      const data = `0x${bytes.toString("hex")}` as Hex;
      bytes[at]! ^= change;
      try {
        await world.node.rpc("eth_call", { ...call, data, gas: numberToHex(3_000_000) }, "latest");
      } catch {
        continue;
      }
      done++;
      const saved = await world.node.rpc<string>("evm_snapshot");
      await world.node.send({ ...call, data });
      const after = await holdings(order);
      await world.node.rpc("evm_revert", saved);
      const [gave, got] = [before.has - after.has, after.got - before.got];
      expect(gave * order.takerAmount, `byte ${at}`).toBeLessThanOrEqual(got * order.makerAmount);
      expect(after.bystander).toEqual(before.bystander);
    }
    return { done, tried: bytes.length };
  }

  it("of a fill reverts, or gives what was signed or less", async () => {
    const order = orderOf({ refillable: true });
    const { done, tried } = await tryAll(order, callOf(order, await makers.sign(order), { takerAmount: ALL / 2n }));
    expect(tried).toBe(4 + 32 * (11 + 4 + 1 + 3));
    // The recipient is the taker's to choose, and it may take less, and pad with what it likes.
    expect(done).toBeGreaterThan(20);
    expect(done).toBeLessThan(100);
  });

  it("of a swap reverts, or gives what was signed or less", async () => {
    const order = makers.orderOf(usd, gem, { refillable: true });
    const at = makers.worldWith([{ order, signature: await makers.sign(order) }]);
    const route = exactIn(at.world, usd, gem, ALL / 2n, [[at.ids[0]!, usd, gem]]);
    const terms = termsFor(route, { minBuyAmount: 1n });
    const { to, data } = world.settlement.encode(route, terms, at.world.actionOf);
    const { done, tried } = await tryAll(order, { from: world.taker, to, data });
    expect(tried).toBeGreaterThan(500);
    expect(done).toBeGreaterThan(20);
  });

  it("names nobody's tokens but the maker's: approvals of this contract have no other use", async () => {
    const { node, other } = world;
    // A third party that has approved it by mistake loses nothing either: every order of its own is unsigned.
    await world.give(gem, other, ALL);
    await node.write(other, gem, plain, "approve", makers.orders, ALL);
    const order = orderOf({ maker: other });
    for (const signature of ["0x", await makers.sign(order), `0x${"00".repeat(64)}1b`] as const) {
      expect(await refusal(order, signature)).toContain("InvalidSignature(");
    }
    expect(await world.balance(gem, other)).toBe(ALL);
  });
});
