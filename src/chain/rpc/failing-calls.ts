import type { Hex } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import { MalformedAnswerError } from "./provider-errors.ts";

/** Gas of each call. */
export const FAILING_CALL_GAS = 5_000_000n;
/** Calls of one request: with all the gas that each may burn they stay below what nodes give to a call (50 million). */
export const MOST_FAILING = 8;
/** Gas of the request. */
export const FAILING_GAS = FAILING_CALL_GAS * BigInt(MOST_FAILING) + 3_000_000n;
/** Bytes of calldata that are put into a request: creation code has at most 49,152 bytes (EIP-3860). */
export const MOST_FAILING_DATA = 2_000;

const MSTORE = "52";
const MSTORE8 = "53";
const CALL = "f1";
const RETURN = "f3";
const WORD_CHARS = 64;
/** Bytes of memory that calldata is put together in, before the flags. */
const FLAGS_AT = MOST_FAILING_DATA + 32;

/**
 * Creation code that makes calls with a gas limit for each, and returns one byte for each: 1 where it succeeded. However much
 * one burns, it takes nothing away from the others.
 */
export function failingCallsCode(calls: readonly Call[]): Hex {
  const code = calls.map(({ to, data }, index) => {
    const chars = data.slice(2);
    const words = chars.match(/.{1,64}/g) ?? [];
    const stores = words.map((word, at) => `7f${word.padEnd(WORD_CHARS, "0")}${push(32 * at)}${MSTORE}`).join("");
    const target = `73${to.slice(2)}${push(Number(FAILING_CALL_GAS))}`;
    const call = `${push(0)}${push(0)}${push(chars.length / 2)}${push(0)}${push(0)}${target}${CALL}`;
    return `${stores}${call}${push(FLAGS_AT + index)}${MSTORE8}`;
  });
  return `0x${code.join("")}${push(calls.length)}${push(FLAGS_AT)}${RETURN}`;
}

/** Which of so many calls succeeded. @throws MalformedAnswerError when the answer is not what that code returns */
export function flagsIn(answer: Hex, count: number): readonly boolean[] {
  if (answer.length !== 2 + 2 * count) throw new MalformedAnswerError("eth_call: not a flag for each call");
  return Array.from({ length: count }, (_, index) => {
    const flag = answer.slice(2 + 2 * index, 4 + 2 * index);
    if (flag !== "00" && flag !== "01") throw new MalformedAnswerError("eth_call: not a flag");
    return flag === "01";
  });
}

/** PUSH3: every number here fits into it. */
function push(value: number): string {
  return `62${value.toString(16).padStart(6, "0")}`;
}
