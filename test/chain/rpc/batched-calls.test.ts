import { decodeFunctionData, encodeFunctionResult, parseAbi } from "viem";
import { expect, it } from "vitest";
import { BatchedCalls } from "../../../src/chain/rpc/batched-calls.ts";
import { createBlockMemory } from "../../../src/chain/rpc/block-memory.ts";
import type { PatientCall } from "../../../src/chain/rpc/retried-calls.ts";
import { type Hex, toAddress } from "../../../src/domain/address.ts";

const MULTICALL3 = toAddress(`0x${"ca".repeat(20)}`);
const abi = parseAbi([
  "struct Call3 { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call3[] calls) payable returns (Result[] returnData)",
]);
const ANSWER: Hex = `0x${"00".repeat(31)}07`;
const at = {
  number: 1n,
  hash: `0x${"11".repeat(32)}`,
  parentHash: `0x${"22".repeat(32)}`,
  timestamp: 1n,
} as const;

const callsTo = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    to: toAddress(`0x${(index + 1).toString(16).padStart(40, "0")}`),
    data: "0x01020304" as const,
  }));
/** Number of calls that failingCallsCode tries. */
const countTried = (data: Hex) => data.match(/9060011b17/g)?.length ?? 0;

/** A node whose Multicall3 makes all of its calls succeed, or none. */
function multicalling(isWorking: () => boolean, alone: PatientCall): PatientCall {
  return async (asked) => {
    const { to, data } = asked.call;
    if (to !== MULTICALL3) return alone(asked);
    const [calls] = decodeFunctionData({ abi, data }).args;
    const result = calls.map(() => ({ success: isWorking(), returnData: isWorking() ? ANSWER : ("0x" as const) }));
    return asked.decode(encodeFunctionResult({ abi, functionName: "aggregate3", result }));
  };
}

it("is not led into a request for each round by contracts that know how they are called", async () => {
  const COUNT = 60;
  let requests = 0;
  // They fail in every batch, the first of them when they are tried, and answer when they are alone.
  const node = multicalling(
    () => false,
    async ({ call: { to, data }, decode }) =>
      decode(to === undefined ? `0x00${"01".repeat(countTried(data) - 1)}` : ANSWER),
  );
  const counting: PatientCall = (asked) => {
    requests++;
    return node(asked);
  };
  const batched = new BatchedCalls(counting, MULTICALL3, createBlockMemory());
  const calls = callsTo(COUNT);
  for (let time = 0; time < 2; time++) {
    requests = 0;
    const answers = await batched.together(calls, { at, hasMulticall: true });
    expect(answers.filter((answer) => answer === ANSWER).length).toBe(COUNT - 1);
    // A batch, one that tries, another batch, and each alone.
    expect(requests).toBeLessThanOrEqual(COUNT + 3);
  }
});

it("asks for what works again in batches, however much that is", async () => {
  const COUNT = 900;
  let isWorking = false;
  let requests = 0;
  const node = multicalling(
    () => isWorking,
    async ({ call: { to, data }, decode }) =>
      to === undefined ? decode(`0x${(isWorking ? "01" : "00").repeat(countTried(data))}`) : undefined,
  );
  const counting: PatientCall = (asked) => {
    requests++;
    return node(asked);
  };
  const batched = new BatchedCalls(counting, MULTICALL3, createBlockMemory());
  const read = () => batched.together(callsTo(COUNT), { at, hasMulticall: true });
  expect(await read()).toEqual(callsTo(COUNT).map(() => undefined));
  [isWorking, requests] = [true, 0];
  expect(await read()).toEqual(callsTo(COUNT).map(() => ANSWER));
  // Five that try 200 each, and three batches.
  expect(requests).toBe(8);
});

it("lets few calls a block have all gas, of those that run out of what failing ones get, and each in its turn", async () => {
  const [COUNT, PER_BLOCK, BLOCKS] = [30, 4, 2_000];
  const calls = callsTo(COUNT);
  const heavy = calls.at(-1)!;
  let requests = 0;
  const node = multicalling(
    () => false,
    async ({ call: { to, data, gas }, decode }) => {
      if (to === undefined) return decode(`0x${"04".repeat(countTried(data))}`);
      return to === heavy.to && gas === undefined ? decode(ANSWER) : undefined;
    },
  );
  const counting: PatientCall = (asked) => {
    requests++;
    return node(asked);
  };
  const batched = new BatchedCalls(counting, MULTICALL3, createBlockMemory());
  const found: number[] = [];
  for (let block = 1; block <= BLOCKS; block++) {
    const before = requests;
    const head = { ...at, number: BigInt(block), hash: `0x${block.toString(16).padStart(64, "0")}` as const };
    const answers = await batched.together(calls, { at: head, hasMulticall: true });
    expect(answers.slice(0, -1)).toEqual(calls.slice(1).map(() => undefined));
    if (answers.at(-1) === ANSWER) found.push(block);
    // A batch, one that tries, the turns, and the one that works alone, once it is known to.
    expect(requests - before).toBeLessThanOrEqual(3 + PER_BLOCK);
  }
  const first = Math.ceil(COUNT / PER_BLOCK);
  expect(found).toEqual(Array.from({ length: BLOCKS - first + 1 }, (_, index) => first + index));
  expect(requests).toBeLessThan(BLOCKS * 3 + COUNT * (1 + Math.log2(BLOCKS)));
});
