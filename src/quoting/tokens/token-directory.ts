import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Ratio } from "../../domain/ratio.ts";
import type { Token } from "../../domain/token.ts";

/** Bounds of one request for tokens. */
export const TOKEN_PAGE = { mostTokens: 100, tokens: 50, mostAddresses: 100, mostSearchLength: 64 } as const;

/** Tokens to list: by page, text or address. */
export type TokenQuery =
  | {
      readonly kind: "page";
      /** Lower case; absent: all tokens. */
      readonly search?: string;
      /** Place of the last token of the page before. */
      readonly after?: string;
      readonly most: number;
    }
  | { readonly kind: "addresses"; readonly addresses: readonly Address[]; readonly account: string };

/** One token as the list shows it. */
export interface TradableToken {
  readonly address: Address;
  /** Token's own description; absent if nobody has asked it. */
  readonly token?: Token;
  /** Whole tokens per whole native token; null when unknown. */
  readonly nativeRate: Ratio | null;
  /** Wei, by floating-point curves; absent where the rate is unknown. */
  readonly depth?: bigint;
  readonly pools: number;
  /** Why no route uses it, as the rest of a sentence that begins with the token. */
  readonly keptOut?: string;
}

/** Tokens of one block. */
export interface TokenPage {
  readonly block: BlockRef;
  readonly tokens: readonly TradableToken[];
  /** Place of the last one, where more follow. */
  readonly next?: string;
}

/** The tokens that can be traded. */
export interface TokenDirectory {
  /** Number of addresses that a request looks up on the chain: those not named yet. */
  lookUps(query: TokenQuery): number;
  /** @throws SwapError when there is no fresh state of the chain, or a token cannot be looked up now */
  list(query: TokenQuery): Promise<TokenPage>;
}
