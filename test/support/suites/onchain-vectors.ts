import { readFileSync } from "node:fs";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";

/** One pool of `test/vectors` with what its contract answered at a named block. The README there names the sources. */
export interface OnchainRecord {
  readonly dex: string;
  readonly block?: number;
  /** Raw state, in the source's own form. */
  readonly pool: unknown;
  readonly swaps: readonly OnchainSwap[];
  /** Symbols of tokens and their addresses, where swaps name tokens by symbol. */
  readonly tokens?: Readonly<Record<string, string>>;
}

export interface OnchainSwap {
  readonly kind: "exactIn" | "exactOut";
  readonly tokenIn: string;
  readonly tokenOut: string;
  /** Base units. One of the two is given, the other is the contract's answer; `error` where it refused. */
  readonly amountIn?: string;
  readonly amountOut?: string;
  readonly error?: string;
  readonly method?: string;
  readonly block?: number;
}

/** A pool as the product holds it, and how swaps of its record name its tokens. */
export interface OnchainPool {
  readonly pool: Pool;
  /** Names of the tokens in the pool's own order. */
  readonly names: readonly string[];
  /** Unix seconds. */
  readonly time: bigint;
}

/** The records of a family in `test/vectors`. */
export function onchainVectorsOf(family: string): readonly OnchainRecord[] {
  const file = new URL(`../../vectors/${family}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as readonly OnchainRecord[];
}

interface RawTicks {
  readonly pool?: string;
  readonly pool_id?: string;
  readonly scalars: {
    readonly fee: number;
    readonly tick_spacing: number;
    readonly sqrt_price_x96: string;
    readonly tick: number;
    readonly liquidity: string;
  };
  /** Index, then liquidityGross and liquidityNet. */
  readonly tick_data: Readonly<Record<string, readonly [string | number, string | number, number]>>;
  readonly token0?: { readonly address: string };
  readonly token1?: { readonly address: string };
}

/** Uniswap V3, V4 and Slipstream: prices and ticks. */
export function concentratedPoolOf({ pool, tokens }: OnchainRecord, singleton = false): OnchainPool {
  const { scalars, tick_data, ...raw } = pool as RawTicks;
  const sorted = Object.entries(tokens as Readonly<Record<string, string>>).sort(([, a], [, b]) =>
    a.toLowerCase() < b.toLowerCase() ? -1 : 1,
  );
  return {
    names: sorted.map(([symbol]) => symbol),
    time: 0n,
    pool: {
      id: (raw.pool ?? raw.pool_id ?? "").toLowerCase() as Address,
      source: "Uniswap_V3",
      tokens: sorted.map(([, address]) => toAddress(address)),
      curve: "concentrated",
      state: {
        sqrtPriceX96: BigInt(scalars.sqrt_price_x96),
        tick: scalars.tick,
        liquidity: BigInt(scalars.liquidity),
        feePpm: scalars.fee,
        tickSpacing: scalars.tick_spacing,
        ...(singleton ? { mostMoved: (1n << 127n) - 1n } : {}),
        ticks: Object.entries(tick_data)
          .map(([index, [gross, net]]) => ({
            index: Number(index),
            liquidityNet: BigInt(net),
            liquidityGross: BigInt(gross),
          }))
          .sort((a, b) => a.index - b.index),
      },
    },
  };
}

interface RawToken {
  readonly address: string;
  readonly decimals: number;
  readonly symbol: string;
}

interface RawPair {
  readonly pool: string;
  readonly stable?: boolean;
  readonly fee_raw?: number;
  readonly fee_numer?: number;
  readonly fee_denom?: number;
  readonly token0: RawToken;
  readonly token1: RawToken;
  readonly reserves_token0: string | number;
  readonly reserves_token1: string | number;
}

/** Uniswap V2 and its forks. */
export function constantProductPoolOf({ pool }: OnchainRecord): OnchainPool {
  const raw = pool as RawPair;
  const feeDen = BigInt(raw.fee_denom as number);
  return pairOf(raw, (reserves) => ({
    curve: "constant-product",
    state: { reserves, feeNum: BigInt(raw.fee_numer as number), feeDen },
  }));
}

/** Aerodrome's pools of two kinds. */
export function solidlyPoolOf({ pool }: OnchainRecord): OnchainPool {
  const raw = pool as RawPair;
  return pairOf(raw, (reserves) => ({
    curve: "solidly",
    state: {
      reserves,
      stable: raw.stable as boolean,
      units: [10n ** BigInt(raw.token0.decimals), 10n ** BigInt(raw.token1.decimals)],
      feeBps: BigInt(raw.fee_raw as number),
      paused: false,
    },
  }));
}

type PoolOf<K extends Pool["curve"]> = Pick<Extract<Pool, { curve: K }>, "curve" | "state">;

function pairOf(
  raw: RawPair,
  rest: (reserves: readonly [bigint, bigint]) => PoolOf<"constant-product"> | PoolOf<"solidly">,
): OnchainPool {
  const tokens = [raw.token0.address, raw.token1.address];
  const base = { id: toAddress(raw.pool), source: "Test", tokens: tokens.map(toAddress) };
  const reserves = [BigInt(raw.reserves_token0), BigInt(raw.reserves_token1)] as const;
  return { names: tokens, time: 0n, pool: { ...base, ...rest(reserves) } };
}

interface RawCurve {
  readonly address: string;
  readonly tokens: readonly RawToken[];
  readonly balances: readonly (string | number)[];
  readonly initial_a: number;
  readonly future_a: number;
  readonly initial_a_time: number;
  readonly future_a_time: number;
  readonly fee: number;
  readonly admin_fee: number;
  readonly block_timestamp: number;
}

/** Curve's first plain pool. */
export function stableswapPoolOf({ pool }: OnchainRecord): OnchainPool {
  const raw = pool as RawCurve;
  return {
    names: raw.tokens.map(({ symbol }) => symbol),
    time: BigInt(raw.block_timestamp),
    pool: {
      id: toAddress(raw.address),
      source: "Curve",
      tokens: raw.tokens.map(({ address }) => toAddress(address)),
      curve: "stableswap",
      state: {
        balances: raw.balances.map(BigInt),
        rates: raw.tokens.map(({ decimals }) => 10n ** BigInt(36 - decimals)),
        initialA: BigInt(raw.initial_a),
        futureA: BigInt(raw.future_a),
        initialATime: BigInt(raw.initial_a_time),
        futureATime: BigInt(raw.future_a_time),
        aPrecision: 1n,
        fee: BigInt(raw.fee),
        adminFee: BigInt(raw.admin_fee),
        generation: "old",
        killed: false,
      },
    },
  };
}

interface RawCrypto extends Omit<RawCurve, "initial_a" | "future_a" | "initial_a_time" | "future_a_time"> {
  readonly a_coefficient: number;
  readonly gamma: number;
  readonly d: string;
  readonly price_scale: readonly string[];
  readonly mid_fee: number;
  readonly out_fee: number;
  readonly fee_gamma: string;
  readonly virtual_price: string;
  readonly lp_token_total_supply: string;
}

/** Curve's first tricrypto pool. */
export function cryptoswapPoolOf({ pool }: OnchainRecord): OnchainPool {
  const raw = pool as RawCrypto;
  // A() divides by the contract's parts of amplification, A_precise() does not.
  const [a, gamma] = [BigInt(raw.a_coefficient) * 100n, BigInt(raw.gamma)];
  return {
    names: raw.tokens.map(({ symbol }) => symbol),
    time: BigInt(raw.block_timestamp),
    pool: {
      id: toAddress(raw.address),
      source: "Curve_Crypto",
      tokens: raw.tokens.map(({ address }) => toAddress(address)),
      curve: "cryptoswap",
      state: {
        balances: raw.balances.map(BigInt),
        precisions: raw.tokens.map(({ decimals }) => 10n ** BigInt(18 - decimals)),
        priceScale: raw.price_scale.map(BigInt),
        generation: "first",
        ...{ initialA: a, futureA: a, initialGamma: gamma, futureGamma: gamma, initialTime: 0n, futureTime: 0n },
        d: BigInt(raw.d),
        midFee: BigInt(raw.mid_fee),
        outFee: BigInt(raw.out_fee),
        feeGamma: BigInt(raw.fee_gamma),
        virtualPrice: BigInt(raw.virtual_price),
        supply: BigInt(raw.lp_token_total_supply),
      },
    },
  };
}

interface RawBalancerV2 {
  readonly address: string;
  readonly tokens: readonly RawToken[];
  readonly balances: readonly (string | number)[];
  /** A fraction in lowest terms. */
  readonly fee: string;
}

function fractionOfOne(fraction: string): bigint {
  const [numerator, denominator] = fraction.split("/").map(BigInt) as [bigint, bigint];
  return (numerator * 10n ** 18n) / denominator;
}

/** Balancer V2's weighted pools, of its first version and of later ones. */
export function weightedPoolOf({ pool }: OnchainRecord): OnchainPool {
  const raw = pool as RawBalancerV2 & {
    readonly weights: readonly (string | number)[];
    readonly pow_version: "v1" | "v2";
  };
  return {
    names: raw.tokens.map(({ address }) => address),
    time: 0n,
    pool: {
      id: toAddress(raw.address),
      source: "Balancer_V2",
      tokens: raw.tokens.map(({ address }) => toAddress(address)),
      curve: "weighted",
      state: {
        balances: raw.balances.map(BigInt),
        weights: raw.weights.map(BigInt),
        scales: raw.tokens.map(({ decimals }) => 10n ** BigInt(18 - decimals)),
        swapFee: fractionOfOne(raw.fee),
        ...(raw.pow_version === "v1" && { firstVersion: true }),
        paused: false,
      },
    },
  };
}

/** Balancer V2's composable stable and MetaStable pools. */
export function composableStablePoolOf({ pool }: OnchainRecord): OnchainPool {
  const raw = pool as RawBalancerV2 & {
    readonly amp: number;
    readonly base_scaling_factors: readonly (string | number)[];
    readonly resolved_rates: readonly (string | number)[];
    readonly bpt_idx: number | null;
    readonly invariant_version: 1 | 2;
  };
  const each = <T>(value: T) => raw.tokens.map(() => value);
  const rates = raw.resolved_rates.map(BigInt);
  return {
    names: raw.tokens.map(({ address }) => address),
    time: 0n,
    pool: {
      id: toAddress(raw.address),
      source: "Balancer_V2",
      tokens: raw.tokens.map(({ address }) => toAddress(address)),
      curve: "composable-stable",
      state: {
        balances: raw.balances.map(BigInt),
        share: raw.bpt_idx ?? raw.tokens.length,
        scales: raw.base_scaling_factors.map((factor) => BigInt(factor) / 10n ** 18n),
        rates,
        expiries: each(2n ** 256n - 1n),
        durations: each(0n),
        freshRates: rates,
        oldRates: rates,
        exempt: each(false),
        initialA: BigInt(raw.amp),
        futureA: BigInt(raw.amp),
        initialATime: 0n,
        futureATime: 0n,
        swapFee: fractionOfOne(raw.fee),
        ...(raw.invariant_version === 2 && { roundsUp: true }),
        totalSupply: 0n,
        lastA: BigInt(raw.amp),
        lastInvariant: 0n,
        protocolSwapFee: 0n,
        protocolYieldFee: 0n,
        paused: false,
      },
    },
  };
}

interface RawWeightedV3 {
  readonly poolType: string;
  readonly poolAddress: string;
  readonly tokens: readonly string[];
  readonly scalingFactors: readonly string[];
  readonly weights: readonly string[];
  readonly swapFee: string;
  readonly aggregateSwapFee?: string;
  readonly balancesLiveScaled18: readonly string[];
  readonly tokenRates: readonly string[];
}

/** Balancer V3's weighted pools; undefined for its other kinds. */
export function weightedV3PoolOf({ pool }: OnchainRecord): OnchainPool | undefined {
  const raw = pool as RawWeightedV3;
  if (raw.poolType !== "WEIGHTED") return undefined;
  const scales = raw.scalingFactors.map(BigInt);
  const zeros = raw.tokens.map(() => 0n);
  return {
    names: raw.tokens.map((token) => token.toLowerCase()),
    time: 0n,
    pool: {
      id: toAddress(raw.poolAddress),
      source: "Balancer_V3",
      tokens: raw.tokens.map(toAddress),
      curve: "balancer-v3",
      state: {
        kind: "weighted",
        balances: raw.balancesLiveScaled18.map((balance, i) => BigInt(balance) / (scales[i] as bigint)),
        scales,
        rates: raw.tokenRates.map(BigInt),
        swapFee: BigInt(raw.swapFee),
        aggregateFee: BigInt(raw.aggregateSwapFee ?? 0),
        minTrade: 0n,
        weights: raw.weights.map(BigInt),
        minBalances: zeros,
        ...{ initialA: 0n, futureA: 0n, initialATime: 0n, futureATime: 0n },
        paused: false,
      },
    },
  };
}
