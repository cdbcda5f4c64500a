import { toFunctionSelector } from "viem";
import { type Address, type Hex, ZERO_ADDRESS } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import { ONE } from "../../math/fixed-point.ts";
import { MAX_UINT256 } from "../../math/full-math.ts";
import type { Pool } from "../../pools/pool.ts";
import { callGroups } from "../reading/call-groups.ts";
import { uintAt, wordOf } from "../reading/words.ts";
import { poolAddressOf } from "./pool-address.ts";

export type StablePool = Extract<Pool, { curve: "composable-stable" }>;

/** A token's value as a pool remembers it. */
export interface RateCache {
  readonly rate: bigint;
  /** At the last join or exit. */
  readonly oldRate: bigint;
  /** Rate that its provider returns now; 0 if it returns none. */
  readonly fresh: bigint;
  /** Seconds. */
  readonly duration: bigint;
  /** Unix seconds. */
  readonly expiry: bigint;
}

/** A pool with the rate providers of its tokens, in their order. */
export interface RatedPool {
  readonly pool: StablePool;
  readonly providers: readonly Address[];
}

/** Getter of cached rates: the function, and the words of its answer. */
export interface CacheGetter {
  readonly selector: Hex;
  readonly words: { readonly [Field in Exclude<keyof RateCache, "fresh">]: number };
}

const GET_RATE = toFunctionSelector("getRate()");
/** A token without a provider is worth one of the common value. */
const WITHOUT_PROVIDER: RateCache = { rate: ONE, oldRate: ONE, fresh: 0n, duration: 0n, expiry: MAX_UINT256 };

/** Cached rates of pools' tokens at `at`, token by token; undefined if a pool does not tell. */
export async function readRateCaches(
  chain: ChainReader,
  pools: readonly RatedPool[],
  getter: CacheGetter,
  at: BlockRef,
): Promise<readonly (readonly (RateCache | undefined)[])[]> {
  const answers = await callGroups(
    chain,
    pools.flatMap((each) => cacheCalls(each, getter)),
    at,
  );
  let next = 0;
  return pools.map(({ providers }) => providers.map((provider) => cacheFrom(provider, getter, answers[next++] ?? [])));
}

/**
 * A pool's caches, where it says what all of them are. What it multiplies with has to be what they lead to, else it is no
 * pool of this kind: undefined.
 */
export function provenCaches(
  { state: { scales } }: StablePool,
  caches: readonly (RateCache | undefined)[],
  factors: readonly bigint[],
): readonly RateCache[] | undefined {
  const known = caches.filter((cache) => cache !== undefined);
  const isRight = known.length === factors.length && known.every(({ rate }, i) => factors[i] === scales[i]! * rate);
  return isRight ? known : undefined;
}

/** Calls for each token's cache; none for a token without a provider: that would revert, and be made again alone. */
function cacheCalls({ pool, providers }: RatedPool, { selector }: CacheGetter): readonly (readonly Call[])[] {
  return providers.map((provider, i) => {
    if (provider === ZERO_ADDRESS) return [];
    const data: Hex = `${selector}${wordOf(BigInt(pool.tokens[i] as Address))}`;
    return [
      { to: provider, data: GET_RATE, isForeignCall: true },
      { to: poolAddressOf(pool.id), data },
    ];
  });
}

function cacheFrom(
  provider: Address,
  { words }: CacheGetter,
  [value = "0x", cache = "0x"]: readonly (Hex | undefined)[],
): RateCache | undefined {
  if (provider === ZERO_ADDRESS) return WITHOUT_PROVIDER;
  const [rate, oldRate] = [uintAt(cache, words.rate), uintAt(cache, words.oldRate)];
  const [duration, expiry] = [uintAt(cache, words.duration), uintAt(cache, words.expiry)];
  if (!rate || oldRate === undefined || duration === undefined || expiry === undefined) return undefined;
  return { rate, oldRate, fresh: uintAt(value, 0, 96) ?? 0n, duration, expiry };
}
