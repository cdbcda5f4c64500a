import { toFunctionSelector } from "viem";
import { type Address, type Hex, toAddress, ZERO_ADDRESS } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { PoolRef, Reading } from "../../market/liquidity-source.ts";
import { ONE } from "../../math/fixed-point.ts";
import { impossibleGyro } from "../../pools/gyro/impossible.ts";
import type { GyroKind } from "../../pools/gyro/state.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressesIn, uintsIn } from "../reading/abi-arrays.ts";
import { callGroups } from "../reading/call-groups.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";
import { provenGyroPools, provenOnceResumed, readGyroRates, readGyroTerms } from "./gyro-terms.ts";
import { readMetaStableTerms } from "./meta-stable-terms.ts";
import { poolAddressOf } from "./pool-address.ts";
import type { BalancerV2Record } from "./record.ts";
import { readStableTerms } from "./stable-terms.ts";

const GET_POOL_TOKENS = toFunctionSelector("getPoolTokens(bytes32)");
const GET_PAUSED_STATE = toFunctionSelector("getPausedState()");
const GET_SWAP_FEE = toFunctionSelector("getSwapFeePercentage()");
const IS_POOL_FROM_FACTORY = toFunctionSelector("isPoolFromFactory(address)");
const GET_POOL_ID = toFunctionSelector("getPoolId()");
const GET_NORMALIZED_WEIGHTS = toFunctionSelector("getNormalizedWeights()");
const DECIMALS = toFunctionSelector("decimals()");
const GET_OWNER = toFunctionSelector("getOwner()");
const GET_RATE_PROVIDERS = toFunctionSelector("getRateProviders()");

/** Stands for Balancer's governance where a pool names its owner (BasePoolAuthorization). */
const DELEGATE_OWNER = toAddress("0xba1ba1ba1ba1ba1ba1ba1ba1ba1ba1ba1ba1ba1b");

/** No pool of these factories may take a larger fee. */
const MAX_FEE = ONE / 10n;

const VERSION = toFunctionSelector("version()");
/** Whether factories of a kind answer `version()` (BasePoolFactory with Version.sol). */
const HAS_VERSION: Readonly<Record<Head["kind"], boolean>> = {
  weighted: true,
  "composable-stable": true,
  "weighted-v1": false,
  "meta-stable": false,
  "gyro-2clp": false,
  "gyro-3clp": false,
  "gyro-eclp": false,
};
/** Gyroscope's factories are proxies, whose code may become another: their pools prove their maths themselves. */
const GYRO: Partial<Readonly<Record<Head["kind"], GyroKind>>> = {
  "gyro-2clp": "2clp",
  "gyro-3clp": "3clp",
  "gyro-eclp": "eclp",
};

/** Parts for reading pools of a venue. */
interface VenueReading extends Reading {
  readonly venue: BalancerV2Record;
}

/** Answers of the vault and the pool that all kinds have. */
interface Head {
  readonly ref: PoolRef;
  readonly kind: BalancerV2Record["factories"][number]["kind"];
  readonly balances: readonly bigint[];
  readonly scales: readonly bigint[];
  readonly weights: readonly bigint[] | undefined;
  /** The pool itself if it does not say who its owner is. */
  readonly owner: Address;
  readonly controllers: readonly Address[];
}

/** Fee and pause, which move without a log of the vault. */
interface Terms {
  readonly swapFee: bigint;
  readonly paused: boolean;
}

/** Pools at `at`, those only that one of the record's factories made, and whose tokens are the vault's. */
export async function syncPools(
  venue: BalancerV2Record,
  { chain, at, reportUnserved }: Reading,
  refs: readonly PoolRef[],
): Promise<readonly Pool[]> {
  const heads = await readHeads({ venue, chain, at, reportUnserved }, refs);
  const gyroscopes = await gyroPools({ venue, chain, at, reportUnserved }, heads);
  const others = heads.filter(({ kind }) => GYRO[kind] === undefined);
  const pools = others.flatMap(({ ref, kind, balances, scales, weights, controllers }): Pool[] => {
    const base = {
      ...{ id: ref.id, source: venue.source, tokens: ref.tokens },
      ...(controllers.length > 0 && { controllers }),
    };
    if (isWeighted(kind)) {
      if (weights?.length !== balances.length || weights.some((weight) => weight === 0n)) return [];
      const version = kind === "weighted-v1" && ({ firstVersion: true } as const);
      const state = { balances, weights, scales, swapFee: 0n, ...version, paused: false };
      return [{ ...base, curve: "weighted", state }];
    }
    const share = ref.tokens.indexOf(poolAddressOf(ref.id));
    const none = balances.map(() => 0n);
    const unread = {
      ...{ rates: none, expiries: none, durations: none, freshRates: none, oldRates: none, lastA: 0n },
      ...{ exempt: balances.map(() => false), initialA: 0n, futureA: 0n, initialATime: 0n, futureATime: 0n },
      ...{ swapFee: 0n, totalSupply: 0n, lastInvariant: 0n, protocolSwapFee: 0n, protocolYieldFee: 0n, paused: false },
    };
    if (kind === "meta-stable") {
      if (share >= 0) return [];
      const state = { balances, share: balances.length, scales, roundsUp: true, ...unread } as const;
      return [{ ...base, curve: "composable-stable", state }];
    }
    if (share < 0) return [];
    return [{ ...base, curve: "composable-stable", state: { balances, share, scales, ...unread } }];
  });
  return [...(await refreshPools(venue, chain, pools, at)), ...gyroscopes];
}

