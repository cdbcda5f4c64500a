import type { Address } from "./address.ts";

/** An ERC-20 token, or the native token under NATIVE_TOKEN. */
export interface Token {
  readonly address: Address;
  /** Empty where the contract tells none: EIP-20 leaves `symbol()` and `name()` to it. */
  readonly symbol: string;
  readonly name: string;
  /** 0 to 255 by the standard; tokens above 36 are refused at registration. */
  readonly decimals: number;
  /** The contract has no `decimals()`: its amounts are whole units, and `decimals` is 0. */
  readonly wholeUnits?: true;
}

/** A token for a sentence: its symbol, where it has one, and its address. */
export function nameOf({ symbol, address }: Pick<Token, "symbol" | "address">): string {
  return symbol === "" ? address : `${symbol} (${address})`;
}
