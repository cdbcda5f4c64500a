import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call } from "../../market/chain-reader.ts";
import { blockParameter, parseBytes } from "./codec.ts";
import { parsedAnswer } from "./parsed-answer.ts";
import type { Provider, RequestOptions } from "./provider.ts";
import {
  AnswerTooLargeError,
  isAccountRefusal,
  isExecutionFailure,
  isLimit,
  isUnknownBlock,
  RpcError,
} from "./provider-errors.ts";

/** Refusals in a row before a call counts as refused. A faulty node refuses twice by chance, and pools were lost. */
const REFUSALS = 3;
/** Multicall3.getBlockNumber(): any node can answer it at a block that it has. */
const HARMLESS: Hex = "0x42cbb15c";

/** One eth_call, and what its answer is made into. */
export interface SingleCall<T> {
  /** Without an address its bytes are creation code. */
  readonly call: Omit<Call, "to"> & Partial<Pick<Call, "to">> & { readonly gas?: Hex };
  readonly at: BlockRef;
  readonly limits?: RequestOptions | undefined;
  readonly decode: (answer: Hex) => T;
}

/** Makes one call: its answer, or undefined where the call fails by itself. @throws faults of the node */
export type PatientCall = <T>(asked: SingleCall<T>) => Promise<T | undefined>;

/**
 * Nodes have words of their own for how a call fails: behind words that are not known, the node has to refuse this call
 * again and again, and to answer another one at the same block each time between.
 */
export function createPatientCall(provider: Provider, multicall3: Address): PatientCall {
  function called<T>({ call, at, limits, decode }: SingleCall<T>): Promise<T> {
    const parse = (answer: unknown) => decode(parseBytes(answer, "eth_call"));
    return parsedAnswer(provider, "eth_call", [call, blockParameter(at)], parse, limits);
  }

  return async (asked) => {
    for (let refusals = 1; ; refusals++) {
      try {
        return await called(asked);
      } catch (error) {
        if (error instanceof AnswerTooLargeError) return undefined;
        if (!isOfCall(error)) throw error;
        if (isExecutionFailure(error) || refusals === REFUSALS) return undefined;
      }
      await called({ ...asked, call: { to: multicall3, data: HARMLESS }, decode: present });
    }
  };
}

/** Return data of a call; undefined if empty, as without a contract. */
export function present(answer: Hex): Hex | undefined {
  return answer === "0x" ? undefined : answer;
}

/** Whether a node refuses a call for what it is: not for how many there were, for the block, nor for who asks. */
function isOfCall(error: unknown): error is RpcError {
  return error instanceof RpcError && !isLimit(error) && !isUnknownBlock(error) && !isAccountRefusal(error);
}
