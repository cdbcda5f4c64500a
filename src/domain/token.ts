import type { Address } from "./address.ts";

/** An ERC-20 token, or the native token under NATIVE_TOKEN. */
export interface Token {
  readonly address: Address;
  readonly symbol: string;
  readonly name: string;
  /** 0 to 255 by the standard; tokens above 36 are refused at registration. */
  readonly decimals: number;
}
