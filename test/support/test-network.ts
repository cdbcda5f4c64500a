import { tokenListOf } from "../../src/chain/chains/fit-token-list.ts";
import type { Network } from "../../src/domain/network.ts";
import type { TokenList } from "../../src/domain/token-list.ts";
import { NATIVE, USDC, WETH } from "./fake-quoting.ts";

/** The chain that a door in front of a fake serves. */
export const TEST_NETWORK: Network = {
  chainId: 31337,
  name: "Test Chain",
  native: { symbol: "ETH", name: "Ether" },
  wrappedNative: WETH.address,
};

/** Its token list: the native token and two others. */
export const TEST_TOKENS: TokenList = tokenListOf(
  { name: "Test", timestamp: "2025-06-15T00:00:00.000Z", version: { major: 1, minor: 0, patch: 0 } },
  TEST_NETWORK.chainId,
  [NATIVE, WETH, USDC],
);
