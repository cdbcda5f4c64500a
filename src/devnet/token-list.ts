import { tokenListOf } from "../chain/chains/fit-token-list.ts";
import { NATIVE_TOKEN } from "../domain/address.ts";
import type { Token } from "../domain/token.ts";
import type { TokenList } from "../domain/token-list.ts";

/** The list of the devnet's tokens, the native token first. The same tokens give the same list. */
export function devnetTokenList(chainId: number, tokens: readonly Token[]): TokenList {
  const native: Token = { address: NATIVE_TOKEN, symbol: "ETH", name: "Ether", decimals: 18 };
  const about = {
    name: "Tributary devnet",
    timestamp: "2025-06-15T00:00:00.000Z",
    version: { major: 1, minor: 0, patch: 0 },
  };
  return tokenListOf(about, chainId, [native, ...tokens]);
}
