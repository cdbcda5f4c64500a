import { keccak256, toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import { addressesIn } from "../reading/abi-arrays.ts";
import { addressAt } from "../reading/words.ts";
import type { WoofiRecord } from "./record.ts";

const TOKENS = toFunctionSelector("getSupportTokens()");
/** Digits of the tokens' hash in a pool's id. */
const HASH_DIGITS = 24;

/** The helper's call for its list, and the pool that this makes: another list makes another pool. */
export function tokensCall({ helper }: WoofiRecord): Call {
  return { to: helper, data: TOKENS };
}

/** The pool with the tokens of the helper's answer, its quote token first; undefined where that lists none. */
export function listedPool({ pool }: WoofiRecord, answer: Hex | undefined): PoolRef | undefined {
  const [quote, bases] = [addressAt(answer ?? "0x", 0), addressesIn(answer ?? "0x", 1)];
  if (quote === undefined || bases === undefined) return undefined;
  // The helper turns its list around where a token is taken off.
  const others = [...new Set(bases)].filter((base) => base !== quote).sort();
  return others.length === 0 ? undefined : refOf(pool, [quote, ...others]);
}

/** The pool of these tokens, by its contract's address and some of the tokens' hash. */
export function refOf(pool: Address, tokens: readonly Address[]): PoolRef {
  const hash = keccak256(`0x${[pool, ...tokens].map((each) => each.slice(2)).join("")}`);
  return { id: `${pool}${hash.slice(2, 2 + HASH_DIGITS)}`, address: pool, tokens, terms: {} };
}
