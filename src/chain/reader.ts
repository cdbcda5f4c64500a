import type { Address, Hex } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import type { Call, ChainReader } from "../market/chain-reader.ts";
import type { ChainRecord } from "./chains/chain-record.ts";
import { decodeAggregate3, encodeAggregate3 } from "./multicall.ts";
import { parsedAnswer } from "./parsed-answer.ts";
import type { Provider, RequestOptions } from "./provider.ts";
import { isExecutionFailure, isLimit, isUnknownBlock, RpcError } from "./provider-errors.ts";
import { createRangeLogs } from "./range-logs.ts";
import { blockParameter, parseBytes, quantityParameter } from "./wire.ts";

/** Bounds of one aggregate3 call: what public nodes take without complaint. */
const MAX_CALLS = 400;
const MAX_CALLDATA_CHARS = 200_000;
const PARALLEL_SINGLE_CALLS = 8;
const PARALLEL_BATCHES = 4;
/** Multicall3.getBlockNumber(): any node can answer it at a block that it has. */
const HARMLESS: Hex = "0x42cbb15c";

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
  } = {},
): NodeReader {
  let multicallSeen = false;

  function called<T>(
    call: Call & { readonly gas?: Hex },
    at: BlockRef,
    limits: RequestOptions | undefined,
    decode: (answer: Hex) => T,
  ): Promise<T> {
    const parse = (answer: unknown) => decode(parseBytes(answer, "eth_call"));
    return parsedAnswer(provider, "eth_call", [call, blockParameter(at)], parse, limits);
  }

  /**
   * The answer, or undefined where the call fails by itself. Nodes have words of their own for how that is: behind words
   * that are not known, the node has to answer another call at the same block and to refuse this one again.
   */
  async function answered<T>(
    call: Call & { readonly gas?: Hex },
    at: BlockRef,
    limits: RequestOptions | undefined,
    decode: (answer: Hex) => T,
  ): Promise<T | undefined> {
    const ask = () => called(call, at, limits, decode);
    try {
      return await ask();
    } catch (error) {
      if (!isOfCall(error)) throw error;
      if (isExecutionFailure(error)) return undefined;
    }
    await called({ to: record.multicall3, data: HARMLESS }, at, limits, present);
    try {
      return await ask();
    } catch (error) {
      if (isOfCall(error)) return undefined;
      throw error;
    }
  }

  function single(call: Call, at: BlockRef, limits?: RequestOptions, gas?: bigint): Promise<Hex | undefined> {
    const limit = gas === undefined ? {} : { gas: quantityParameter(gas) };
    return answered({ ...call, ...limit }, at, limits, present);
  }

  async function hasCode(address: Address, at: BlockRef): Promise<boolean> {
    const params = [address, blockParameter(at)];
    return parsedAnswer(provider, "eth_getCode", params, (code) => parseBytes(code, "eth_getCode").length > 2);
  }

  async function hasMulticall(at: BlockRef): Promise<boolean> {
    multicallSeen ||= await hasCode(record.multicall3, at);
    return multicallSeen;
  }

  async function batch(
    calls: readonly Call[],
    at: BlockRef,
    limits?: RequestOptions,
  ): Promise<readonly (Hex | undefined)[]> {
    const request = { to: record.multicall3, data: encodeAggregate3(calls) };
    const results = await answered(request, at, limits, (answer) => decodeAggregate3(answer, calls.length));
    if (results === undefined) {
      if (calls.length === 1) return [await single(calls[0]!, at, limits)];
      const middle = calls.length >> 1;
      return [...(await batch(calls.slice(0, middle), at, limits)), ...(await batch(calls.slice(middle), at, limits))];
    }
    // A failure inside a batch may be a neighbour's that burnt the gas: it is believed only when it repeats alone.
    return inParallel(results, PARALLEL_SINGLE_CALLS, (result, index) =>
      result.success ? present(result.returnData) : single(calls[index]!, at, limits),
    );
  }

  return {
    async calls(calls, at, limits) {
      if (calls.length === 0) return [];
      if (calls.length === 1 || !(await hasMulticall(at))) {
        return inParallel(calls, PARALLEL_SINGLE_CALLS, (call) => single(call, at, limits));
      }
      const answers = await inParallel(batches(calls), PARALLEL_BATCHES, (part) => batch(part, at, limits));
      return answers.flat();
    },
    logs: createRangeLogs(provider, options.canonicalHash),
    callWithin: (call, gas, at) => single(call, at, {}, gas),
    hasCode,
  };
}

function present(answer: Hex): Hex | undefined {
  return answer === "0x" ? undefined : answer;
}

/** Whether a node refuses a call for what it is: not for how many there were, nor for the block. */
function isOfCall(error: unknown): error is RpcError {
  return error instanceof RpcError && !isLimit(error) && !isUnknownBlock(error);
}

function batches(calls: readonly Call[]): readonly (readonly Call[])[] {
  const parts: Call[][] = [];
  let chars = 0;
  for (const call of calls) {
    const last = parts.at(-1);
    if (last === undefined || last.length >= MAX_CALLS || chars + call.data.length > MAX_CALLDATA_CHARS) {
      parts.push([call]);
      chars = 0;
    } else {
      last.push(call);
    }
    chars += call.data.length;
  }
  return parts;
}

/**
 * `work` on every item, at most `width` at a time; answers in the order of the items. Once it has failed for one, it begins
 * with no other.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R> | R,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const lane = async () => {
    try {
      for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index]!, index);
    } catch (error) {
      next = items.length;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
}
