import { toFunctionSelector } from "viem";
import { type Hex, NATIVE_TOKEN, toAddress } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { amplificationAt } from "../../pools/stableswap/invariant.ts";
import type { StableswapState } from "../../pools/stableswap/state.ts";
import { callGroups } from "../call-groups.ts";
import { addressAt, uintAt, wordOf } from "../words.ts";

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
].map((signature) => toFunctionSelector(signature));
/** Calls for each coin, before those for the pool. */
const CALLS_PER_COIN = 3;
const VIRTUAL_PRICE = toFunctionSelector("get_virtual_price()");
const KEPT_PRICE = toFunctionSelector("base_virtual_price()");
const KEPT_SINCE = toFunctionSelector("base_cache_updated()");
/** For so many seconds the first metapools keep the virtual price that they have asked for. */
const KEPT_SECONDS = 600n;

/** Pools at `at`; those left out whose coins are not the record's, or whose figures are none of such a pool. */
export async function syncPools(
  source: SourceId,
  chain: ChainReader,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<readonly Pool[]> {
  const answers = await callGroups(chain, refs.map(callsFor), at);
  return refs.flatMap((ref, index): Pool[] => {
    const state = stateFrom(ref, answers[index] ?? [], at.timestamp);
    return state === undefined ? [] : [{ id: ref.id, source, tokens: ref.tokens, curve: "stableswap", state }];
  });
}

function callsFor({ address, tokens, terms: { basePool } }: PoolRef): readonly Call[] {
  return [
    ...tokens.flatMap((token, i): readonly Call[] => [
      { to: address, data: `${COINS}${wordOf(i)}` },
      { to: address, data: `${BALANCES}${wordOf(i)}` },
      { to: token, data: DECIMALS },
    ]),
    ...FIGURES.map((data) => ({ to: address, data })),
    ...(basePool === undefined
      ? []
      : [
          { to: toAddress(basePool), data: VIRTUAL_PRICE },
          { to: address, data: KEPT_PRICE },
          { to: address, data: KEPT_SINCE },
        ]),
  ];
}

function stateFrom(
  { tokens, terms }: PoolRef,
  answers: readonly (Hex | undefined)[],
  time: bigint,
): StableswapState | undefined {
  const figures = answers.slice(CALLS_PER_COIN * tokens.length);
  const [fee, adminFee, initialA, futureA, initialATime, futureATime, precise, plain, killed, multiplier] = figures.map(
    (answer) => (answer === undefined ? undefined : uintAt(answer, 0)),
  );
  if (fee === undefined || adminFee === undefined || initialA === undefined || futureA === undefined) return undefined;
  if (initialATime === undefined || futureATime === undefined) return undefined;
  const ng = terms.generation === "ng";
  if (ng && multiplier === undefined) return undefined;

  const balances: bigint[] = [];
  const rates: bigint[] = [];
  for (const [i, token] of tokens.entries()) {
    const [coin, balance, decimals] = answers.slice(CALLS_PER_COIN * i);
    const held = balance === undefined ? undefined : uintAt(balance, 0, 128);
    const digits = token === NATIVE_TOKEN ? 18n : decimals === undefined ? undefined : uintAt(decimals, 0, 8);
    if (coin === undefined || addressAt(coin, 0) !== token || held === undefined) return undefined;
    if (digits === undefined || digits > 18n) return undefined;
    const isShare = terms.basePool !== undefined && i === tokens.length - 1;
    const rate = ng
      ? rateAt(figures[FIGURES.length - 1], i, tokens.length)
      : isShare
        ? shareRate(figures.slice(FIGURES.length), time)
        : 10n ** (36n - digits);
    if (rate === undefined || rate === 0n) return undefined;
    balances.push(held);
    rates.push(rate);
  }
  const state: StableswapState = {
    ...{ balances, rates, initialA, futureA, initialATime, futureATime },
    aPrecision: precise === undefined ? 1n : 100n,
    ...{ fee, adminFee, killed: (killed ?? 0n) !== 0n },
    ...(ng && multiplier !== undefined ? { generation: "ng", offpegFeeMultiplier: multiplier } : { generation: "old" }),
  };
  // What the pool itself says at this time has to be what its ramp leads to.
  return amplificationAt(state, time) === (precise ?? plain) ? state : undefined;
}

/** What a metapool takes a share of its base pool for: its virtual price, or the one that was kept where that is not old. */
function shareRate(answers: readonly (Hex | undefined)[], time: bigint): bigint | undefined {
  const [now, kept, since] = answers.map((answer) => (answer === undefined ? undefined : uintAt(answer, 0, 128)));
  return kept !== undefined && since !== undefined && time <= since + KEPT_SECONDS ? kept : now;
}

/** A rate out of a dynamic array of them. */
function rateAt(answer: Hex | undefined, index: number, count: number): bigint | undefined {
  if (answer === undefined || uintAt(answer, 0) !== 32n || uintAt(answer, 1) !== BigInt(count)) return undefined;
  return uintAt(answer, 2 + index, 128);
}
