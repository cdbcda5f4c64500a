import type { Hex } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { CallResult } from "./multicall.ts";
import { MalformedAnswerError } from "./provider-errors.ts";

/** Calls of one request: their code stays below the 49,152 bytes of creation code (EIP-3860). */
export const MAX_BY_CODE = 120;
/** Bytes of all calldata of a request. */
export const MAX_BYTES_BY_CODE = 12_000;
/** Bytes of memory that one call's calldata is put together in, before the answers. */
const ANSWERS_AT = MAX_BYTES_BY_CODE + 32;
/** Before each answer: whether the call succeeded, and the answer's length in four bytes. */
const PREFIX = 5;
const WORD_CHARS = 64;

const MSTORE = "52";
const MSTORE8 = "53";
const CALL = "f1";
const RETURN = "f3";

/** Success goes to where the pointer is; the length behind it; the answer behind that; the pointer goes on behind all. */
const KEEP_ANSWER = "81533d60e01b81600101523d600082600501" + "3e3d01600501";
/** From the first answer to the pointer. */
const RETURN_ANSWERS = `${push(ANSWERS_AT)}9003${push(ANSWERS_AT)}f3`;

/**
 * Creation code that makes calls one after another and returns all answers: what Multicall3 does, where it is not deployed.
 * A node gives 24,576 bytes of answers at most (EIP-170), and refuses the whole beyond.
 */
export function callsCode(calls: readonly Call[]): Hex {
  const code = calls.map(({ to, data }) => {
    // CALL without value and with all gas, and nothing of the answer copied yet.
    return `${store(data)}60006000${push(bytesOf(data))}6000600073${to.slice(2)}5a${CALL}${KEEP_ANSWER}`;
  });
  return `0x${push(ANSWERS_AT)}${code.join("")}${RETURN_ANSWERS}`;
}

/** The `count` answers that this code returns. @throws MalformedAnswerError when it is not exactly that */
export function decodeCallsCode(answer: Hex, count: number): readonly CallResult[] {
  const hex = answer.slice(2);
  let at = 0;
  const results = Array.from({ length: count }, () => {
    const flag = hex.slice(at, at + 2);
    const length = Number.parseInt(hex.slice(at + 2, at + 2 * PREFIX), 16);
    const start = at + 2 * PREFIX;
    if ((flag !== "00" && flag !== "01") || Number.isNaN(length) || start + 2 * length > hex.length)
      throw new MalformedAnswerError("calls by code: cut off");
    at = start + 2 * length;
    return { success: flag === "01", returnData: `0x${hex.slice(start, at)}` as const };
  });
  if (at !== hex.length) throw new MalformedAnswerError("calls by code: more than was asked for");
  return results;
}

/** Gas that each call may take. Few honest answers take more: these are made alone (STARVED_GAS). */
export const FAILING_CALL_GAS = 5_000_000n;
/** Gas that has to be left for a call to be made: 63 parts of 64 are its own at most (EIP-150). */
const LEFT_FOR_CALL = 5_200_000;
/**
 * A call that failed and took more gas than this has run out of it: each contract on its way keeps a 64th for itself. It may work
 * with more.
 */
const STARVED_GAS = 4_500_000;
/** Gas of a request: below what nodes give to a call (50 million). */
export const FAILING_GAS = 43_000_000n;
/** Calls of one request, and the calldata of all of them: their code stays below 49,152 bytes (EIP-3860). */
export const MAX_FAILING = 200;
export const MAX_FAILING_BYTES = 12_000;
/** Bytes of one call's calldata: memory that it is put together in, before the flags. */
export const MAX_FAILING_DATA = 2_000;
const FLAGS_AT = MAX_FAILING_DATA + 32;

/** Outcome of a call; `starved` if it failed for want of gas, `not made` if the calls before it left too little gas. */
export type Outcome = "failed" | "starved" | "succeeded" | "not made";
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  ...{ "00": "failed", "01": "succeeded" },
  ...{ "04": "starved", "05": "succeeded" },
};
/** Set in the flag of a call that was not made. */
const NOT_MADE = 2;

/**
 * Creation code that makes calls with a gas limit for each, and returns one byte for each: its outcome. However much one
 * burns, it takes nothing away from the others: those that too little gas is left for are not made, and say so.
 */
export function failingCallsCode(calls: readonly Call[]): Hex {
  const code = calls.map(({ to, data }, index) => {
    // PUSH GAS LT: whether too little is left; GAS: how much is. The gas of a call that is not made is zero: DUP8 ISZERO MUL.
    const tooLittle = `${push(LEFT_FOR_CALL)}5a10`;
    const gas = `8715${push(Number(FAILING_CALL_GAS))}02`;
    const call = `${push(0)}${push(0)}${push(bytesOf(data))}${push(0)}${push(0)}73${to.slice(2)}${gas}${CALL}`;
    // SWAP1 GAS SWAP1 SUB PUSH LT PUSH1 2 SHL OR: whether it took nearly all, on top of the outcome.
    const tookAll = `905a9003${push(STARVED_GAS)}1060021b17`;
    // SWAP1 PUSH1 1 SHL OR: both, with the flag between them.
    return `${store(data)}${tooLittle}5a${call}${tookAll}9060011b17${push(FLAGS_AT + index)}${MSTORE8}`;
  });
  return `0x${code.join("")}${push(calls.length)}${push(FLAGS_AT)}${RETURN}`;
}

/** Decodes the outcomes of `count` calls. @throws MalformedAnswerError if the answer is not what that code returns */
export function outcomesIn(answer: Hex, count: number): readonly Outcome[] {
  if (answer.length !== 2 + 2 * count) throw new MalformedAnswerError("eth_call: not a flag for each call");
  return Array.from({ length: count }, (_, index) => {
    const flag = answer.slice(2 + 2 * index, 4 + 2 * index);
    if ((Number.parseInt(flag, 16) & NOT_MADE) !== 0) return "not made";
    const outcome = OUTCOMES[flag];
    if (outcome === undefined) throw new MalformedAnswerError("eth_call: not a flag");
    return outcome;
  });
}

/** Puts calldata into memory, from its beginning on. */
function store(data: Hex): string {
  const words = data.slice(2).match(/.{1,64}/g) ?? [];
  return words.map((word, at) => `7f${word.padEnd(WORD_CHARS, "0")}${push(32 * at)}${MSTORE}`).join("");
}

function bytesOf(data: Hex): number {
  return data.length / 2 - 1;
}

/** PUSH3: every number here fits into it. */
function push(value: number): string {
  return `62${value.toString(16).padStart(6, "0")}`;
}