/** Pools of Gyroscope's kinds that prove to be what they seem. */
async function gyroPools(reading: VenueReading, heads: readonly Head[]): Promise<readonly Pool[]> {
  const { venue, chain, at, reportUnserved } = reading;
  const wanted = heads.flatMap((head) => {
    const kind = GYRO[head.kind];
    return kind === undefined ? [] : [{ head, kind, id: head.ref.id, tokens: head.ref.tokens }];
  });
  if (wanted.length === 0) return [];
  const terms = await readGyroTerms(chain, wanted, at);
  const found = wanted.flatMap(({ head, kind, id, tokens }, index): Pool[] => {
    const { balances, scales, owner } = head;
    const { parameters = [], rateProviders = [] } = terms[index] ?? {};
    const rated = rateProviders.map((provider) => provider !== ZERO_ADDRESS);
    const rates = balances.map(() => ONE);
    const state = { kind, balances, scales, rates, rated, parameters, swapFee: 0n, paused: false };
    if (impossibleGyro(state) !== undefined) {
      reportUnserved(id, "NOT_READABLE");
      return [];
    }
    const controllers = knownControllers([owner, ...rateProviders]);
    return [{ id, source: venue.source, tokens, ...(controllers.length > 0 && { controllers }), curve: "gyro", state }];
  });
  const read = await refreshPools(venue, chain, found, at);
  const proven = await provenGyroPools(
    venue.vault,
    read.filter((pool) => pool.curve === "gyro"),
    reading,
  );
  return read.filter(({ id }) => proven.has(id));
}

/** Returns the pools with the values at `at` that move without a log of the vault; unreadable ones are left out. */
export async function refreshPools(
  venue: BalancerV2Record,
  chain: ChainReader,
  pools: readonly Pool[],
  at: BlockRef,
): Promise<readonly Pool[]> {
  const calls = pools.map(({ id }): readonly Call[] => [
    { to: poolAddressOf(id), data: GET_SWAP_FEE },
    { to: poolAddressOf(id), data: GET_PAUSED_STATE },
  ]);
  const ofVault = [{ to: venue.vault, data: GET_PAUSED_STATE }];
  const [[vaultAnswer] = [], ...answers] = await callGroups(chain, [ofVault, ...calls], at);
  const vaultPaused = vaultAnswer === undefined ? undefined : uintAt(vaultAnswer, 0, 1);
  if (vaultPaused === undefined) return [];
  const terms = pools.map((_, index): Terms | undefined => {
    const [fee, pause] = answers[index] ?? [];
    const swapFee = fee === undefined ? undefined : uintAt(fee, 0);
    const paused = pause === undefined ? undefined : uintAt(pause, 0, 1);
    if (swapFee === undefined || swapFee > MAX_FEE || paused === undefined) return undefined;
    return { swapFee, paused: paused + vaultPaused > 0n };
  });
  const stable = pools.filter((pool) => pool.curve === "composable-stable");
  const read = [
    ...(await readStableTerms(
      chain,
      stable.filter(({ state }) => !state.roundsUp),
      at,
      venue.fromBlock,
    )),
    ...(await readMetaStableTerms(
      chain,
      stable.filter(({ state }) => state.roundsUp),
      at,
      venue.fromBlock,
    )),
  ];
  const rates = await readGyroRates(
    chain,
    pools.filter((pool) => pool.curve === "gyro"),
    at,
  );
  const stableTerms = new Map<string, (typeof read)[number]["terms"]>(read.map(({ id, terms }) => [id, terms]));
  const fresh = pools.flatMap((pool, index): Pool[] => {
    const own = terms[index];
    if (own === undefined) return [];
    if (pool.curve === "weighted") return [{ ...pool, state: { ...pool.state, ...own } }];
    if (pool.curve === "gyro") {
      const known = rates.get(pool.id);
      return known === undefined ? [] : [{ ...pool, state: { ...pool.state, ...own, rates: known } }];
    }
    const more = stableTerms.get(pool.id);
    if (pool.curve !== "composable-stable" || more === undefined) return [];
    return [{ ...pool, state: { ...pool.state, ...own, ...more } }];
  });
  return provenOnceResumed(venue.vault, pools, fresh, { chain, at });
}

