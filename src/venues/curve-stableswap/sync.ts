import { toFunctionSelector } from "viem";
import { type Hex, toAddress } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { amplificationAt } from "../../pools/stableswap/invariant.ts";
import type { StableswapState } from "../../pools/stableswap/state.ts";
import { callGroups } from "../reading/call-groups.ts";
import { withMatchingQuotes } from "../reading/matching-quotes.ts";
import { addressAt, uintAt } from "../reading/words.ts";
import { balanceCall, coinCalls, coinFrom, TERMS, termsFrom } from "./figures.ts";
import { coinsOf, shareCalls, supplyFrom } from "./shares.ts";

type StableswapPool = Extract<Pool, { curve: "stableswap" }>;

/** Getters that pools have beside the terms, some of them. */
const FIGURES = {
  precise: toFunctionSelector("A_precise()"),
  plain: toFunctionSelector("A()"),
  killed: toFunctionSelector("is_killed()"),
  multiplier: toFunctionSelector("offpeg_fee_multiplier()"),
  rates: toFunctionSelector("stored_rates()"),
  basePool: toFunctionSelector("BASE_POOL()"),
  supply: toFunctionSelector("totalSupply()"),
} as const;
type Figure = keyof typeof FIGURES;
const GET_DY = toFunctionSelector("get_dy(int128,int128,uint256)");
/** Base units that `get_dy` may be off: it takes the fee of a rounded amount in the oldest pools. */
const ROUNDINGS = 2n;
const VIRTUAL_PRICE = toFunctionSelector("get_virtual_price()");
const KEPT_PRICE = toFunctionSelector("base_virtual_price()");
const KEPT_SINCE = toFunctionSelector("base_cache_updated()");
/** For so many seconds the first metapools keep the virtual price that they have asked for. */
const KEPT_SECONDS = 600n;

/** The pool and the getters that it is asked for. */
interface Question {
  readonly ref: PoolRef;
  /** The pool as it was read before: what its contract fixes for ever is not asked again. */
  readonly before: StableswapState | undefined;
  readonly figures: readonly Figure[];
}

/** Calls to a pool, or their answers. */
type Groups<T> = readonly [
  coins: readonly T[],
  terms: readonly T[],
  figures: readonly T[],
  base: readonly T[],
  share: readonly T[],
];
const GROUPS = 5;

/**
 * Pools at `at`; those left out whose coins are not the record's, whose figures are none of such a pool, or that do not pay
 * what the formulas say. Those that are `held` are asked for what may have moved alone.
 */
export async function syncPools(
  source: SourceId,
  reading: Reading,
  refs: readonly PoolRef[],
  held: ReadonlyMap<PoolId, Pool> = new Map(),
): Promise<readonly Pool[]> {
  const { chain, at } = reading;
  const questions = refs.map((ref): Question => {
    const before = stateOf(held.get(ref.id));
    return { ref, before, figures: figuresOf(ref, before) };
  });
  const answers = await callGroups(chain, questions.flatMap(callsFor), at);
  const pools = questions.flatMap((question, index): StableswapPool[] => {
    const own = answers.slice(GROUPS * index, GROUPS * (index + 1)) as unknown as Groups<Hex | undefined>;
    const state = stateFrom(question, own, at.timestamp);
    if (state === undefined) return [];
    const { ref } = question;
    const controllers = ref.terms.controlled === undefined ? undefined : [ref.address];
    const pool = { id: ref.id, source, tokens: ref.tokens, ...(controllers && { controllers }) };
    return [{ ...pool, curve: "stableswap", state }];
  });
  return withMatchingQuotes(reading, pools, { getDy: GET_DY, within: ROUNDINGS });
}

function stateOf(pool: Pool | undefined): StableswapState | undefined {
  return pool?.curve === "stableswap" ? pool.state : undefined;
}

