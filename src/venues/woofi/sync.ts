import { toFunctionSelector } from "viem";
import type { Hex } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { impossibleWoo } from "../../pools/woofi/impossible.ts";
import type { WooBase, WooState } from "../../pools/woofi/state.ts";
import { callGroups } from "../reading/call-groups.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";
import { withKnownSpread } from "./probes.ts";
import type { WoofiRecord } from "./record.ts";
import { listedPool, tokensCall } from "./tokens.ts";

const POOL = {
  oracle: toFunctionSelector("wooracle()"),
  quoteToken: toFunctionSelector("quoteToken()"),
  paused: toFunctionSelector("paused()"),
  info: toFunctionSelector("tokenInfos(address)"),
  balance: toFunctionSelector("balance(address)"),
} as const;
const ORACLE = {
  pool: toFunctionSelector("wooPP()"),
  timestamp: toFunctionSelector("timestamp()"),
  staleDuration: toFunctionSelector("staleDuration()"),
  state: toFunctionSelector("state(address)"),
  isFresh: toFunctionSelector("isWoFeasible(address)"),
  decimals: toFunctionSelector("decimals(address)"),
} as const;
const DECIMALS = toFunctionSelector("decimals()");
/** 10^19 is the largest power of ten that the pool's own numbers of 64 bits hold. */
const MAX_DECIMALS = 19n;

type Words = readonly (Hex | undefined)[];

/**
 * The pool at a block, whole: the oracle posts its prices without a log. A base token that the oracle has no good price of, or
 * of which the pool lacks a part of its reserve, is there without a price. What the pool pays has to be what it says itself.
 */
export async function syncPool(venue: WoofiRecord, ref: PoolRef, reading: Reading): Promise<readonly Pool[]> {
  const { chain, at, reportUnserved } = reading;
  const { pool, oracle, source } = venue;
  const [general = [], ...tokens] = await callGroups(
    chain,
    [generalCalls(venue), ...ref.tokens.map((token) => tokenCalls(venue, token))],
    at,
  );
  const left = (reason: Parameters<Reading["reportUnserved"]>[1]) => {
    reportUnserved(ref.id, reason);
    return [];
  };
  const [list, byPool, quoteToken, paused, byOracle, timestamp, staleDuration] = general;
  // Another list of tokens is another pool, which the helper's listing finds.
  if (listedPool(venue, list)?.id !== ref.id || addressAt(quoteToken ?? "0x", 0) !== ref.tokens[0])
    return left("NOT_READABLE");
  if (addressAt(byPool ?? "0x", 0) !== oracle || addressAt(byOracle ?? "0x", 0) !== pool)
    return left("UNKNOWN_VERSION");
  const isPaused = uintAt(paused ?? "0x", 0, 1);
  if (isPaused !== 0n) return left(isPaused === 1n ? "PAUSED" : "NOT_READABLE");
  const [posted, lasts] = [uintAt(timestamp ?? "0x", 0, 64), uintAt(staleDuration ?? "0x", 0, 64)];
  if (posted === undefined || lasts === undefined) return left("NOT_READABLE");
  const state = stateFrom(tokens, posted + lasts);
  if (state === undefined || impossibleWoo(state) !== undefined) return left("NOT_READABLE");
  const checked = await withKnownSpread(venue, ref, reading, state);
  return checked === undefined
    ? left("UNKNOWN_VERSION")
    : [{ id: ref.id, source, tokens: ref.tokens, curve: "woofi", state: checked }];
}

function generalCalls(venue: WoofiRecord): readonly Call[] {
  const { pool, oracle } = venue;
  return [
    tokensCall(venue),
    ...[POOL.oracle, POOL.quoteToken, POOL.paused].map((data): Call => ({ to: pool, data })),
    ...[ORACLE.pool, ORACLE.timestamp, ORACLE.staleDuration].map((data): Call => ({ to: oracle, data })),
  ];
}

function tokenCalls({ pool, oracle }: WoofiRecord, token: PoolRef["tokens"][number]): readonly Call[] {
  const of = (selector: Hex): Hex => `${selector}${wordOf(BigInt(token))}`;
  return [
    ...[POOL.info, POOL.balance].map((selector): Call => ({ to: pool, data: of(selector) })),
    { to: token, data: DECIMALS },
    ...[ORACLE.state, ORACLE.isFresh, ORACLE.decimals].map((selector): Call => ({ to: oracle, data: of(selector) })),
  ];
}

function stateFrom([quote = [], ...others]: readonly Words[], goodUntil: bigint): WooState | undefined {
  const [quoteToken, bases] = [tokenFrom(quote), others.map(tokenFrom)];
  if (quoteToken === undefined || !quoteToken.isWhole || bases.length === 0) return undefined;
  const [priceUnit] = others.flatMap((words) => unitFrom(words[5]) ?? []);
  if (priceUnit === undefined || bases.some((base) => base === undefined)) return undefined;
  return {
    quoteUnit: quoteToken.unit,
    priceUnit,
    reserves: [quoteToken.reserve, ...bases.map((base) => base!.reserve)],
    bases: bases.map((base, i): WooBase => {
      const { unit, terms, isWhole } = base!;
      const price = isWhole ? priceFrom(others[i]!, priceUnit, goodUntil) : undefined;
      return { unit, ...terms, ...(price ?? { price: 0n, spread: 0n, coeff: 0n }) };
    }),
    // As the probes find it.
    spreads: "halved",
  };
}

/** Terms of a token at the pool; undefined where it does not tell them. */
function tokenFrom([info = "0x", balance = "0x", decimals]: Words) {
  const [reserve, feeRate, maxGamma, maxNotional] = [192, 16, 128, 128].map((bits, word) => uintAt(info, word, bits));
  const [held, unit] = [uintAt(balance, 0), unitFrom(decimals)];
  if (held === undefined || unit === undefined || reserve === undefined) return undefined;
  if (feeRate === undefined || maxGamma === undefined || maxNotional === undefined) return undefined;
  return { unit, reserve, terms: { feeRate, maxGamma, maxNotional }, isWhole: held >= reserve };
}

/** The oracle's price of a base token, if the pool may trade at it. */
function priceFrom(
  [, , , state = "0x", isFresh = "0x", decimals]: Words,
  priceUnit: bigint,
  goodUntil: bigint,
): Pick<WooBase, "price" | "spread" | "coeff" | "goodUntil"> | undefined {
  const [price, spread, coeff, isFeasible] = [128, 64, 64, 1].map((bits, word) => uintAt(state, word, bits));
  const fresh = uintAt(isFresh, 0, 1);
  if (isFeasible !== 1n || !price || fresh === undefined || unitFrom(decimals) !== priceUnit) return undefined;
  if (spread === undefined || coeff === undefined) return undefined;
  // A stale price whose place the reference price has taken does not turn stale again.
  return { price, spread, coeff, ...(fresh === 1n && { goodUntil }) };
}

function unitFrom(decimals: Hex | undefined): bigint | undefined {
  const digits = uintAt(decimals ?? "0x", 0, 8);
  return digits === undefined || digits > MAX_DECIMALS ? undefined : 10n ** digits;
}
