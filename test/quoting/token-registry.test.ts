import { BARE, fakeTokens, NATIVE, USDC, WBTC, WETH } from "../../fixtures/door/fake-quoting.ts";
import { createTokenRegistry } from "../../src/chain/tokens/token-registry.ts";
import { openMarket } from "../../src/compose/snapshot-market.ts";
import { type Address, toAddress } from "../../src/domain/address.ts";
import type { Token } from "../../src/domain/token.ts";
import { savedMarketOf } from "../support/saved-market.ts";
import { describeTokenRegistry } from "./token-registry.suite.ts";

/** Two tokens share a symbol: hints name both. */
const LISTED: readonly Token[] = [WETH, USDC, WBTC, { ...USDC, address: toAddress(`0x${"c0".repeat(20)}`) }];

/** The chain's registry with a list of its own; of the other tokens the chain tells when it is asked. */
function registryOf(listed: readonly Token[], others: readonly Token[]) {
  const found = new Map(others.map((token) => [token.address, { isUsable: true, token }]));
  const unusable = (address: Address) => ({ isUsable: false, token: { address, symbol: "", name: "", decimals: 0 } });
  return createTokenRegistry({
    lookups: {
      known: (address) => found.get(address),
      find: async (address) => found.get(address) ?? unusable(address),
    },
    tokens: listed,
    record: { native: { symbol: NATIVE.symbol, name: NATIVE.name } },
  });
}

describeTokenRegistry("of the chain, from its list", () => ({
  tokens: [NATIVE, ...LISTED],
  registry: registryOf(LISTED, []),
}));

describeTokenRegistry("of the chain, some of them looked up", () => {
  const unlisted = [{ ...WBTC, address: toAddress(`0x${"c1".repeat(20)}`), symbol: "UNLISTED" }];
  return { tokens: [NATIVE, ...LISTED], unlisted, registry: registryOf(LISTED, unlisted) };
});

describeTokenRegistry("of a saved market", () => {
  const tokens = [NATIVE, ...LISTED];
  const { tokens: registry } = openMarket(savedMarketOf(tokens));
  return { tokens, registry };
});

describeTokenRegistry("of the fake", () => ({ tokens: [WETH, USDC, WBTC, NATIVE, BARE], registry: fakeTokens }));
