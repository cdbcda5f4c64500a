import { getAddress } from "viem";
import { NATIVE_TOKEN } from "../domain/address.ts";
import type { Token } from "../domain/token.ts";

/** A token list as https://tokenlists.org defines it, with the fields that we fill. */
export interface TokenList {
  readonly name: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly version: { readonly major: number; readonly minor: number; readonly patch: number };
  readonly tokens: readonly TokenListEntry[];
}

interface TokenListEntry {
  readonly chainId: number;
  /** With EIP-55 checksum, the native token under its stand-in address. */
  readonly address: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** The list of the devnet's tokens, the native token first. The same tokens give the same list. */
export function devnetTokenList(chainId: number, tokens: readonly Token[]): TokenList {
  const native: Token = { address: NATIVE_TOKEN, symbol: "ETH", name: "Ether", decimals: 18 };
  return {
    name: "Tributary devnet",
    timestamp: "2025-06-15T00:00:00.000Z",
    version: { major: 1, minor: 0, patch: 0 },
    tokens: [native, ...tokens].map(({ address, name, symbol, decimals }) => ({
      chainId,
      address: getAddress(address),
      name,
      symbol,
      decimals,
    })),
  };
}
