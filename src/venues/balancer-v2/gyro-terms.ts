import { encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from "viem";
import { type Address, ZERO_ADDRESS } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { Reading } from "../../market/liquidity-source.ts";
import { ONE } from "../../math/fixed-point.ts";
import { gyroMath } from "../../pools/gyro/math.ts";
import type { GyroKind, GyroState } from "../../pools/gyro/state.ts";
import type { Pool } from "../../pools/pool.ts";
import { isRejection } from "../../pools/pool-math.ts";
import { callGroups } from "../reading/call-groups.ts";
import { PROBE_PART } from "../reading/matching-quotes.ts";
import { addressAt, intAt, uintAt } from "../reading/words.ts";
import { poolAddressOf } from "./pool-address.ts";

type GyroPool = Extract<Pool, { curve: "gyro" }>;

/** Terms of a pool that never change. */
export interface GyroTerms {
  readonly parameters: readonly bigint[];
  /** The zero address where a token has none. */
  readonly rateProviders: readonly Address[];
}

/** The getter of a kind's parameters, and the words of its answer that a swap counts with. */
const PARAMETERS: Readonly<Record<GyroKind, { readonly selector: Hex; readonly words: readonly number[] }>> = {
  "2clp": { selector: toFunctionSelector("getSqrtParameters()"), words: [0, 1] },
  "3clp": { selector: toFunctionSelector("getRoot3Alpha()"), words: [0] },
  // Its prices, alpha and beta, come first: they are in what is derived from them.
  eclp: { selector: toFunctionSelector("getECLPParams()"), words: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] },
};
const RATE_PROVIDERS = ["rateProvider0()", "rateProvider1()"].map((signature) => toFunctionSelector(signature));
const GET_TOKEN_RATES = toFunctionSelector("getTokenRates()");
const QUERY = parseAbi([
  "function queryBatchSwap(uint8 kind, (bytes32 poolId, uint256 assetInIndex, uint256 assetOutIndex, uint256 amount, bytes userData)[] swaps, address[] assets, (address sender, bool fromInternalBalance, address recipient, bool toInternalBalance) funds) returns (int256[])",
]);
/** Word of the second difference in the answer: an array of two. */
const BOUGHT_WORD = 3;

/**
 * Terms of pools of these kinds, in order; undefined if a pool does not tell. Builds of 2022 had no rate providers: a pool counts
 * as one of these if it answers neither for its providers nor for its rates.
 */
export async function readGyroTerms(
  chain: ChainReader,
  pools: readonly { readonly id: string; readonly kind: GyroKind; readonly tokens: readonly Address[] }[],
  at: BlockRef,
): Promise<readonly (GyroTerms | undefined)[]> {
  const answers = await callGroups(
    chain,
    pools.map(({ id, kind, tokens }): readonly Call[] => {
      const pool = poolAddressOf(id);
      const own = { to: pool, data: PARAMETERS[kind].selector };
      if (tokens.length !== RATE_PROVIDERS.length) return [own];
      const providers = RATE_PROVIDERS.map((data) => ({ to: pool, data }));
      return [own, ...providers, { to: pool, data: GET_TOKEN_RATES, isForeignCall: true }];
    }),
    at,
  );
  return pools.map(({ kind, tokens }, index) => {
    const [own = "0x", ...ofRates] = answers[index] ?? [];
    const parameters = PARAMETERS[kind].words.map((word) => intAt(own, word));
    if (parameters.some((parameter) => parameter === undefined)) return undefined;
    const providers = ofRates.slice(0, RATE_PROVIDERS.length).map((answer) => addressAt(answer ?? "0x", 0));
    const hasProviders = ofRates.some((answer) => answer !== undefined);
    if (hasProviders && providers.includes(undefined)) return undefined;
    const rateProviders = tokens.map((_, i) => providers[i] ?? ZERO_ADDRESS);
    return { parameters: parameters as readonly bigint[], rateProviders };
  });
}

