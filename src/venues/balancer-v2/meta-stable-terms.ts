import { toFunctionSelector } from "viem";
import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { ComposableStableState } from "../../pools/composable-stable/state.ts";
import { addressesIn, uintsIn } from "../reading/abi-arrays.ts";
import { callGroups } from "../reading/call-groups.ts";
import { uintAt } from "../reading/words.ts";
import { poolAddressOf } from "./pool-address.ts";
import { type Ramp, readRamps } from "./ramps.ts";
import { type CacheGetter, provenCaches, type RateCache, readRateCaches, type StablePool } from "./rate-caches.ts";

/** All of a MetaStable pool that moves without a log of the vault, but its fee and pause. */
type MetaStableTerms = Ramp & Pick<ComposableStableState, "rates" | "freshRates" | "expiries" | "durations">;

/** It remembers no older value. */
const CACHES: CacheGetter = {
  selector: toFunctionSelector("getPriceRateCache(address)"),
  words: { rate: 0, oldRate: 0, duration: 1, expiry: 2 },
};
/** In the order in which their answers are read. */
const FIGURES = ["getAmplificationParameter()", "getRateProviders()", "getScalingFactors()"].map((signature) =>
  toFunctionSelector(signature),
);

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
  const caches = await readRateCaches(chain, heads, CACHES, at);
  const found = heads.flatMap((head, index) => {
    const known = provenCaches(head.pool, caches[index] ?? [], head.factors);
    return known === undefined ? [] : [{ ...head, known }];
  });
  const ramps = await readRamps(chain, found, at, fromBlock);
  return found.flatMap(({ pool: { id }, known }) => {
    const ramp = ramps.get(id);
    return ramp === undefined ? [] : [{ id, terms: { ...ratesOf(known), ...ramp } }];
  });
}

function ratesOf(caches: readonly RateCache[]): Omit<MetaStableTerms, keyof Ramp> {
  return {
    rates: caches.map(({ rate }) => rate),
    freshRates: caches.map(({ fresh }) => fresh),
    expiries: caches.map(({ expiry }) => expiry),
    durations: caches.map(({ duration }) => duration),
  };
}
