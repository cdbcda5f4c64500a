import { toFunctionSelector } from "viem";
import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import { ONE } from "../../math/fixed-point.ts";
import type { ComposableStableState } from "../../pools/composable-stable/state.ts";
import { addressesIn, uintsIn } from "../reading/abi-arrays.ts";
import { callGroups } from "../reading/call-groups.ts";
import { uintAt, wordOf } from "../reading/words.ts";
import { poolAddressOf } from "./pool-address.ts";
import { type Ramp, readRamps } from "./ramps.ts";
import { type CacheGetter, provenCaches, type RateCache, readRateCaches, type StablePool } from "./rate-caches.ts";

/** All of a stable pool that moves without a log of the vault, but its fee and pause. */
type StableTerms = Omit<ComposableStableState, "balances" | "share" | "scales" | "swapFee" | "paused">;

const CACHES: CacheGetter = {
  selector: toFunctionSelector("getTokenRateCache(address)"),
  words: { rate: 0, oldRate: 1, duration: 2, expiry: 3 },
};
const IS_EXEMPT = toFunctionSelector("isTokenExemptFromYieldProtocolFee(address)");
const GET_PROTOCOL_FEE = toFunctionSelector("getProtocolFeePercentageCache(uint256)");
/** The protocol's kinds of fees: on swaps, on the growth of the tokens' values. */
const [SWAP_FEE, YIELD_FEE] = [0n, 2n];
/** In the order in which their answers are read. */
const FIGURES = [
  "getAmplificationParameter()",
  "totalSupply()",
  "getLastJoinExitData()",
  "getBptIndex()",
  "getRateProviders()",
  "getScalingFactors()",
].map((signature) => toFunctionSelector(signature));
const CALLS_PER_POOL = FIGURES.length + 2;

/** The terms of stable pools at `at`; those left out that do not say of themselves what such a pool would. */
export async function readStableTerms(
  chain: ChainReader,
  pools: readonly StablePool[],
  at: BlockRef,
  fromBlock: bigint,
): Promise<readonly { readonly id: string; readonly terms: StableTerms }[]> {
  const answers = await callGroups(chain, pools.map(callsFor), at);
  const heads = pools.flatMap((pool, index) => {
    const own = answers[index] ?? [];
    const providers = addressesIn(own[FIGURES.length - 2] ?? "0x", 0);
    return providers?.length === pool.tokens.length ? [{ pool, own, providers }] : [];
  });
  const caches = await readRateCaches(chain, heads, CACHES, at);
  const found = heads.flatMap(({ pool, own }, index) => {
    const fixed = termsFrom(pool, own, caches[index] ?? []);
    const [amplification, moves] = [uintAt(own[0] ?? "0x", 0, 64), uintAt(own[0] ?? "0x", 1, 1)];
    if (fixed === undefined || amplification === undefined || moves === undefined) return [];
    return [{ pool, fixed, amplification, moves: moves === 1n }];
  });
  const ramps = await readRamps(chain, found, at, fromBlock);
  return found.flatMap(({ pool: { id }, fixed }) => {
    const ramp = ramps.get(id);
    return ramp === undefined ? [] : [{ id, terms: { ...fixed, ...ramp } }];
  });
}

function callsFor({ id, tokens }: StablePool): readonly Call[] {
  const to = poolAddressOf(id);
  const of = (selector: Hex, argument: bigint): Call => ({ to, data: `${selector}${wordOf(argument)}` });
  return [
    ...FIGURES.map((data) => ({ to, data })),
    of(GET_PROTOCOL_FEE, SWAP_FEE),
    of(GET_PROTOCOL_FEE, YIELD_FEE),
    ...tokens.map((token) => of(IS_EXEMPT, BigInt(token))),
  ];
}

function termsFrom(
  pool: StablePool,
  answers: readonly (Hex | undefined)[],
  caches: readonly (RateCache | undefined)[],
): Omit<StableTerms, keyof Ramp> | undefined {
  const number = (index: number, word = 0) => uintAt(answers[index] ?? "0x", word);
  const [totalSupply, lastA, lastInvariant] = [number(1), number(2), number(2, 1)];
  const factors = uintsIn(answers[5] ?? "0x", 0);
  const [protocolSwapFee, protocolYieldFee] = [number(6), number(7)];
  if (totalSupply === undefined || lastA === undefined || lastInvariant === undefined) return undefined;
  if (protocolSwapFee === undefined || protocolYieldFee === undefined || number(3) !== BigInt(pool.state.share))
    return undefined;
  if (protocolSwapFee > ONE || protocolYieldFee > ONE || factors?.length !== pool.tokens.length) return undefined;
  const known = provenCaches(pool, caches, factors);
  const exempt = pool.tokens.map((_, i) => number(CALLS_PER_POOL + i)).filter((flag) => flag !== undefined);
  if (known === undefined || exempt.length !== pool.tokens.length) return undefined;
  return {
    ...{ totalSupply, lastA, lastInvariant, protocolSwapFee, protocolYieldFee },
    rates: known.map(({ rate }) => rate),
    oldRates: known.map(({ oldRate }) => oldRate),
    freshRates: known.map(({ fresh }) => fresh),
    durations: known.map(({ duration }) => duration),
    expiries: known.map(({ expiry }) => expiry),
    exempt: exempt.map((flag) => flag === 1n),
  };
}