/** Those of the record's factories that are of the version that it says: the first had no word for it, all later ones have. */
async function soundFactories({
  venue: { factories },
  chain,
  at,
}: VenueReading): Promise<BalancerV2Record["factories"]> {
  const answers = await chain.calls(
    factories.map(({ factory }) => ({ to: factory, data: VERSION })),
    at,
  );
  return factories.filter(({ kind }, index) => HAS_VERSION[kind] === (answers[index] !== undefined));
}

async function readHeads(reading: VenueReading, refs: readonly PoolRef[]): Promise<readonly Head[]> {
  const { venue, chain, at, reportUnserved } = reading;
  const { vault } = venue;
  const factories = await soundFactories(reading);
  const calls = refs.map(({ id, tokens }): readonly Call[] => {
    const pool = poolAddressOf(id);
    return [
      { to: vault, data: `${GET_POOL_TOKENS}${id.slice(2)}` },
      { to: pool, data: GET_POOL_ID },
      { to: pool, data: GET_NORMALIZED_WEIGHTS },
      { to: pool, data: GET_OWNER },
      { to: pool, data: GET_RATE_PROVIDERS },
      ...factories.map(({ factory }) => ({
        to: factory,
        data: `${IS_POOL_FROM_FACTORY}${wordOf(BigInt(pool))}` as Hex,
      })),
      ...tokens.map((token): Call => ({ to: token, data: DECIMALS, isForeignCall: true })),
    ];
  });
  const answers = await callGroups(chain, calls, at);
  return refs.flatMap((ref, index): Head[] => {
    const [held, id, weights, owner, providers, ...rest] = answers[index] ?? [];
    const kind = factories.find((_, i) => uintAt(rest[i] ?? "0x", 0) === 1n)?.kind;
    if (ref.address !== vault || id !== ref.id || held === undefined) return [];
    if (kind === undefined) {
      reportUnserved(ref.id, "UNKNOWN_VERSION");
      return [];
    }
    const balances = uintsIn(held, 1, 112);
    if (balances === undefined || addressesIn(held, 0)?.join() !== ref.tokens.join()) return [];
    const scales = rest
      .slice(factories.length)
      .map((answer) => scaleOf(answer === undefined ? undefined : uintAt(answer, 0, 8)));
    if (scales.some((scale) => scale === undefined)) return [];
    const weighted = weights === undefined ? undefined : uintsIn(weights, 0, 64);
    const pool = poolAddressOf(ref.id);
    const ownedBy = addressAt(owner ?? "0x", 0) ?? pool;
    const controllers = controllersOf(kind, pool, ownedBy, providers);
    return [
      { ref, kind, balances, scales: scales as readonly bigint[], weights: weighted, owner: ownedBy, controllers },
    ];
  });
}

/**
 * The owner, who may set the fee at once, and the rate providers of a stable pool; weighted ones ask theirs for no price. A pool
 * that does not say who they are counts as its own controller.
 */
function controllersOf(
  kind: Head["kind"],
  pool: Address,
  owner: Address,
  providersAnswer: Hex | undefined,
): readonly Address[] {
  return knownControllers([owner, ...(isWeighted(kind) ? [] : (addressesIn(providersAnswer ?? "0x", 0) ?? [pool]))]);
}

function knownControllers(accounts: readonly Address[]): readonly Address[] {
  return [...new Set(accounts)].filter((account) => account !== ZERO_ADDRESS && account !== DELEGATE_OWNER);
}

function isWeighted(kind: Head["kind"]): boolean {
  return kind === "weighted" || kind === "weighted-v1";
}

function scaleOf(decimals: bigint | undefined): bigint | undefined {
  return decimals === undefined || decimals > 18n ? undefined : 10n ** (18n - decimals);
}
