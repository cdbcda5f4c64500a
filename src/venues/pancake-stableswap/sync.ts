import { toFunctionSelector } from "viem";
import type { Hex } from "../../domain/address.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { amplificationAt } from "../../pools/stableswap/invariant.ts";
import { probesOf } from "../../pools/stableswap/price-check.ts";
import type { StableswapState } from "../../pools/stableswap/state.ts";
import { CALLS_PER_COIN, coinCalls, coinFrom, TERMS, termsFrom } from "../curve-stableswap/figures.ts";
import { callGroups } from "../reading/call-groups.ts";
import { withMatchingQuotes } from "../reading/matching-quotes.ts";
import { uintAt, wordOf } from "../reading/words.ts";

type StableswapPool = Extract<Pool, { curve: "stableswap" }>;

const FIGURES = ["A()", "A_PRECISION()", "is_killed()", "paused()"].map((signature) => toFunctionSelector(signature));
/** An amount that any pool has a price for. */
const ASKED = 2n ** 64n;
/** Calls about Lista's check, in the order in which their answers are read. */
const OF_CHECK: readonly Hex[] = [
  ...["price0DiffThreshold()", "price1DiffThreshold()", "skipPriceDiff()", "fetchOraclePrice()"].map((signature) =>
    toFunctionSelector(signature),
  ),
  `${toFunctionSelector("get_dy_without_fee(uint256,uint256,uint256)")}${[0n, 1n, ASKED].map(wordOf).join("")}`,
];
/** Parts of a threshold that make all of a price. */
const ALL = 10n ** 18n;
const GET_DY = toFunctionSelector("get_dy(uint256,uint256,uint256)");
/** Base units that `get_dy` may be off: it takes the fee of a rounded amount. */
const ROUNDINGS = 2n;

/** Pools at `at`; those left out that do not add up, and those that pay otherwise than the formulas say. */
export async function syncPools(
  source: SourceId,
  reading: Reading,
  refs: readonly PoolRef[],
): Promise<readonly Pool[]> {
  const { chain, at, reportUnserved } = reading;
  const answers = await callGroups(chain, refs.map(callsFor), at);
  const pools = refs.flatMap((ref, index): StableswapPool[] => {
    const state = stateFrom(ref, answers[index] ?? [], at.timestamp);
    if (state === undefined) reportUnserved(ref.id, "NOT_READABLE");
    return state === undefined ? [] : [{ id: ref.id, source, tokens: ref.tokens, curve: "stableswap", state }];
  });
  // get_dy knows nothing of the check.
  return withMatchingQuotes(reading, pools, { getDy: GET_DY, within: ROUNDINGS, asked: withoutCheck });
}

function withoutCheck(pool: StableswapPool): StableswapPool {
  const { priceCheck: _, ...state } = pool.state;
  return { ...pool, state };
}

function callsFor({ address, tokens }: PoolRef): readonly Call[] {
  return [
    ...tokens.flatMap((token, i) => coinCalls(address, token, i)),
    ...[...TERMS, ...FIGURES, ...OF_CHECK].map((data) => ({ to: address, data })),
  ];
}

function stateFrom({ tokens }: PoolRef, answers: readonly (Hex | undefined)[], time: bigint) {
  const coins = tokens.map((token, i) => coinFrom(answers, token, i));
  const own = answers.slice(CALLS_PER_COIN * tokens.length);
  const terms = termsFrom(own);
  const [plain, precision, killed, paused] = own.slice(TERMS.length).map((answer) => uintAt(answer ?? "0x", 0));
  if (terms === undefined || !coins.every((coin) => coin !== undefined)) return undefined;
  const state: StableswapState = {
    balances: coins.map(({ held }) => held),
    rates: coins.map(({ rate }) => rate),
    ...terms,
    aPrecision: precision ?? 1n,
    generation: "old",
    killed: (killed ?? paused ?? 0n) !== 0n,
  };
  // The pool's own answer at this time has to be the result of its ramp.
  if (state.aPrecision === 0n || amplificationAt(state, time) / state.aPrecision !== plain) return undefined;
  return withCheck(state, own.slice(TERMS.length + FIGURES.length));
}

/** The state with the pool's check, if it has one; undefined where that cannot be read, or is another. */
function withCheck(state: StableswapState, answers: readonly (Hex | undefined)[]): StableswapState | undefined {
  const [first, second, skips, told, unpaid] = answers;
  if (first === undefined || (uintAt(skips ?? "0x", 0) ?? 0n) !== 0n) return state;
  const thresholds = [first, second].map((answer) => uintAt(answer ?? "0x", 0)) as [bigint?, bigint?];
  const prices = [0, 1].map((word) => uintAt(told ?? "0x", word, 128)) as [bigint?, bigint?];
  // Before its pools were made, the check took prices after the fee.
  if (!isPair(thresholds) || !isPair(prices) || unpaid === undefined || state.balances.length !== 2) return undefined;
  if (prices.some((price) => price === 0n) || thresholds.some((threshold) => threshold > ALL)) return undefined;
  const priceCheck = { prices, thresholds };
  return probesOf(priceCheck, state.rates).some((probe) => probe === 0n) ? undefined : { ...state, priceCheck };
}

function isPair(values: [bigint?, bigint?]): values is [bigint, bigint] {
  return values[0] !== undefined && values[1] !== undefined;
}
