import { toFunctionSelector } from "viem";
import { type Address, type Hex, NATIVE_TOKEN } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { StableswapState } from "../../pools/stableswap/state.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";

/** Readings that all stableswap pools have in common, Curve's and those of others after it. */

const COINS = toFunctionSelector("coins(uint256)");
const BALANCES = toFunctionSelector("balances(uint256)");
const DECIMALS = toFunctionSelector("decimals()");
/** Calls for each coin, before those for the pool. */
export const CALLS_PER_COIN = 3;

/** Figures of every pool, in the order in which `termsFrom` takes their answers. */
export const TERMS = ["fee()", "admin_fee()", "initial_A()", "future_A()", "initial_A_time()", "future_A_time()"].map(
  (signature) => toFunctionSelector(signature),
);

type Terms = Pick<StableswapState, "fee" | "adminFee" | "initialA" | "futureA" | "initialATime" | "futureATime">;

/** Fees and ramp of a pool; undefined where one of them is not answered. */
export function termsFrom(answers: readonly (Hex | undefined)[]): Terms | undefined {
  const words = TERMS.map((_, index) => uintAt(answers[index] ?? "0x", 0));
  const [fee, adminFee, initialA, futureA, initialATime, futureATime] = words;
  if (fee === undefined || adminFee === undefined || initialA === undefined || futureA === undefined) return undefined;
  if (initialATime === undefined || futureATime === undefined) return undefined;
  return { fee, adminFee, initialA, futureA, initialATime, futureATime };
}

export function coinCalls(pool: Address, token: Address, index: number): readonly Call[] {
  return [
    { to: pool, data: `${COINS}${wordOf(index)}` },
    balanceCall(pool, index),
    { to: token, data: DECIMALS, isForeignCall: true },
  ];
}

export function balanceCall(pool: Address, index: number): Call {
  return { to: pool, data: `${BALANCES}${wordOf(index)}` };
}

/** Balance of the coin with a number, and the rate that gives it 36 decimals; undefined where it is another coin, or one with more than 18 decimals. */
export function coinFrom(
  answers: readonly (Hex | undefined)[],
  token: Address,
  index: number,
): { readonly held: bigint; readonly rate: bigint } | undefined {
  const [coin, balance, decimals] = answers.slice(CALLS_PER_COIN * index);
  const held = balance === undefined ? undefined : uintAt(balance, 0, 128);
  const digits = token === NATIVE_TOKEN ? 18n : decimals === undefined ? undefined : uintAt(decimals, 0, 8);
  if (coin === undefined || addressAt(coin, 0) !== token || held === undefined) return undefined;
  return digits === undefined || digits > 18n ? undefined : { held, rate: 10n ** (36n - digits) };
}
