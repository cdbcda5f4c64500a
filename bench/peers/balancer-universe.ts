import { existsSync, readFileSync } from "node:fs";
import { parseUnits } from "viem";
import { type Address, toAddress } from "../../src/domain/address.ts";
import type { ComposableStableState } from "../../src/pools/composable-stable/state.ts";
import { mathOf, type Pool } from "../../src/pools/pool.ts";
import { heldBy } from "./held.ts";

/** A pool as the file has it; amounts and parts are decimal texts. */
interface FilePool {
  readonly id: string;
  readonly address: string;
  readonly poolType: string;
  readonly swapFee: string;
  readonly amp: string | null;
  readonly totalShares: string;
  readonly swapEnabled: boolean;
  readonly tokens: readonly {
    readonly address: string;
    readonly balance: string;
    readonly decimals: number;
    readonly weight: string | null;
    readonly priceRate: string;
  }[];
}

/** Balancer V2's pools at one block of Ethereum, and the decimals of their tokens where these are not 18. */
export interface BalancerPools {
  readonly pools: readonly Pool[];
  readonly decimals: ReadonlyMap<Address, number>;
}

const FILE = new URL("../../../shared/data/universe/balancer-v2-mainnet-14717479.json", import.meta.url);
const WEIGHTED = ["Weighted", "Investment", "LiquidityBootstrapping"];
const STABLE = ["Stable", "MetaStable", "StablePhantom"];
const NEVER = (1n << 256n) - 1n;
const SHARE_DECIMALS = 18;
const FRACTION_BITS = 200n;

/**
 * The pools of tokens by weight and around an amplified invariant that hold something; undefined where the file is not
 * there. Weights of bootstrapping pools are those of that block. The stable ones are older than the composable ones that
 * we trade, and their maths differs by a few units: they stand for themselves among routers, not for the contracts.
 */
export function balancerPools(): BalancerPools | undefined {
  if (!existsSync(FILE)) return undefined;
  const file = JSON.parse(readFileSync(FILE, "utf8")) as { readonly pools: readonly FilePool[] };
  const decimals = new Map<Address, number>();
  const pools = file.pools.flatMap((pool): readonly Pool[] => {
    const kind = WEIGHTED.includes(pool.poolType) ? "weighted" : STABLE.includes(pool.poolType) ? "stable" : undefined;
    if (kind === undefined || !pool.swapEnabled || pool.tokens.some(({ balance }) => Number(balance) === 0)) return [];
    for (const { address, decimals: places } of pool.tokens)
      if (places !== 18) decimals.set(toAddress(address), places);
    return [kind === "weighted" ? weighted(pool) : stable(pool)];
  });
  return { pools, decimals };
}

/** Values of tokens in the anchor's base units: each takes the price of the pool that holds most of what it is priced in. */
export function valuesAlong(pools: readonly Pool[], anchor: Address, time: bigint): ReadonlyMap<Address, number> {
  const values = new Map<Address, number>([[anchor, 1]]);
  for (;;) {
    let best: { readonly token: Address; readonly value: number; readonly worth: number } | undefined;
    for (const pool of pools) {
      const held = heldBy(pool);
      for (const [sell, known] of pool.tokens.entries()) {
        const worth = (values.get(known) ?? 0) * (held[sell] ?? 0);
        if (worth <= (best?.worth ?? 0)) continue;
        const buy = pool.tokens.findIndex((token) => !values.has(token));
        const price = buy < 0 ? undefined : mathOf(pool).spotPrice(pool.state, { sell, buy }, time);
        if (price === undefined || price.num === 0n) continue;
        // A stable pool's fraction has more digits than a float can count.
        const inKnown = Number((price.den << FRACTION_BITS) / price.num) / 2 ** Number(FRACTION_BITS);
        best = { token: pool.tokens[buy] as Address, value: (values.get(known) as number) * inKnown, worth };
      }
    }
    if (best === undefined) return values;
    values.set(best.token, best.value);
  }
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

/** Without fees of the protocol, which the file does not tell. */
function stable(pool: FilePool): Pool {
  const a = BigInt(Math.round(Number(pool.amp) * 1_000));
  const rates = pool.tokens.map(({ priceRate }) => parseUnits(priceRate, 18));
  const none = rates.map(() => 0n);
  const { balances, ...rest } = held(pool);
  const share = pool.tokens.findIndex(({ address }) => address === pool.address);
  const state: ComposableStableState = {
    ...{ ...rest, balances, share: share < 0 ? rates.length : share },
    ...{ rates, oldRates: rates, freshRates: none, durations: none },
    ...{
      expiries: rates.map(() => NEVER),
      exempt: rates.map(() => false),
      totalSupply: parseUnits(pool.totalShares, SHARE_DECIMALS) + (balances[share] ?? 0n),
      lastA: a,
      lastInvariant: 0n,
    },
    ...{ initialA: a, futureA: a, initialATime: 0n, futureATime: 0n, protocolSwapFee: 0n, protocolYieldFee: 0n },
  };
  return { ...base(pool), curve: "composable-stable", state };
}
