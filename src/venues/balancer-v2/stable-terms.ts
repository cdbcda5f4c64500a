import { toFunctionSelector } from "viem";
import { type Address, type Hex, ZERO_ADDRESS } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import { ONE } from "../../math/fixed-point.ts";
import { MAX_UINT256 } from "../../math/full-math.ts";
import type { ComposableStableState } from "../../pools/composable-stable/state.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressesIn, uintsIn } from "../reading/abi-arrays.ts";
import { callGroups } from "../reading/call-groups.ts";
import { uintAt, wordOf } from "../reading/words.ts";
import { poolAddressOf } from "./pool-address.ts";
import { type Ramp, readRamps } from "./ramps.ts";

type StablePool = Extract<Pool, { curve: "composable-stable" }>;
/** All of a stable pool that moves without a log of the vault, but its fee and pause. */
type StableTerms = Omit<ComposableStableState, "balances" | "share" | "scales" | "swapFee" | "paused">;

const GET_RATE = toFunctionSelector("getRate()");
const GET_TOKEN_RATE_CACHE = toFunctionSelector("getTokenRateCache(address)");
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
  const read = pools.map((pool, index) => {
    const own = answers[index] ?? [];
    const providers = addressesIn(own[FIGURES.length - 2] ?? "0x", 0);
    return { pool, own, providers: providers?.length === pool.tokens.length ? providers : undefined };
  });
  // Tokens without a provider have no cache, and a call that reverts is asked again alone.
  const asked = read.flatMap(({ pool, providers }) =>
    (providers ?? []).flatMap((provider, i): readonly Call[] => {
      if (provider === ZERO_ADDRESS) return [];
      return [{ to: provider, data: GET_RATE }, cacheCall(pool, i)];
    }),
  );
  const values = await chain.calls(asked, at);
  const answerOf = new Map(asked.map((call, i) => [keyOf(call), values[i] ?? "0x"]));
  const found = read.flatMap(({ pool, own, providers }) => {
    const fixed = providers && termsFrom(pool, own, providers, (call) => answerOf.get(keyOf(call)) ?? "0x");
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

function cacheCall({ id, tokens }: StablePool, index: number): Call {
  return { to: poolAddressOf(id), data: `${GET_TOKEN_RATE_CACHE}${wordOf(BigInt(tokens[index] as Address))}` };
}

function keyOf({ to, data }: Call): string {
  return `${to}${data}`;
}

function termsFrom(
  pool: StablePool,
  answers: readonly (Hex | undefined)[],
  providers: readonly Address[],
  answerTo: (call: Call) => Hex,
): Omit<StableTerms, keyof Ramp> | undefined {
  const {
    state: { share, scales },
    tokens,
  } = pool;
  const number = (index: number, word = 0) => uintAt(answers[index] ?? "0x", word);
  const [totalSupply, lastA, lastInvariant] = [number(1), number(2), number(2, 1)];
  const factors = uintsIn(answers[5] ?? "0x", 0);
  const [protocolSwapFee, protocolYieldFee] = [number(6), number(7)];
  if (totalSupply === undefined || lastA === undefined || lastInvariant === undefined) return undefined;
  if (protocolSwapFee === undefined || protocolYieldFee === undefined || number(3) !== BigInt(share)) return undefined;
  if (protocolSwapFee > ONE || protocolYieldFee > ONE || factors?.length !== tokens.length) return undefined;
  const caches = tokens.map((_, i) => {
    const exempt = number(CALLS_PER_POOL + i);
    const provider = providers[i] as Address;
    if (provider === ZERO_ADDRESS)
      return { rate: ONE, oldRate: ONE, duration: 0n, expiry: MAX_UINT256, fresh: 0n, exempt };
    const cache = answerTo(cacheCall(pool, i));
    const [rate, oldRate, duration, expiry] = [0, 1, 2, 3].map((word) => uintAt(cache, word));
    const fresh = uintAt(answerTo({ to: provider, data: GET_RATE }), 0, 96) ?? 0n;
    return { rate, oldRate, duration, expiry, fresh, exempt };
  });
  const rates: bigint[] = [];
  const oldRates: bigint[] = [];
  const durations: bigint[] = [];
  const expiries: bigint[] = [];
  for (const [i, { rate, oldRate, duration, expiry, exempt }] of caches.entries()) {
    if (!rate || exempt === undefined || oldRate === undefined || duration === undefined || expiry === undefined)
      return undefined;
    // What the pool says that it multiplies with has to be what these figures lead to.
    if (factors[i] !== (scales[i] as bigint) * rate) return undefined;
    rates.push(rate);
    oldRates.push(oldRate);
    durations.push(duration);
    expiries.push(expiry);
  }
  return {
    ...{ rates, oldRates, durations, expiries, totalSupply, lastA, lastInvariant, protocolSwapFee, protocolYieldFee },
    freshRates: caches.map(({ fresh }) => fresh),
    exempt: caches.map(({ exempt }) => exempt === 1n),
  };
}
