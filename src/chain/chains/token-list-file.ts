import { readFileSync } from "node:fs";
import { z } from "zod";
import { isAddressText, toAddress } from "../../domain/address.ts";
import type { Token } from "../../domain/token.ts";
import type { TokenList } from "../../domain/token-list.ts";
import { tokenListEntry, tokenListName, tokensInList } from "./fit-token-list.ts";
import { cleanTokenText } from "./token-text.ts";

const number = z.int().min(0).catch(0);

/** A URI as the schema defines it, in a browser's spelling; undefined for anything else. */
const uri = z
  .string()
  .transform((text) => (URL.canParse(text) ? new URL(text).href : text))
  .pipe(z.string().regex(/^[a-z][\w+.-]*:(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})+$/i))
  .optional()
  .catch(undefined);

const list = z.object({
  name: z.string(),
  timestamp: z.iso.datetime({ offset: true }).catch(new Date(0).toISOString()),
  version: z.object({ major: number, minor: number, patch: number }).catch({ major: 0, minor: 0, patch: 0 }),
  logoURI: uri,
  tokens: z.array(
    z.object({
      chainId: z.int(),
      address: z.string().refine(isAddressText, { error: "must be an address" }),
      symbol: z.string().transform(cleanTokenText),
      name: z.string().transform(cleanTokenText),
      decimals: z.int().min(0).max(255),
      logoURI: uri,
    }),
  ),
});

/** The part of a token list that belongs to one chain: an address says nothing of what stands there on another. */
export interface TokenListFile {
  /** The list as it can be served: it follows the schema of tokenlists.org, whatever the file holds. */
  readonly list: TokenList;
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
  const { name, timestamp, version, logoURI, tokens: all } = result.data;
  const own = all
    .filter((token) => token.chainId === chainId)
    .map(({ logoURI: logo, ...token }) => ({ logo, token: { ...token, address: toAddress(token.address) } }));
  return {
    list: {
      name: tokenListName(name),
      timestamp,
      version,
      ...(logoURI && { logoURI }),
      tokens: tokensInList(own).map(({ logo, token }) => ({
        ...tokenListEntry(chainId, token),
        ...(logo && { logoURI: logo }),
      })),
    },
    tokens: own.map(({ token: { address, symbol, name: title, decimals } }) => ({
      address,
      symbol,
      name: title,
      decimals,
    })),
  };
}
