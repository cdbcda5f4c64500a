import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import { type BlockMemory, createBlockMemory } from "./block-memory.ts";
import { blockParameter, parseBytes, quantityParameter } from "./codec.ts";
import { inParallel } from "./in-parallel.ts";
import { decodeAggregate3, encodeAggregate3 } from "./multicall.ts";
import { parsedAnswer } from "./parsed-answer.ts";
import type { Provider, RequestOptions } from "./provider.ts";
import { AnswerTooLargeError, isExecutionFailure, isLimit, isUnknownBlock, RpcError } from "./provider-errors.ts";
import { createRangeLogs } from "./range-logs.ts";

/** Bounds of one aggregate3 call: what public nodes take without complaint. */
const MAX_CALLS = 400;
const MAX_CALLDATA_CHARS = 200_000;
const PARALLEL_SINGLE_CALLS = 8;
const PARALLEL_BATCHES = 4;
/** Gas of a call that has failed before with all that the node gives: no honest answer takes more. */
const APART_GAS = 5_000_000n;
/** Calls that are remembered to have failed; the oldest are forgotten. */
const MOST_APART = 10_000;
/** Addresses of which it is remembered that a contract stands there. */
const MOST_CODES = 10_000;
/** How often a node has to refuse a call: one that fails now and then does so twice in a row, and a new pool was left out. */
const REFUSALS = 3;
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
    readonly memory?: BlockMemory;
  } = {},
): NodeReader {
  const memory = options.memory ?? createBlockMemory();
  /** Whether there is code at an address. */
  const codes = memory.memo<Address, boolean>({ most: MOST_CODES, lasts: (stands) => stands });
  /**
   * Calls that failed in a batch and alone. They are made apart until they work: anybody's contract may burn the gas of all
   * others in a batch, which then have to be made one by one, with every block.
   */
  const apart = memory.memo<string, true>({ most: MOST_APART });

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
   * that are not known, the node has to refuse this call again and again, and to answer another one at the same block
   * each time between.
   */
  async function answered<T>(
    call: Call & { readonly gas?: Hex },
    at: BlockRef,
    limits: RequestOptions | undefined,
    decode: (answer: Hex) => T,
  ): Promise<T | undefined> {
    for (let refusals = 1; ; refusals++) {
      try {
        return await called(call, at, limits, decode);
      } catch (error) {
        if (error instanceof AnswerTooLargeError) return undefined;
        if (!isOfCall(error)) throw error;
        if (isExecutionFailure(error) || refusals === REFUSALS) return undefined;
      }
      await called({ to: record.multicall3, data: HARMLESS }, at, limits, present);
    }
  }

  function single(call: Call, at: BlockRef, limits?: RequestOptions, gas?: bigint): Promise<Hex | undefined> {
    const limit = gas === undefined ? {} : { gas: quantityParameter(gas) };
    return answered({ ...call, ...limit }, at, limits, present);
  }

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

  async function batch(
    calls: readonly Call[],
    at: BlockRef,
    limits?: RequestOptions,
  ): Promise<readonly (Hex | undefined)[]> {
    const request = { to: record.multicall3, data: encodeAggregate3(calls) };
    const results = await answered(request, at, limits, (answer) => decodeAggregate3(answer, calls.length));
    if (results === undefined) {
      if (calls.length === 1) return [await repeated(calls[0]!, at, limits)];
      const middle = calls.length >> 1;
      return [...(await batch(calls.slice(0, middle), at, limits)), ...(await batch(calls.slice(middle), at, limits))];
    }
    // A failure inside a batch may be a neighbour's that burnt the gas: it is believed only when it repeats alone.
    return inParallel(results, PARALLEL_SINGLE_CALLS, (result, index) =>
      result.success ? present(result.returnData) : repeated(calls[index]!, at, limits),
    );
  }

  /** A call that has failed in a batch, made alone. */
  async function repeated(call: Call, at: BlockRef, limits?: RequestOptions): Promise<Hex | undefined> {
    const answer = await single(call, at, limits);
    if (answer === undefined) apart.set(keyOf(call), true, at);
    return answer;
  }

  /** One of the calls that are made apart; one that works goes with the others again. */
  async function alone(call: Call, at: BlockRef, limits?: RequestOptions): Promise<Hex | undefined> {
    const answer = await single(call, at, limits, APART_GAS);
    if (answer !== undefined) apart.delete(keyOf(call));
    return answer;
  }

  return {
    async calls(calls, at, limits) {
      if (calls.length === 0) return [];
      if (calls.length === 1 || !(await hasCode(record.multicall3, at))) {
        return inParallel(calls, PARALLEL_SINGLE_CALLS, (call) => single(call, at, limits));
      }
      const isApart = calls.map((call) => apart.size > 0 && apart.get(keyOf(call), at) === true);
      const together = calls.filter((_, index) => !isApart[index]);
      const [ofBatches, ofOthers] = await Promise.all([
        inParallel(batches(together), PARALLEL_BATCHES, (part) => batch(part, at, limits)),
        inParallel(
          calls.filter((_, index) => isApart[index]),
          PARALLEL_SINGLE_CALLS,
          (call) => alone(call, at, limits),
        ),
      ]);
      const [answers, others] = [ofBatches.flat().values(), ofOthers.values()];
      return isApart.map((wasApart) => (wasApart ? others : answers).next().value);
    },
    logs: createRangeLogs(provider, options.canonicalHash),
    callWithin: (call, gas, at) => single(call, at, {}, gas),
    hasCode,
  };
}

function keyOf({ to, data }: Call): string {
  return `${to}${data}`;
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
