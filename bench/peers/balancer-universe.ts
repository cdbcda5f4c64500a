import { existsSync, readFileSync } from "node:fs";
import { parseUnits } from "viem";
import { type Address, toAddress } from "../../src/domain/address.ts";
import type { ComposableStableState } from "../../src/pools/composable-stable/state.ts";
import type { Pool } from "../../src/pools/pool.ts";

/** A pool as the file has it; amounts and parts are decimal texts. */
interface FilePool {
  readonly id: string;
  readonly poolType: string;
  readonly swapFee: string;
  readonly amp: string | null;
  readonly swapEnabled: boolean;
  readonly tokens: readonly {
    readonly address: string;
    readonly balance: string;
    readonly decimals: number;
    readonly weight: string | null;
    readonly priceRate: string;
  }[];
}

/** Balancer V2's pools at one block of Ethereum, and the decimals of their tokens. */
export interface BalancerPools {
  readonly pools: readonly Pool[];
  readonly decimals: ReadonlyMap<Address, number>;
}

const FILE = new URL("../../../shared/data/universe/balancer-v2-mainnet-14717479.json", import.meta.url);
const WEIGHTED = ["Weighted", "Investment"];
const STABLE = ["Stable", "MetaStable"];
const NEVER = (1n << 256n) - 1n;

/**
 * Weighted and stable pools of real tokens that hold something; undefined where the file is not there. The stable ones are
 * older than the composable ones that we trade, and their maths differs by a few units: they stand for themselves among
 * routers, not for the contracts. Their shares are not traded.
 */
export function balancerPools(): BalancerPools | undefined {
  if (!existsSync(FILE)) return undefined;
  const file = JSON.parse(readFileSync(FILE, "utf8")) as { readonly pools: readonly FilePool[] };
  const decimals = new Map<Address, number>();
  const pools = file.pools.flatMap((pool): readonly Pool[] => {
    const kind = WEIGHTED.includes(pool.poolType) ? "weighted" : STABLE.includes(pool.poolType) ? "stable" : undefined;
    if (kind === undefined || !pool.swapEnabled || pool.tokens.some(({ balance }) => Number(balance) === 0)) return [];
    for (const token of pool.tokens) decimals.set(toAddress(token.address), token.decimals);
    return [kind === "weighted" ? weighted(pool) : stable(pool)];
  });
  return { pools, decimals };
}

function base({ id, tokens }: FilePool) {
  return { id, source: "Balancer_V2", tokens: tokens.map(({ address }) => toAddress(address)) };
}

function held({ tokens, swapFee }: FilePool) {
  return {
    balances: tokens.map(({ balance, decimals }) => parseUnits(balance, decimals)),
    scales: tokens.map(({ decimals }) => 10n ** BigInt(18 - decimals)),
    swapFee: parseUnits(swapFee, 18),
    paused: false,
  };
}

function weighted(pool: FilePool): Pool {
  const weights = pool.tokens.map(({ weight }) => parseUnits(weight ?? "0", 18));
  return { ...base(pool), curve: "weighted", state: { ...held(pool), weights } };
}

function stable(pool: FilePool): Pool {
  const a = BigInt(Math.round(Number(pool.amp) * 1_000));
  const rates = pool.tokens.map(({ priceRate }) => parseUnits(priceRate, 18));
  const none = rates.map(() => 0n);
  const state: ComposableStableState = {
    ...{ ...held(pool), share: rates.length, rates, oldRates: rates, freshRates: none, durations: none },
    ...{
      expiries: rates.map(() => NEVER),
      exempt: rates.map(() => false),
      totalSupply: 0n,
      lastA: a,
      lastInvariant: 0n,
    },
    ...{ initialA: a, futureA: a, initialATime: 0n, futureATime: 0n, protocolSwapFee: 0n, protocolYieldFee: 0n },
  };
  return { ...base(pool), curve: "composable-stable", state };
}
