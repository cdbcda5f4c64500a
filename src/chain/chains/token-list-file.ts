import { readFileSync } from "node:fs";
import { z } from "zod";
import { isAddressText, toAddress } from "../../domain/address.ts";
import type { Token } from "../../domain/token.ts";
import { cleanTokenText } from "../token-text.ts";

const list = z.looseObject({
  name: z.string(),
  tokens: z.array(
    z.looseObject({
      chainId: z.int(),
      address: z.string().refine(isAddressText, { error: "must be an address" }),
      symbol: z.string().transform(cleanTokenText),
      name: z.string().transform(cleanTokenText),
      decimals: z.int().min(0).max(255),
    }),
  ),
});

/** The part of a token list that belongs to one chain: an address says nothing of what stands there on another. */
export interface TokenListFile {
  /** As the file holds it, without the tokens of other chains; symbols and names as they would be read of contracts. */
  readonly list: unknown;
  readonly tokens: readonly Token[];
}

/**
 * Reads a token list (tokenlists.org) from a JSON file.
 * @throws Error that names the file and what is wrong with it.
 */
export function readTokenListFile(path: string, chainId: number): TokenListFile {
  const result = list.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (!result.success) {
    const [first] = result.error.issues;
    throw new Error(`${path} is no token list: ${first?.path.join(".")} ${first?.message}`);
  }
  const own = result.data.tokens.filter((token) => token.chainId === chainId);
  return {
    list: { ...result.data, tokens: own },
    tokens: own.map(({ address, symbol, name, decimals }) => ({ address: toAddress(address), symbol, name, decimals })),
  };
}
