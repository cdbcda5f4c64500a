import { readUniverse } from "../../bench/universes/read.ts";
import { type Address, toAddress } from "../../src/domain/address.ts";
import type { Ratio } from "../../src/domain/ratio.ts";
import type { PoolId } from "../../src/domain/route.ts";
import { sqrtRatioAtTick } from "../../src/math/tick-math.ts";
import type { Pool } from "../../src/pools/pool.ts";
import type { NetworkCost, PoolGraph, SearchBudget } from "../../src/routing/router.ts";

/** A graph over a fixed list of pools. Lists of tokens keep their identity while `previous` holds the same pools. */
export function graphOf(pools: readonly Pool[], time = 1_700_000_000n): PoolGraph {
  const byId = new Map<PoolId, Pool>();
  const byToken = new Map<Address, Pool[]>();
  for (const pool of pools) {
    byId.set(pool.id, pool);
    for (const token of pool.tokens) {
      const list = byToken.get(token);
      if (list === undefined) byToken.set(token, [pool]);
      else list.push(pool);
    }
  }
  const none: readonly Pool[] = [];
  return { time, pool: (id) => byId.get(id), poolsOf: (token) => byToken.get(token) ?? none, chunks: () => [pools] };
}

export const FREE: NetworkCost = { gasPrice: 0n, rate: () => undefined };

/** Gas at `gasPrice` wei with one rate for every token. */
export function costAt(gasPrice: bigint, rate: (token: Address) => Ratio | undefined): NetworkCost {
  return { gasPrice, rate };
}

export function budgetOf(parts: Partial<SearchBudget> = {}): SearchBudget {
  return { maxHops: 4, maxFills: 128, maxSteps: 10_000_000, expired: () => false, ...parts };
}

/** The address that stands for token or pool number `n` of a synthetic universe. */
export function addressOf(n: number, kind: "token" | "pool" = "token"): Address {
  return toAddress(`0x${kind === "token" ? "70" : "90"}${n.toString(16).padStart(38, "0")}`);
}

export function pairOf(
  n: number,
  tokens: readonly [Address, Address],
  reserves: readonly [bigint, bigint],
  feeNum = 3n,
  feeDen = 1000n,
): Pool {
  const id = addressOf(n, "pool");
  return { id, source: "Uniswap_V2", tokens, curve: "constant-product", state: { reserves, feeNum, feeDen } };
}

/** A pool with one position of `liquidity` from `width` tick spacings below to as many above the current tick. */
export function concentratedOf(
  n: number,
  tokens: readonly [Address, Address],
  tick: number,
  liquidity: bigint,
  { feePpm = 3000, tickSpacing = 60, width = 20 } = {},
): Pool {
  const middle = Math.floor(tick / tickSpacing) * tickSpacing;
  const reach = width * tickSpacing;
  return {
    id: addressOf(n, "pool"),
    source: "Uniswap_V3",
    tokens,
    curve: "concentrated",
    state: {
      sqrtPriceX96: sqrtRatioAtTick(tick),
      tick,
      liquidity,
      feePpm,
      tickSpacing,
      ticks: [
        { index: middle - reach, liquidityNet: liquidity, liquidityGross: liquidity },
        { index: middle + reach, liquidityNet: -liquidity, liquidityGross: liquidity },
      ],
    },
  };
}

/** Numbers from 0 to 1 that a seed determines (Mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface FantomFile {
  readonly pools: readonly {
    readonly dex: string;
    readonly address: string;
    readonly token0: string;
    readonly token1: string;
    readonly symbol0: string;
    readonly symbol1: string;
    readonly reserve0: string;
    readonly reserve1: string;
  }[];
}

export interface Universe {
  readonly pools: readonly Pool[];
  readonly tokens: readonly Address[];
  readonly symbols: ReadonlyMap<Address, string>;
}

/** The real constant-product pools of Fantom. */
export function loadFantom(): Universe {
  const symbols = new Map<Address, string>();
  const pools = readUniverse<FantomFile>("v2-ftm").pools.map((record): Pool => {
    const tokens = [toAddress(record.token0), toAddress(record.token1)];
    symbols.set(tokens[0] as Address, record.symbol0);
    symbols.set(tokens[1] as Address, record.symbol1);
    return {
      id: toAddress(record.address),
      source: record.dex,
      tokens,
      curve: "constant-product",
      state: { reserves: [BigInt(record.reserve0), BigInt(record.reserve1)], feeNum: 3n, feeDen: 1000n },
    };
  });
  return { pools, tokens: [...symbols.keys()], symbols };
}
