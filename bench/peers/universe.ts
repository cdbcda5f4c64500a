import type { Address } from "../../src/domain/address.ts";
import { toAddress } from "../../src/domain/address.ts";
import type { PoolId } from "../../src/domain/route.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { arbitrageFree, valuesFrom } from "../../test/support/arbitrage-free.ts";
import { loadFantom } from "../../test/support/universe.ts";
import { balancerPools, valuesAlong } from "./balancer-universe.ts";
import type { BuiltInFee, Hubs } from "./built-in.ts";
import { heldBy } from "./held.ts";
import { mixedPools } from "./mixed.ts";

/** One set of pools, and what routers are told about it. Plain data: it is sent to the peers' processes as it is. */
export interface PeerUniverse {
  readonly name: string;
  readonly pools: readonly Pool[];
  readonly time: bigint;
  readonly hubs: Hubs;
  /** Value of a base unit in wei of the native token; tokens that no chain of pools values are missing. */
  readonly values: ReadonlyMap<Address, number>;
  /** Decimals that are not 18. */
  readonly decimals: ReadonlyMap<Address, number>;
  /** What each pool holds, in wei. */
  readonly worth: ReadonlyMap<PoolId, number>;
  /** What each pool holds of its tokens, in base units. */
  readonly held: ReadonlyMap<PoolId, readonly number[]>;
  /** What all pools hold of each token, in base units. */
  readonly depth: ReadonlyMap<Address, number>;
}

const TIME = 1_700_000_000n;
const ETHEREUM: Hubs = {
  native: toAddress("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"),
  usdc: toAddress("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"),
  usdt: toAddress("0xdac17f958d2ee523a2206206994597c13d831ec7"),
  dai: toAddress("0x6b175474e89094c44da98b954eedeac495271d0f"),
  btc: toAddress("0x2260fac5e5542a773aa44fbcfedf7c193bc2c599"),
};
const DECIMALS: Readonly<Record<string, number>> = { USDC: 6, fUSDT: 6, BTC: 8, WBTC: 8, renBTC: 8 };

/** Real Fantom pools; `flat` moves them until no cycle earns anything. */
export function fantomUniverse(fee: BuiltInFee, flat: boolean): PeerUniverse {
  const fantom = loadFantom();
  const named = (symbol: string): Address => {
    const all = [...fantom.symbols].filter(([, known]) => known === symbol).map(([address]) => address);
    const held = (token: Address) => fantom.pools.filter((pool) => pool.tokens.includes(token)).length;
    return all.sort((a, b) => held(b) - held(a))[0] as Address;
  };
  const hubs: Hubs = {
    native: named("WFTM"),
    usdc: named("USDC"),
    usdt: named("fUSDT"),
    dai: named("DAI"),
    btc: named("BTC"),
    eth: named("ETH"),
  };
  const raw = fantom.pools.map((pool) =>
    pool.curve === "constant-product" ? { ...pool, state: { ...pool.state, ...fee } } : pool,
  );
  const even = arbitrageFree(raw, hubs.native);
  const decimals = new Map<Address, number>();
  for (const [token, symbol] of fantom.symbols) {
    const known = DECIMALS[symbol];
    if (known !== undefined) decimals.set(token, known);
  }
  const name = `v2-ftm ${flat ? "made free of arbitrage" : "as it is"}`;
  return complete(name, flat ? even : raw, hubs, valuesFrom(even, hubs.native), decimals);
}

/** Constant-product and concentrated pools on real tick maps, free of arbitrage. */
export function mixedUniverse(fee: BuiltInFee): PeerUniverse {
  const made = mixedPools(ETHEREUM, fee);
  return complete("mixed V2 and V3 on real tick maps", made.pools, ETHEREUM, made.values, made.decimals);
}

/** Weighted and stable pools of Balancer V2 as one block of Ethereum left them. */
export function balancerUniverse(): PeerUniverse | undefined {
  const found = balancerPools();
  if (found === undefined) return undefined;
  const values = valuesAlong(found.pools, ETHEREUM.native, TIME);
  return complete("balancer-v2-mainnet", found.pools, ETHEREUM, values, found.decimals);
}

function complete(
  name: string,
  pools: readonly Pool[],
  hubs: Hubs,
  values: ReadonlyMap<Address, number>,
  decimals: ReadonlyMap<Address, number>,
): PeerUniverse {
  const worth = new Map<PoolId, number>();
  const heldOf = new Map<PoolId, readonly number[]>();
  const depth = new Map<Address, number>();
  for (const pool of pools) {
    const held = heldBy(pool);
    heldOf.set(pool.id, held);
    let sum = 0;
    for (const [i, token] of pool.tokens.entries()) {
      sum += (held[i] ?? 0) * (values.get(token) ?? 0);
      depth.set(token, (depth.get(token) ?? 0) + (held[i] ?? 0));
    }
    worth.set(pool.id, sum);
  }
  return { name, pools, time: TIME, hubs, values, decimals, worth, held: heldOf, depth };
}