function figuresOf({ terms }: PoolRef, before: StableswapState | undefined): readonly Figure[] {
  const isNg = terms.generation === "ng";
  if (before === undefined) {
    return [
      "precise",
      "plain",
      "killed",
      ...(isNg ? (["multiplier", "rates", "basePool"] as const) : ["supply" as const]),
    ];
  }
  const moving: readonly Figure[] = [before.aPrecision === 1n ? "plain" : "precise", "killed"];
  if (isNg) return [...moving, "multiplier", "rates"];
  // A pool of the factory that nothing was added to has no shares that would tell it from an older one.
  return before.generation === "old" && before.balances.includes(0n) ? [...moving, "supply"] : moving;
}

function callsFor({ ref, before, figures }: Question): Groups<Call> {
  const { address, terms } = ref;
  return [
    coinsOf(ref).flatMap((token, i) => {
      return before === undefined ? coinCalls(address, token, i) : [balanceCall(address, i)];
    }),
    TERMS.map((data) => ({ to: address, data })),
    figures.map((figure) => ({ to: address, data: FIGURES[figure] })),
    terms.basePool === undefined
      ? []
      : [
          { to: toAddress(terms.basePool), data: VIRTUAL_PRICE },
          { to: address, data: KEPT_PRICE },
          { to: address, data: KEPT_SINCE },
        ],
    shareCalls(ref),
  ];
}

function stateFrom(
  { ref, before, figures }: Question,
  [ofCoins, ofTerms, ofFigures, ofBase, ofShare]: Groups<Hex | undefined>,
  time: bigint,
): StableswapState | undefined {
  const { basePool, generation } = ref.terms;
  const figure = (name: Figure) => ofFigures[figures.indexOf(name)] ?? "0x";
  const [precise, plain, killed, multiplier] = (["precise", "plain", "killed", "multiplier"] as const).map((name) =>
    uintAt(figure(name), 0),
  );
  const terms = termsFrom(ofTerms);
  if (terms === undefined) return undefined;
  const ng = generation === "ng";
  if (ng && multiplier === undefined) return undefined;
  if (ng && before === undefined && addressAt(figure("basePool"), 0) !== basePool) return undefined;

  const base = ng ? undefined : baseRate(ofBase, time);
  const coins = coinsOf(ref);
  const balances: bigint[] = [];
  const rates: bigint[] = [];
  for (const [i, token] of coins.entries()) {
    const coin = before === undefined ? coinFrom(ofCoins, token, i) : heldCoin(ofCoins[i], before.rates[i]);
    if (coin === undefined) return undefined;
    const isShare = basePool !== undefined && i === coins.length - 1;
    const rate = ng ? rateAt(figure("rates"), i, coins.length) : isShare ? base?.rate : coin.rate;
    if (rate === undefined || rate === 0n) return undefined;
    balances.push(coin.held);
    rates.push(rate);
  }
  const dividesAtOnce = ng || before?.generation === "ng" || isOfFactory(ref, figure("supply"));
  const state: StableswapState = {
    ...{ balances, rates, ...terms },
    aPrecision: precise === undefined ? 1n : 100n,
    killed: (killed ?? 0n) !== 0n,
    generation: dividesAtOnce ? "ng" : "old",
    ...(ng && multiplier !== undefined && { offpegFeeMultiplier: multiplier }),
    ...(basePool !== undefined && !base?.kept && { basePool }),
  };
  // The pool's own answer at this time has to be the result of its ramp.
  if (amplificationAt(state, time) !== (precise ?? plain)) return undefined;
  const totalSupply = supplyFrom(ref, ofShare, state, time);
  return totalSupply === undefined ? state : { ...state, totalSupply };
}

/** Balance of a coin whose rate is known, which its decimals have fixed. */
function heldCoin(answer: Hex | undefined, rate: bigint | undefined) {
  const held = uintAt(answer ?? "0x", 0, 128);
  return held === undefined || rate === undefined ? undefined : { held, rate };
}

/** Whether it is one of the factory's plain pools of two coins before NG: those are their own share. */
function isOfFactory({ tokens, terms }: PoolRef, supply: Hex): boolean {
  return coinsOf({ tokens, terms }).length === 2 && terms.basePool === undefined && !!uintAt(supply, 0);
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
