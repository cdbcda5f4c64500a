import { toFunctionSelector } from "viem";
import { type Hex, toAddress } from "../../domain/address.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { amplificationAt } from "../../pools/stableswap/invariant.ts";
import type { StableswapState } from "../../pools/stableswap/state.ts";
import { callGroups } from "../reading/call-groups.ts";
import { withMatchingQuotes } from "../reading/matching-quotes.ts";
import { addressAt, uintAt } from "../reading/words.ts";
import { CALLS_PER_COIN, coinCalls, coinFrom, TERMS, termsFrom } from "./figures.ts";
import { coinsOf, shareCalls, supplyFrom } from "./shares.ts";

type StableswapPool = Extract<Pool, { curve: "stableswap" }>;

/** In the order in which their answers are read, behind the terms. */
const FIGURES = [
  "A_precise()",
  "A()",
  "is_killed()",
  "offpeg_fee_multiplier()",
  "stored_rates()",
  "BASE_POOL()",
  "totalSupply()",
].map((signature) => toFunctionSelector(signature));
/** Positions among the figures. */
const [STORED_RATES, BASE_POOL, TOTAL_SUPPLY] = [4, 5, 6] as const;
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
  reading: Reading,
  refs: readonly PoolRef[],
): Promise<readonly Pool[]> {
  const { chain, at } = reading;
  const answers = await callGroups(chain, refs.map(callsFor), at);
  const pools = refs.flatMap((ref, index): StableswapPool[] => {
    const state = stateFrom(ref, answers[index] ?? [], at.timestamp);
    if (state === undefined) return [];
    const controllers = ref.terms.controlled === undefined ? undefined : [ref.address];
    const pool = { id: ref.id, source, tokens: ref.tokens, ...(controllers && { controllers }) };
    return [{ ...pool, curve: "stableswap", state }];
  });
  return withMatchingQuotes(reading, pools, { getDy: GET_DY, within: ROUNDINGS });
}

function callsFor(ref: PoolRef): readonly Call[] {
  const {
    address,
    terms: { basePool },
  } = ref;
  return [
    ...coinsOf(ref).flatMap((token, i) => coinCalls(address, token, i)),
    ...[...TERMS, ...FIGURES].map((data) => ({ to: address, data })),
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
  const terms = termsFrom(answers.slice(CALLS_PER_COIN * coins.length));
  const figures = answers.slice(CALLS_PER_COIN * coins.length + TERMS.length);
  const [precise, plain, killed, multiplier] = figures.map((answer) => uintAt(answer ?? "0x", 0));
  if (terms === undefined) return undefined;
  const ng = generation === "ng";
  if (ng && (multiplier === undefined || !isBase(figures[BASE_POOL], basePool))) return undefined;

  const ofBase = figures.slice(FIGURES.length, FIGURES.length + (basePool === undefined ? 0 : CALLS_FOR_BASE));
  const base = ng ? undefined : baseRate(ofBase, time);
  const balances: bigint[] = [];
  const rates: bigint[] = [];
  for (const [i, token] of coins.entries()) {
    const coin = coinFrom(answers, token, i);
    if (coin === undefined) return undefined;
    const isShare = basePool !== undefined && i === coins.length - 1;
    const rate = ng
      ? rateAt(figures[STORED_RATES], i, coins.length)
      : isShare
        ? base?.rate
        : 10n ** (36n - coin.digits);
    if (rate === undefined || rate === 0n) return undefined;
    balances.push(coin.held);
    rates.push(rate);
  }
  const state: StableswapState = {
    ...{ balances, rates, ...terms },
    aPrecision: precise === undefined ? 1n : 100n,
    killed: (killed ?? 0n) !== 0n,
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
