import { NATIVE_TOKEN, SwapCallError, type SwapClient, type Tokens } from "../../../src/client/index.ts";
import type { Network } from "../../../src/domain/network.ts";
import { refusalWords } from "../page/refusal-words.ts";
import type { Token } from "../token.ts";

const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** Tokens that are not on the service's list: found by address, kept in this browser. */
export interface TokenImports {
  /** Those that were imported before. */
  kept(): readonly Token[];
  keep(token: Token): void;
  /** The deepest tokens of the market that a text finds, at most a page; of all without a text. */
  search(text: string): Promise<readonly Token[]>;
  /** Looks up the token at an address; answers why it cannot be traded if so. */
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
    async search(text) {
      const { tokens } = await client.tokens(text === "" ? {} : { search: text });
      // One that no route uses, or that nobody can reckon with, is no choice.
      return tokens.flatMap((told) => (told.keptOut === undefined ? (asToken(told) ?? []) : []));
    },
    async find(text) {
      try {
        const [told] = (await client.tokens({ addresses: [text.trim()] })).tokens;
        const token = told && asToken(told);
        if (told === undefined || token === undefined) return "There is no usable token at this address on this chain.";
        if (told.keptOut !== undefined) return `This token ${told.keptOut}: it cannot be traded here.`;
        return token;
      } catch (error) {
        if (!(error instanceof SwapCallError)) throw error;
        return refusalWords(error.problems[0]?.description ?? error.message, { ...NATIVE, symbol: native.symbol });
      }
    },
  };
}

const NATIVE: Token = { address: NATIVE_TOKEN, symbol: "", name: "", decimals: 18 };

/** A token that nobody but its own contract vouches for; undefined where that tells no decimals. */
function asToken({ address, symbol, decimals }: Tokens["tokens"][number]): Token | undefined {
  if (decimals === undefined) return undefined;
  const name = symbol === "" ? `${address.slice(0, 8)}…` : symbol;
  return { address, symbol: name, name, decimals, imported: true };
}

function isToken(value: unknown): value is Token {
  const { address, symbol, name, decimals } = (value ?? {}) as Partial<Record<keyof Token, unknown>>;
  const isNamed = typeof symbol === "string" && typeof name === "string";
  return typeof address === "string" && ADDRESS.test(address) && isNamed && Number.isInteger(decimals);
}
