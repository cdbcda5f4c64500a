import { encodeFunctionData, parseEventLogs, type RpcLog } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { UNIT, type World } from "../../fixtures/settlement/venues.ts";
import type { Address, Hex } from "../../src/domain/address.ts";
import type { MakerOrder } from "../../src/domain/maker-order.ts";
import { orderSettlementArtifact } from "../../src/settlement/artifacts.ts";
import { makerOrderDigest } from "../../src/settlement/maker-order-digest.ts";
import { revertReason } from "../support/worlds/revert-reason.ts";
import { startWorld } from "../support/worlds/settlement-world.ts";
import { CHAIN_ID, type Makers, withMakers } from "./pools/makers.ts";

/** Records of orders in OrderSettlement, bit by bit, and the answers about them. */

const { abi } = orderSettlementArtifact;
/** Not the first of its word of 256, nor of the word's halves. */
const NONCE = 5_120n + 5n;

let makers: Makers;
let world: World;
let filler: Address;
beforeAll(async () => {
  makers = await withMakers(await startWorld());
  ({ world } = makers);
  filler = world.node.accounts[5]!;
});
beforeEach(() => world.give(world.usd, makers.orders, 1_000n * UNIT));
afterEach(() => world.restore());
afterAll(() => world?.node.stop());

const orderOf = (nonce: bigint, changes: Partial<MakerOrder> = {}) =>
  makers.orderOf(world.usd, world.gem, { taker: filler, nonce, ...changes });

async function callOf(order: MakerOrder, takerAmount = 1n) {
  const args = [order, await makers.sign(order), takerAmount, takerAmount, filler];
  return { from: filler, to: makers.orders, data: encodeFunctionData({ abi, functionName: "fill", args }) };
}
const fill = async (order: MakerOrder, takerAmount?: bigint) => world.node.send(await callOf(order, takerAmount));
const refusal = async (order: MakerOrder) => revertReason(await world.node.revertOf(await callOf(order)));

describe("a nonce", () => {
  it("stays used when those beside it and far from it are, which are free until then", async () => {
    await fill(orderOf(NONCE));
    for (const distance of [1n, -1n, 128n, 256n]) await fill(orderOf(NONCE + distance));
    for (const distance of [0n, 1n, -1n, 128n, 256n]) {
      expect(await refusal(orderOf(NONCE + distance))).toBe(`NonceUsed(${NONCE + distance})`);
    }
  });

  it("stays void when others of its word are cancelled, whether it was used, cancelled, or cancelled when begun", async () => {
    const [used, begun, cancelled, other] = [0n, 1n, 2n, 3n].map((distance) => {
      return orderOf(NONCE + distance, { refillable: distance === 1n });
    }) as [MakerOrder, MakerOrder, MakerOrder, MakerOrder];
    for (const order of [used, begun]) await fill(order);
    for (const { nonce } of [begun, cancelled, other]) {
      await makers.write(makers.maker, "cancelNonces", nonce >> 8n, 1n << (nonce & 255n));
    }
    for (const order of [used, begun, cancelled, other]) expect(await refusal(order)).toBe(`NonceUsed(${order.nonce})`);
  });
});

it("an order may be filled for its minimum", async () => {
  const order = orderOf(NONCE, { minTakerAmount: 10n });
  await fill(order, 10n);
  expect(await makers.read("usedNonces", order.maker, NONCE >> 8n)).toBe(1n << (NONCE & 255n));
});

it("a contract that reverts with the answer that means yes has not given it", async () => {
  // PUSH4 0x1626ba7e, PUSH1 224, SHL, PUSH0, MSTORE, PUSH1 32, PUSH0, then RETURN or REVERT.
  const answer = "631626ba7e60e01b5f5260205f";
  const order = orderOf(NONCE, { maker: world.node.accounts[6]! });
  await world.node.rpc("anvil_setCode", order.maker, `0x${answer}f3`);
  expect(await refusal(order)).not.toContain("InvalidSignature(");
  await world.node.rpc("anvil_setCode", order.maker, `0x${answer}fd`);
  expect(await refusal(order)).toContain("InvalidSignature(");
});

it("what happens is told", async () => {
  const { maker, otherMaker, orders } = makers;
  const told = async () => {
    const logs = await world.node.rpc<RpcLog[]>("eth_getLogs", { address: orders, fromBlock: "latest" });
    const lower = (value: unknown) => (typeof value === "string" ? value.toLowerCase() : value);
    return parseEventLogs({ abi, logs }).map((log) => {
      const { eventName, args } = log as unknown as { eventName: string; args: Readonly<Record<string, unknown>> };
      return [eventName, ...Object.values(args).map(lower)];
    });
  };
  const order = orderOf(NONCE);
  const digest: Hex = makerOrderDigest(order, CHAIN_ID, orders);
  await fill(order, 7n);
  expect(await told()).toEqual([["OrderFilled", maker, digest, 7n, 7n]]);
  await makers.write(maker, "cancelNonces", 3n, 6n);
  expect(await told()).toEqual([["NoncesCancelled", maker, 3n, 6n]]);
  await makers.write(maker, "raiseLeastNonce", 11n);
  expect(await told()).toEqual([["LeastNonceRaised", maker, 11n]]);
  for (const allowed of [true, false]) {
    await makers.write(maker, "setSigner", otherMaker, allowed);
    expect(await told()).toEqual([["SignerSet", maker, otherMaker, allowed]]);
  }
});
