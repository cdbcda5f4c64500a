import { toFunctionSelector } from "viem";
import { type Hex, NATIVE_TOKEN, toAddress } from "../../domain/address.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { amplificationAt } from "../../pools/stableswap/invariant.ts";
import type { StableswapState } from "../../pools/stableswap/state.ts";
import { callGroups } from "../reading/call-groups.ts";
import { withMatchingQuotes } from "../reading/matching-quotes.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";
import { coinsOf, shareCalls, supplyFrom } from "./shares.ts";

type StableswapPool = Extract<Pool, { curve: "stableswap" }>;

const COINS = toFunctionSelector("coins(uint256)");
const BALANCES = toFunctionSelector("balances(uint256)");
const DECIMALS = toFunctionSelector("decimals()");
/** In the order in which their answers are read. */
const FIGURES = [
  "fee()",
  "admin_fee()",
  "initial_A()",
  "future_A()",
  "initial_A_time()",
  "future_A_time()",
  "A_precise()",
  "A()",
  "is_killed()",
  "offpeg_fee_multiplier()",
  "stored_rates()",
  "BASE_POOL()",
  "totalSupply()",
].map((signature) => toFunctionSelector(signature));
/** Calls for each coin, before those for the pool. */
const CALLS_PER_COIN = 3;
/** Positions among the figures. */
const [STORED_RATES, BASE_POOL, TOTAL_SUPPLY] = [10, 11, 12] as const;
const GET_DY = toFunctionSelector("get_dy(int128,int128,uint256)");
/** Base units that `get_dy` may be off: it takes the fee of a rounded amount in the oldest pools. */
const ROUNDINGS = 2n;
const VIRTUAL_PRICE = toFunctionSelector("get_virtual_price()");
const KEPT_PRICE = toFunctionSelector("base_virtual_price()");
const KEPT_SINCE = toFunctionSelector("base_cache_updated()");
/** Calls about a metapool's base pool, these three. */
const CALLS_FOR_BASE = 3;
/** For so many seconds the first metapools keep the virtual price that they have asked for. */
const KEPT_SECONDS = 600n;

/**
 * Pools at `at`; those left out whose coins are not the record's, whose figures are none of such a pool, or that do not pay
 * what the formulas say.
 */
export async function syncPools(
  source: SourceId,
  { chain, at, reportUnserved }: Reading,
  refs: readonly PoolRef[],
): Promise<readonly Pool[]> {
  const answers = await callGroups(chain, refs.map(callsFor), at);
  const pools = refs.flatMap((ref, index): StableswapPool[] => {
    const state = stateFrom(ref, answers[index] ?? [], at.timestamp);
    if (state === undefined) return [];
    const controllers = ref.terms.controlled === undefined ? undefined : [ref.address];
    const pool = { id: ref.id, source, tokens: ref.tokens, ...(controllers && { controllers }) };
    return [{ ...pool, curve: "stableswap", state }];
  });
  const paying = await withMatchingQuotes(chain, pools, at, { getDy: GET_DY, within: ROUNDINGS });
  for (const pool of pools) if (!paying.includes(pool)) reportUnserved(pool.id, "UNKNOWN_VERSION");
  return paying;
}

function callsFor(ref: PoolRef): readonly Call[] {
  const {
    address,
    terms: { basePool },
  } = ref;
  return [
    ...coinsOf(ref).flatMap((token, i): readonly Call[] => [
      { to: address, data: `${COINS}${wordOf(i)}` },
      { to: address, data: `${BALANCES}${wordOf(i)}` },
      { to: token, data: DECIMALS, isForeignCall: true },
    ]),
    ...FIGURES.map((data) => ({ to: address, data })),
    ...(basePool === undefined
      ? []
      : [
          { to: toAddress(basePool), data: VIRTUAL_PRICE },
          { to: address, data: KEPT_PRICE },
          { to: address, data: KEPT_SINCE },
        ]),
    ...shareCalls(ref),
  ];
}

