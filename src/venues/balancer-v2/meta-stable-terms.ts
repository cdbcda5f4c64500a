import { toFunctionSelector } from "viem";
import { type Address, ZERO_ADDRESS } from "../../domain/address.ts";
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
/** All of a MetaStable pool that moves without a log of the vault, but its fee and pause. */
type MetaStableTerms = Ramp & Pick<ComposableStableState, "rates" | "freshRates" | "expiries" | "durations">;

/** A token's value as a pool remembers it. */
interface RateCache {
  readonly rate: bigint;
  readonly fresh: bigint;
  readonly duration: bigint;
  readonly expiry: bigint;
}

const GET_RATE = toFunctionSelector("getRate()");
const GET_PRICE_RATE_CACHE = toFunctionSelector("getPriceRateCache(address)");
/** In the order in which their answers are read. */
const FIGURES = ["getAmplificationParameter()", "getRateProviders()", "getScalingFactors()"].map((signature) =>
  toFunctionSelector(signature),
);
/** A token without a provider is worth one of the common value. */
const WITHOUT_PROVIDER: RateCache = { rate: ONE, fresh: 0n, duration: 0n, expiry: MAX_UINT256 };

/** The terms of MetaStable pools at `at`; those left out that do not say of themselves what such a pool would. */
export async function readMetaStableTerms(
  chain: ChainReader,
  pools: readonly StablePool[],
  at: BlockRef,
  fromBlock: bigint,
): Promise<readonly { readonly id: string; readonly terms: MetaStableTerms }[]> {
  if (pools.length === 0) return [];
  const figures = await callGroups(
    chain,
    pools.map(({ id }) => FIGURES.map((data) => ({ to: poolAddressOf(id), data }))),
    at,
  );
  const heads = pools.flatMap((pool, index) => {
    const [amplified = "0x", given = "0x", multiplied = "0x"] = figures[index] ?? [];
    const [amplification, moves] = [uintAt(amplified, 0, 64), uintAt(amplified, 1, 1)];
    const [providers, factors] = [addressesIn(given, 0), uintsIn(multiplied, 0)];
    const count = pool.tokens.length;
    if (amplification === undefined || moves === undefined) return [];
    if (providers?.length !== count || factors?.length !== count) return [];
    return [{ pool, amplification, moves: moves === 1n, providers, factors }];
  });
  const caches = await callGroups(chain, heads.flatMap(cacheCalls), at);
  let next = 0;
  const found = heads.flatMap((head) => {
    const own = head.providers.map((provider) => cacheFrom(provider, caches[next++] ?? []));
    const known = own.filter((cache) => cache !== undefined);
    // What the pool says that it multiplies with has to be what these figures lead to.
    const isRight = (factor: bigint, i: number) =>
      factor === (head.pool.state.scales[i] as bigint) * (own[i]?.rate ?? 0n);
    return head.factors.every(isRight) ? [{ ...head, known }] : [];
  });
  const ramps = await readRamps(chain, found, at, fromBlock);
  return found.flatMap(({ pool: { id }, known }) => {
    const ramp = ramps.get(id);
    return ramp === undefined ? [] : [{ id, terms: { ...ratesOf(known), ...ramp } }];
  });
}

/** What is asked for each token; nothing of one without a provider, whose cache cannot be asked for. */
function cacheCalls({ pool, providers }: { readonly pool: StablePool; readonly providers: readonly Address[] }) {
  return providers.map((provider, i): readonly Call[] => {
    if (provider === ZERO_ADDRESS) return [];
    const data = `${GET_PRICE_RATE_CACHE}${wordOf(BigInt(pool.tokens[i] as Address))}` as const;
    return [
      { to: provider, data: GET_RATE },
      { to: poolAddressOf(pool.id), data },
    ];
  });
}

function cacheFrom(
  provider: Address,
  [value = "0x", cache = "0x"]: readonly (`0x${string}` | undefined)[],
): RateCache | undefined {
  if (provider === ZERO_ADDRESS) return WITHOUT_PROVIDER;
  const [rate, duration, expiry] = [0, 1, 2].map((word) => uintAt(cache, word));
  if (!rate || duration === undefined || expiry === undefined) return undefined;
  return { rate, fresh: uintAt(value, 0, 96) ?? 0n, duration, expiry };
}

function ratesOf(caches: readonly RateCache[]): Omit<MetaStableTerms, keyof Ramp> {
  const rates = caches.map(({ rate }) => rate);
  return {
    ...{ rates, freshRates: caches.map(({ fresh }) => fresh) },
    expiries: caches.map(({ expiry }) => expiry),
    durations: caches.map(({ duration }) => duration),
  };
}