/** The rates of pools' tokens at `at`, by pool; those left out whose rates cannot be had. */
export async function readGyroRates(
  chain: ChainReader,
  pools: readonly GyroPool[],
  at: BlockRef,
): Promise<ReadonlyMap<string, GyroState["rates"]>> {
  const rated = pools.filter(({ state }) => state.rated.includes(true));
  const calls = rated.map(({ id }): Call => ({ to: poolAddressOf(id), data: GET_TOKEN_RATES, isForeignCall: true }));
  const answers = calls.length === 0 ? [] : await chain.calls(calls, at);
  const read = rated.flatMap(({ id, tokens }, index) => {
    const rates = tokens.map((_, i) => uintAt(answers[index] ?? "0x", i));
    return rates.every((rate) => rate !== undefined && rate > 0n) ? [[id, rates as readonly bigint[]] as const] : [];
  });
  const fixed = pools.filter(({ state }) => !state.rated.includes(true));
  return new Map([...read, ...fixed.map(({ id, tokens }) => [id, tokens.map(() => ONE)] as const)]);
}

/**
 * Keeps pools for which the vault says of two sales, a part and all that a pool takes, what our maths says; reports the others.
 * Paused ones are kept too: they prove it once they no longer are. A first build took no more than a part of a balance. An empty
 * pool is left out until it is filled.
 */
export async function provenGyroPools(
  vault: Address,
  pools: readonly GyroPool[],
  { chain, at, reportUnserved }: Reading,
): Promise<ReadonlySet<string>> {
  const probes = pools.flatMap((pool) =>
    pool.tokens.flatMap((_, sell) => {
      const direction = { sell, buy: (sell + 1) % pool.tokens.length };
      const { maxSell } = gyroMath.limits(pool.state, direction, at.timestamp);
      return [maxSell, maxSell / PROBE_PART].flatMap((amount) => {
        const quote = gyroMath.quoteExactIn(pool.state, direction, amount, at.timestamp);
        if (isRejection(quote)) return [];
        const pair = [direction.sell, direction.buy].map((index) => pool.tokens[index] as Address);
        const call: Call = { to: vault, data: queryOf(pool.id as Hex, pair, amount), isForeignCall: true };
        return [{ pool, call, paid: quote.amount }];
      });
    }),
  );
  const answers = await chain.calls(
    probes.map(({ call }) => call),
    at,
  );
  const told = probes.map(({ paid }, index) => intAt(answers[index] ?? "0x", BOUGHT_WORD) === -paid);
  const others = new Set(probes.filter((_, index) => !told[index]).map(({ pool }) => pool.id));
  for (const id of others) reportUnserved(id, "UNKNOWN_VERSION");
  const asked = new Set(probes.map(({ pool }) => pool.id));
  return new Set(
    pools.filter(({ id, state }) => state.paused || (asked.has(id) && !others.has(id))).map(({ id }) => id),
  );
}

/**
 * Pools as they are now, without those of Gyroscope's that have been resumed since and do not prove their maths. While a pool is
 * paused, nothing can be asked of it.
 */
export async function provenOnceResumed(
  vault: Address,
  before: readonly Pool[],
  now: readonly Pool[],
  { chain, at }: Pick<Reading, "chain" | "at">,
): Promise<readonly Pool[]> {
  const paused = new Set(before.flatMap((pool) => (pool.curve === "gyro" && pool.state.paused ? [pool.id] : [])));
  const resumed = now.flatMap((pool) =>
    pool.curve === "gyro" && paused.has(pool.id) && !pool.state.paused ? [pool] : [],
  );
  if (resumed.length === 0) return now;
  const proven = await provenGyroPools(vault, resumed, { chain, at, reportUnserved: () => {} });
  return now.filter((pool) => proven.has(pool.id) || !resumed.some(({ id }) => id === pool.id));
}

function queryOf(poolId: Hex, pair: readonly Address[], amount: bigint): Hex {
  const step = { poolId, assetInIndex: 0n, assetOutIndex: 1n, amount, userData: "0x" } as const;
  const funds = { sender: ZERO_ADDRESS, fromInternalBalance: false, recipient: ZERO_ADDRESS, toInternalBalance: false };
  return encodeFunctionData({ abi: QUERY, functionName: "queryBatchSwap", args: [0, [step], pair, funds] });
}
