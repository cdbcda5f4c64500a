import type { Address } from "../../domain/address.ts";
import type { Token } from "../../domain/token.ts";
import type { TokenRegistry } from "../../quoting/ports.ts";
import { parseAddress } from "./address.ts";
import type { Report } from "./report.ts";

/** Tokens of one symbol that are named: anybody may have one put on a list. */
const MAX_LISTED = 5;
/** Longer texts are no symbols. */
const MAX_SYMBOL_LENGTH = 32;

/**
 * A required token parameter: the address of an ERC-20 of this chain, or the native token's placeholder. A promise only
 * when the token has to be looked up, on behalf of `account`.
 */
export function parseToken(
  field: string,
  text: string | undefined,
  { tokens, account }: { readonly tokens: TokenRegistry; readonly account: string },
  report: Report,
): Token | undefined | Promise<Token | undefined> {
  if (text === undefined) {
    return report.add(field, "REQUIRED", `${field} is required: the contract address of the token.`);
  }
  const symbol = text.trim();
  const isSymbol = symbol !== "" && symbol.length <= MAX_SYMBOL_LENGTH && !/^0x/i.test(symbol);
  const listed = isSymbol ? tokens.bySymbol(symbol) : [];
  if (listed.length > 0) {
    const addresses = listed
      .slice(0, MAX_LISTED)
      .map((token) => `${token.symbol} is ${token.address}`)
      .join(", ");
    return report.add(
      field,
      "SYMBOL_INSTEAD_OF_ADDRESS",
      `${field} must be a contract address, not a symbol. In the token list ${addresses}.`,
    );
  }
  const address = parseAddress(field, text, "token", report);
  if (address === undefined) return undefined;
  return tokens.known(address) ?? findToken(field, tokens.find(address, account), address, report);
}

async function findToken(
  field: string,
  found: Promise<Token | undefined>,
  address: Address,
  report: Report,
): Promise<Token | undefined> {
  try {
    const token = await found;
    if (token !== undefined) return token;
  } catch (error) {
    return report.fail(error);
  }
  return report.add(
    field,
    "UNKNOWN_TOKEN",
    `${field} is not a usable ERC-20 token on this chain. Check the address and the chain. Given: ${address}.`,
  );
}
