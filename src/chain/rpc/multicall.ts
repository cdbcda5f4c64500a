import type { Hex } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import { MalformedAnswerError } from "./provider-errors.ts";

/** One result of aggregate3: whether the call succeeded, and what it returned. */
export interface CallResult {
  readonly success: boolean;
  readonly returnData: Hex;
}

/** Multicall3.aggregate3((address target, bool allowFailure, bytes callData)[]) */
export const AGGREGATE3 = "82ad56cb";
const WORD = 64;

function word(value: number | bigint): string {
  return value.toString(16).padStart(WORD, "0");
}

function padded(bytes: string): string {
  return bytes.padEnd(Math.ceil(bytes.length / WORD) * WORD, "0");
}

/** Calldata of Multicall3's `aggregate3` with every call allowed to fail. */
export function encodeAggregate3(calls: readonly Call[]): Hex {
  const heads: string[] = [];
  const bodies: string[] = [];
  let offset = calls.length * 32;
  for (const call of calls) {
    const bytes = call.data.slice(2);
    const body = `${call.to.slice(2).padStart(WORD, "0")}${word(1)}${word(0x60)}${word(bytes.length / 2)}${padded(bytes)}`;
    heads.push(word(offset));
    bodies.push(body);
    offset += body.length / 2;
  }
  return `0x${AGGREGATE3}${word(0x20)}${word(calls.length)}${heads.join("")}${bodies.join("")}`;
}

/**
 * The `count` results in an answer of `aggregate3`.
 * @throws MalformedAnswerError when the answer is not exactly that.
 */
export function decodeAggregate3(answer: Hex, count: number): readonly CallResult[] {
  const hex = answer.slice(2);
  const start = readNumber(hex, 0) * 2;
  if (readNumber(hex, start) !== count) throw new MalformedAnswerError("aggregate3: another number of results");
  const items = start + WORD;
  return Array.from({ length: count }, (_, index) => {
    const item = items + readNumber(hex, items + index * WORD) * 2;
    const success = readNumber(hex, item);
    if (success > 1) throw new MalformedAnswerError("aggregate3: success is no boolean");
    const bytes = item + readNumber(hex, item + WORD) * 2;
    const end = bytes + WORD + readNumber(hex, bytes) * 2;
    if (end > hex.length) throw new MalformedAnswerError("aggregate3: cut off");
    return { success: success === 1, returnData: `0x${hex.slice(bytes + WORD, end)}` };
  });
}

/** A word that is an offset, a length or a flag: it has to fit in 32 bits. */
function readNumber(hex: string, at: number): number {
  const text = hex.slice(at, at + WORD);
  if (text.length !== WORD || !/^0{56}/.test(text)) throw new MalformedAnswerError("aggregate3: not an ABI answer");
  return Number.parseInt(text.slice(56), 16);
}
