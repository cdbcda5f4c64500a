import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import { BatchedCalls } from "./batched-calls.ts";
import { type BlockMemory, createBlockMemory } from "./block-memory.ts";
import type { Clock } from "./clock.ts";
import { blockParameter, parseBytes } from "./codec.ts";
import { parsedAnswer } from "./parsed-answer.ts";
import { createPatientCall } from "./patient-calls.ts";
import type { Provider } from "./provider.ts";
import { createRangeLogs } from "./range-logs.ts";

/** Addresses of which it is remembered that a contract stands there. */
const MOST_CODES = 10_000;

/** A reader with the one thing more that is needed for contracts that nobody vouches for. */
export interface NodeReader extends ChainReader {
  /** One call with a gas limit of its own; undefined when it reverts, runs out of gas or there is no contract. */
  callWithin(call: Call, gas: bigint, at: BlockRef): Promise<Hex | undefined>;
  /** Whether there is code at an address at a block. */
  hasCode(address: Address, at: BlockRef): Promise<boolean>;
}

/**
 * Reads of one named block, by its hash. Faults of the node are thrown (TransportError, RpcError,
 * MalformedAnswerError, BlockGoneError) and never look like an answer.
 */
export function createChainReader(
  provider: Provider,
  record: ChainRecord,
  options: {
    /** The hash that the follower holds for a height, where it has one: logs of ranges are checked against it. */
    readonly canonicalHash?: (blockNumber: bigint) => Hex | undefined;
    readonly memory?: BlockMemory;
    readonly clock?: Clock;
  } = {},
): NodeReader {
  const { multicall3 } = record;
  const memory = options.memory ?? createBlockMemory();
  /** Whether there is code at an address. */
  const codes = memory.memo<Address, boolean>({ most: MOST_CODES, lasts: (stands) => stands });
  const batched = new BatchedCalls(createPatientCall(provider, multicall3), multicall3, memory);

  async function hasCode(address: Address, at: BlockRef): Promise<boolean> {
    const known = codes.get(address, at);
    if (known !== undefined) return known;
    const params = [address, blockParameter(at)];
    const stands = await parsedAnswer(
      provider,
      "eth_getCode",
      params,
      (code) => parseBytes(code, "eth_getCode").length > 2,
    );
    codes.set(address, stands, at);
    return stands;
  }

  return {
    async calls(calls, at, limits) {
      if (calls.length === 0) return [];
      const isTogether = calls.length > 1 && (await hasCode(multicall3, at));
      return isTogether ? batched.together(calls, at, limits) : batched.singly(calls, at, limits);
    },
    logs: createRangeLogs(provider, { canonicalHash: options.canonicalHash, clock: options.clock }),
    callWithin: (call, gas, at) => batched.one(call, at, {}, gas),
    hasCode,
  };
}
