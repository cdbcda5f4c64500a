import { getAddress } from "viem";
import type { Token } from "../../domain/token.ts";
import type { TokenList, TokenListEntry } from "../../domain/token-list.ts";

/** Limits of the schema of tokenlists.org, in UTF-16 code units. */
const MAX_TOKENS = 10_000;
const MAX_LIST_NAME = 30;
const MAX_NAME = 60;
const MAX_SYMBOL = 20;

/** A token as an entry that the schema accepts: a symbol without spaces, at most 20 long, a name of at most 60. */
export function tokenListEntry(chainId: number, { address, name, symbol, decimals }: Token): TokenListEntry {
  return {
    chainId,
    address: getAddress(address),
    name: cut(name.replace(/\s/g, " "), MAX_NAME),
    symbol: cut(symbol.replace(/\s/g, ""), MAX_SYMBOL),
    decimals,
  };
}

/** The name of a list with the characters that the schema allows: letters, digits, underscores and spaces. */
export function tokenListName(name: string): string {
  const clean = name
    .replace(/[^\w ]+/g, " ")
    .replace(/ +/g, " ")
    .trim();
  return clean.slice(0, MAX_LIST_NAME).trim() || "Tokens";
}

/** The tokens that a list has room for, the first ones. */
export function tokensInList<Entry>(entries: readonly Entry[]): readonly Entry[] {
  return entries.slice(0, MAX_TOKENS);
}

/** Cuts between characters, never inside one. */
function cut(text: string, most: number): string {
  let kept = "";
  for (const character of text) {
    if (kept.length + character.length > most) break;
    kept += character;
  }
  return kept;
}

/** A list made of tokens that are known, under the name of its chain. */
export function tokenListOf(
  list: Pick<TokenList, "name" | "timestamp" | "version">,
  chainId: number,
  tokens: readonly Token[],
): TokenList {
  return {
    name: tokenListName(list.name),
    timestamp: list.timestamp,
    version: list.version,
    tokens: tokensInList(tokens.map((token) => tokenListEntry(chainId, token))),
  };
}
