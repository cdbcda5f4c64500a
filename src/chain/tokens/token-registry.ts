import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import type { Token } from "../../domain/token.ts";
import type { TokenRegistry } from "../../quoting/ports.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { TokenLookups } from "./token-lookups.ts";
import { MAX_DECIMALS } from "./token-probe.ts";

/** Tokens by address: those of the list, the native one, and what the chain says of others when they are asked for. */
export function createTokenRegistry(options: {
  readonly lookups: Pick<TokenLookups, "known" | "find">;
  readonly tokens: readonly Token[];
  readonly record: Pick<ChainRecord, "native">;
}): TokenRegistry {
  const { lookups, record } = options;
  const native: Token = { address: NATIVE_TOKEN, ...record.native, decimals: 18 };
  const listed = new Map<Address, Token>([[NATIVE_TOKEN, native]]);
  for (const token of options.tokens) if (token.decimals <= MAX_DECIMALS) listed.set(token.address, token);
  const bySymbol = Map.groupBy(listed.values(), ({ symbol }) => symbol.toLowerCase());

  return {
    known(address) {
      const found = lookups.known(address);
      return listed.get(address) ?? (found?.isUsable ? found.token : undefined);
    },
    async find(address, account) {
      const token = listed.get(address);
      if (token !== undefined) return token;
      const found = await lookups.find(address, account);
      return found.isUsable ? found.token : undefined;
    },
    async describe(address) {
      return listed.get(address) ?? (await lookups.find(address)).token;
    },
    bySymbol: (symbol) => bySymbol.get(symbol.toLowerCase()) ?? [],
  };
}
