import { NATIVE_TOKEN, SwapCallError, type SwapClient } from "../../../src/client/index.ts";
import type { Network } from "../../../src/domain/network.ts";
import { refusalWords } from "../page/refusal-words.ts";
import type { Token } from "../token.ts";

const ADDRESS = /^0x[0-9a-f]{40}$/i;
/** Amounts of the native token that a route is looked for with, one after another. */
const TRIED = [10n ** 15n, 10n ** 18n, 10n ** 12n];

/** Tokens that are not on the service's list: found by address, kept in this browser. */
export interface TokenImports {
  /** Those that were imported before. */
  kept(): readonly Token[];
  keep(token: Token): void;
  /** What the service says of the token at an address, or why it cannot be traded. */
  find(address: string): Promise<Token | string>;
}

/** Whether a text is an address, in any letter case. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text.trim());
}

export function createTokenImports(client: SwapClient, { chainId, native }: Network): TokenImports {
  const place = `tributary-tokens-${chainId}`;
  const kept = (): readonly Token[] => {
    try {
      const tokens: unknown = JSON.parse(localStorage.getItem(place) ?? "[]");
      return Array.isArray(tokens) ? tokens.filter(isToken).map((token) => ({ ...token, imported: true })) : [];
    } catch {
      return [];
    }
  };
  return {
    kept,
    keep(token) {
      const others = kept().filter(({ address }) => address !== token.address);
      localStorage.setItem(place, JSON.stringify([...others, token]));
    },
    async find(text) {
      const address = text.trim();
      let why = "";
      for (const sellAmount of TRIED) {
        try {
          const { route } = await client.price({ sellToken: NATIVE_TOKEN, buyToken: address, sellAmount });
          const told = route?.tokens.find((token) => token.address === address.toLowerCase());
          if (told === undefined) return "The service does not say what this token is.";
          const { symbol, decimals } = told;
          const name = symbol === "" ? `${address.slice(0, 8)}…` : symbol;
          return { address: told.address, symbol: name, name, decimals, imported: true };
        } catch (error) {
          if (!(error instanceof SwapCallError)) throw error;
          why = refusalWords(error.problems[0]?.description ?? error.message, { ...NATIVE, symbol: native.symbol });
        }
      }
      return why;
    },
  };
}

const NATIVE: Token = { address: NATIVE_TOKEN, symbol: "", name: "", decimals: 18 };

function isToken(value: unknown): value is Token {
  const { address, symbol, name, decimals } = (value ?? {}) as Partial<Record<keyof Token, unknown>>;
  const isNamed = typeof symbol === "string" && typeof name === "string";
  return typeof address === "string" && ADDRESS.test(address) && isNamed && Number.isInteger(decimals);
}
