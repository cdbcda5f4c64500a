import { NATIVE_TOKEN, toAddress } from "../../src/domain/address.ts";
import type { Token } from "../../src/domain/token.ts";
import type { SavedMarket } from "../../src/snapshot/file.ts";

/** A saved market that knows these tokens, and no pool. */
export function savedMarketOf(tokens: readonly Token[]): SavedMarket {
  return {
    chainId: 1,
    wrappedNative: toAddress(`0x${"c2".repeat(20)}`),
    referenceTokens: [],
    mostGas: 10n ** 7n,
    sources: [],
    pools: [],
    block: { number: 1n, hash: "0x01", parentHash: "0x00", timestamp: 1n },
    gasPrice: 1n,
    tokens,
    hopTokens: [NATIVE_TOKEN],
  };
}
