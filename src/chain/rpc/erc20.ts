import type { Address, Hex } from "../../domain/address.ts";

/** The few calls of ERC-20 (EIP-20) that are made here, and how their answers are read. */

const WORD_CHARS = 64;

function word(value: bigint | Address): string {
  const hex = typeof value === "bigint" ? value.toString(16) : value.slice(2);
  return hex.padStart(WORD_CHARS, "0");
}

export const SYMBOL: Hex = "0x95d89b41";
export const NAME: Hex = "0x06fdde03";
export const DECIMALS: Hex = "0x313ce567";
export const TOTAL_SUPPLY: Hex = "0x18160ddd";

export function balanceOf(owner: Address): Hex {
  return `0x70a08231${word(owner)}`;
}

export function allowance(owner: Address, spender: Address): Hex {
  return `0xdd62ed3e${word(owner)}${word(spender)}`;
}

export function approve(spender: Address, amount: bigint): Hex {
  return `0x095ea7b3${word(spender)}${word(amount)}`;
}

export function transfer(to: Address, amount: bigint): Hex {
  return `0xa9059cbb${word(to)}${word(amount)}`;
}

export function transferFrom(from: Address, to: Address, amount: bigint): Hex {
  return `0x23b872dd${word(from)}${word(to)}${word(amount)}`;
}

/** The first word of an answer as a number; undefined when there is none. */
export function uintOf(answer: Hex | undefined): bigint | undefined {
  if (answer === undefined || answer.length < 2 + WORD_CHARS) return undefined;
  return BigInt(answer.slice(0, 2 + WORD_CHARS));
}

/** A number as a storage word. */
export function storageWord(value: bigint): Hex {
  return `0x${word(value)}`;
}
