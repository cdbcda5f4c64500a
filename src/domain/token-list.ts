/** A token list as https://tokenlists.org defines it, with the fields that are always there. */
export interface TokenList {
  readonly name: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly version: { readonly major: number; readonly minor: number; readonly patch: number };
  readonly tokens: readonly TokenListEntry[];
}

/** One token of a list. */
export interface TokenListEntry {
  readonly chainId: number;
  /** With EIP-55 checksum, the native token under its stand-in address. */
  readonly address: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
}
