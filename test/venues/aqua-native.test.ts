import { concat, encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from "viem";
import { expect, test } from "vitest";
import { type Address, NATIVE_TOKEN, toAddress } from "../../src/domain/address.ts";
import { strategyOf } from "../../src/venues/aqua/order.ts";
import { aqua } from "../../src/venues/aqua/source.ts";
import { PUSHED, refOf, SHIPPED } from "../../src/venues/aqua/strategies.ts";
import { instruction, USES_AQUA } from "./worlds/singletons/aqua.ts";

const account = (front: string) => toAddress(`0x${front.repeat(20)}`);
const [TOKEN, OTHER] = [account("10"), account("20")];
const SOURCE = { protocol: "aqua", source: "Aqua", fromBlock: 0n } as const;
const record = { ...SOURCE, aqua: account("a1"), router: account("a2") };
const order = { maker: account("a3"), traits: USES_AQUA, data: concat([instruction.salt(1n), instruction.product()]) };
const hash = keccak256(strategyOf(order));

function logOf(topic: Hex, data: Hex) {
  const block = { blockHash: hash, blockNumber: 1n, logIndex: 0 };
  return { ...block, address: record.aqua, topics: [topic], data };
}

/** Strategies that the logs of one announcement announce. */
function announcedWith(tokens: readonly Address[]) {
  const types = "address, address, bytes32";
  const head = [order.maker, record.router, hash] as const;
  const pushed = tokens.map((token) =>
    logOf(PUSHED, encodeAbiParameters(parseAbiParameters(`${types}, address, uint256`), [...head, token, 1n])),
  );
  const shipped = encodeAbiParameters(parseAbiParameters(`${types}, bytes`), [...head, strategyOf(order)]);
  const source = aqua(record);
  return [logOf(SHIPPED, shipped), ...pushed].flatMap((log) => source.created?.(log) ?? []);
}

test("a strategy of the native token, which Aqua cannot move, is none", () => {
  expect(announcedWith([TOKEN, OTHER])).toEqual([refOf(record, order, [TOKEN, OTHER])]);
  expect(announcedWith([NATIVE_TOKEN, OTHER])).toEqual([]);
  expect(aqua(record).isSound?.(refOf(record, order, [TOKEN, OTHER]))).toBe(true);
  expect(aqua(record).isSound?.(refOf(record, order, [NATIVE_TOKEN, OTHER]))).toBe(false);
});
