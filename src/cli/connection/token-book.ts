import { toBaseUnits } from "../../client/decimal.ts";
import { SwapCallError } from "../../client/index.ts";
import { type Address, isAddressText, NATIVE_TOKEN, toAddress } from "../../domain/address.ts";
import { UsageError } from "../command.ts";
import type { Connection } from "./connection.ts";

/** A token as the command line names it. */
export interface NamedToken {
  readonly address: Address;
  readonly symbol: string | undefined;
  /** Unknown for an address that is not on the service's list. */
  readonly decimals: number | undefined;
}

interface ListEntry {
  readonly address: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** Symbols for people: the API takes addresses only. */
export interface TokenBook {
  /** @throws UsageError for a symbol that no token or more than one has; SwapCallError when the list cannot be read */
  find(name: string): NamedToken;
}

/** The service's list; an empty one when it has none. When it cannot be read, only addresses are found. */
export async function readTokenBook({ url, call }: Pick<Connection, "url" | "call">): Promise<TokenBook> {
  try {
    return tokenBookOf(await fetchList(new URL("/tokens.json", url), call.timeoutMs), "the service's list");
  } catch (error) {
    const message = `the token list of ${url} cannot be read: ${readFailure(error)}`;
    const kind = error instanceof TypeError ? "NOT_REACHED" : "UNAVAILABLE";
    const { find } = tokenBookOf([], "");
    return {
      find(name) {
        // The call that follows says what is wrong with the service.
        if (isAddressText(name)) return find(name);
        throw new SwapCallError({ message, kind, cause: error });
      },
    };
  }
}

/** Tokens of a list that errors call `whose`. */
export function tokenBookOf(entries: readonly ListEntry[], whose: string): TokenBook {
  return {
    find(name) {
      if (isAddressText(name)) {
        const address = toAddress(name);
        const entry = entries.find((it) => it.address.toLowerCase() === address);
        const native = address === NATIVE_TOKEN ? 18 : undefined;
        return { address, symbol: entry?.symbol, decimals: entry?.decimals ?? native };
      }
      const matches = entries.filter((it) => it.symbol.toLowerCase() === name.toLowerCase());
      const [match] = matches;
      if (match === undefined) {
        throw new UsageError(`no token on ${whose} is called ${name}: give its contract address`);
      }
      if (matches.length > 1) {
        const addresses = matches.map(({ address }) => address).join(", ");
        throw new UsageError(`more than one token is called ${name}: give the address, one of ${addresses}`);
      }
      return { address: toAddress(match.address), symbol: match.symbol, decimals: match.decimals };
    },
  };
}

/** @throws UsageError when the amount cannot be one of this token */
export function amountOf(text: string, token: NamedToken, isBaseUnits: boolean): bigint {
  const name = token.symbol ?? token.address;
  if (isBaseUnits) {
    if (/^\d+$/.test(text)) return BigInt(text);
    throw new UsageError(`${text} is not a whole number of base units of ${name}`);
  }
  if (token.decimals === undefined) {
    throw new UsageError(`the decimals of ${name} are unknown: give the amount in base units with --base-units`);
  }
  const units = toBaseUnits(text, token.decimals);
  if (units === undefined) {
    throw new UsageError(`${text} is not an amount of ${name}: give a number with at most ${token.decimals} decimals`);
  }
  return units;
}

/** @throws Error when the answer is no token list; a service without one (HTTP 404) has an empty one */
async function fetchList(url: URL, timeoutMs: number | undefined): Promise<readonly ListEntry[]> {
  const answer = await fetch(url, timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) });
  if (answer.status === 404) return [];
  if (!answer.ok) throw new Error(`it answers HTTP ${answer.status}`);
  const list = (await answer.json()) as { readonly tokens?: unknown } | null;
  if (!Array.isArray(list?.tokens)) throw new Error("its answer is not a token list");
  return list.tokens.filter(isEntry);
}

/** fetch itself says no more than that it failed; what stood in the way is its error's cause. */
function readFailure(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
}

function isEntry(value: unknown): value is ListEntry {
  if (typeof value !== "object" || value === null) return false;
  const { address, symbol, decimals } = value as Partial<Record<keyof ListEntry, unknown>>;
  return (
    typeof address === "string" && isAddressText(address) && typeof symbol === "string" && Number.isInteger(decimals)
  );
}