function stateFrom(ref: PoolRef, answers: readonly (Hex | undefined)[], time: bigint): StableswapState | undefined {
  const { basePool, generation } = ref.terms;
  const coins = coinsOf(ref);
  const figures = answers.slice(CALLS_PER_COIN * coins.length);
  const [fee, adminFee, initialA, futureA, initialATime, futureATime, precise, plain, killed, multiplier] = figures.map(
    (answer) => (answer === undefined ? undefined : uintAt(answer, 0)),
  );
  if (fee === undefined || adminFee === undefined || initialA === undefined || futureA === undefined) return undefined;
  if (initialATime === undefined || futureATime === undefined) return undefined;
  const ng = generation === "ng";
  if (ng && (multiplier === undefined || !isBase(figures[BASE_POOL], basePool))) return undefined;

  const ofBase = figures.slice(FIGURES.length, FIGURES.length + (basePool === undefined ? 0 : CALLS_FOR_BASE));
  const base = ng ? undefined : baseRate(ofBase, time);
  const balances: bigint[] = [];
  const rates: bigint[] = [];
  for (const [i, token] of coins.entries()) {
    const [coin, balance, decimals] = answers.slice(CALLS_PER_COIN * i);
    const held = balance === undefined ? undefined : uintAt(balance, 0, 128);
    const digits = token === NATIVE_TOKEN ? 18n : decimals === undefined ? undefined : uintAt(decimals, 0, 8);
    if (coin === undefined || addressAt(coin, 0) !== token || held === undefined) return undefined;
    if (digits === undefined || digits > 18n) return undefined;
    const isShare = basePool !== undefined && i === coins.length - 1;
    const rate = ng ? rateAt(figures[STORED_RATES], i, coins.length) : isShare ? base?.rate : 10n ** (36n - digits);
    if (rate === undefined || rate === 0n) return undefined;
    balances.push(held);
    rates.push(rate);
  }
  const state: StableswapState = {
    ...{ balances, rates, initialA, futureA, initialATime, futureATime },
    aPrecision: precise === undefined ? 1n : 100n,
    ...{ fee, adminFee, killed: (killed ?? 0n) !== 0n },
    generation: ng || isOfFactory(ref, figures[TOTAL_SUPPLY]) ? "ng" : "old",
    ...(ng && multiplier !== undefined && { offpegFeeMultiplier: multiplier }),
    ...(basePool !== undefined && !base?.kept && { basePool }),
  };
  // The pool's own answer at this time has to be the result of its ramp.
  if (amplificationAt(state, time) !== (precise ?? plain)) return undefined;
  const totalSupply = supplyFrom(ref, figures.slice(FIGURES.length + ofBase.length), state, time);
  return totalSupply === undefined ? state : { ...state, totalSupply };
}

/** Whether it is one of the factory's plain pools of two coins before NG: those are their own share. */
function isOfFactory({ tokens, terms }: PoolRef, supply: Hex | undefined): boolean {
  return coinsOf({ tokens, terms }).length === 2 && terms.basePool === undefined && !!uintAt(supply ?? "0x", 0);
}

/** Whether a pool of StableSwap-NG is what the record says: a metapool of that pool, which tells it so, or none. */
function isBase(answer: Hex | undefined, basePool: string | undefined): boolean {
  return (answer === undefined ? undefined : addressAt(answer, 0)) === basePool;
}

/** Rate at which a metapool takes a share of its base pool: its virtual price, or the cached one if that is recent. */
function baseRate(answers: readonly (Hex | undefined)[], time: bigint): { rate: bigint | undefined; kept: boolean } {
  const [now, price, since] = answers.map((answer) => (answer === undefined ? undefined : uintAt(answer, 0, 128)));
  const kept = price !== undefined && since !== undefined && time <= since + KEPT_SECONDS;
  return { rate: kept ? price : now, kept };
}

/** A rate out of a dynamic array of them. */
function rateAt(answer: Hex | undefined, index: number, count: number): bigint | undefined {
  if (answer === undefined || uintAt(answer, 0) !== 32n || uintAt(answer, 1) !== BigInt(count)) return undefined;
  return uintAt(answer, 2 + index, 128);
}
