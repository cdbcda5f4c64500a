import { erc20Abi, getContractAddress } from "viem";
import { type Address, toAddress } from "../../domain/address.ts";
import type { AnyRecord } from "../../venues/index.ts";
import { deploymentOf, ownContract } from "../contracts/own-contracts.ts";
import { devnetAccounts } from "../node/accounts.ts";
import { callWith, type Transaction } from "../node/node-transactions.ts";
import type { DevnetLayout, DevnetToken } from "../plan/layout.ts";
import { unitsWorth } from "../plan/liquidity.ts";

type TokenOf = DevnetLayout["token"];
type Venue = Extract<AnyRecord, { readonly protocol: "curve-stableswap" }>;

/** A stableswap pool: coins with the value of each in USD, amplification, fee and NG's multiplier of it in 10^-10. */
interface CurvePool {
  readonly coins: readonly (readonly [symbol: string, usd: bigint])[];
  readonly ng: boolean;
  readonly a: bigint;
  readonly fee: bigint;
  readonly multiplier: bigint;
  /** Symbol and name of its own share; absent where that is not traded. */
  readonly share?: string;
}

/** Held such that the coins trade at about what they are worth: a gain in a circle would widen every certificate. */
const CURVE_POOLS: readonly CurvePool[] = [
  {
    ...{ ng: false, a: 400n, fee: 1_000_000n, multiplier: 0n },
    share: "3RIV",
    coins: [
      ["DSD", 1_800_000n],
      ["USDH", 2_100_000n],
      ["USDR", 2_400_000n],
    ],
  },
  {
    ...{ ng: true, a: 150n, fee: 2_000_000n, multiplier: 50_000_000_000n },
    share: "2RIV",
    coins: [
      ["USDR", 640_000n],
      ["DSD", 540_000n],
    ],
  },
];

/** A metapool of NG's kind: a coin with a rate against the share of the first pool. */
const METAPOOL: CurvePool & { readonly rate: bigint } = {
  ...{ ng: true, a: 300n, fee: 3_000_000n, multiplier: 20_000_000_000n },
  /** Multiplier of the coin's amounts, which have six decimals, at 1.06 dollars. */
  rate: 1_060_000n * 10n ** 24n,
  coins: [
    ["vUSDH", 830_000n],
    ["3RIV", 810_000n],
  ],
};

/** Worth of a share when the pools are filled, in 10^-12 USD: about a dollar. */
const SHARE_PICO_USD = 1_000_000_000_000n;

function deployed(token: TokenOf, pool: CurvePool) {
  const { ng, a, fee, multiplier, share } = pool;
  const coins = pool.coins.map(([symbol]) => token(symbol).address);
  const args = [ng, devnetAccounts().whale, coins, a, fee, multiplier, share ?? ""];
  const { address, transaction } = deploymentOf(ownContract("DevnetStableswap"), args);
  // An older pool's share is a token of its own, the first contract that the pool creates.
  const shareAddress = ng ? address : toAddress(getContractAddress({ from: address, nonce: 1n }));
  return { pool, coins, address, transaction, shareAddress };
}

/** The pools' own shares, which are traded like any token. */
export function curveShares(token: TokenOf): readonly DevnetToken[] {
  return CURVE_POOLS.flatMap((pool) => {
    const { share: symbol } = pool;
    if (symbol === undefined) return [];
    const address: Address = deployed(token, pool).shareAddress;
    const worth = { decimals: 18, picoUsd: SHARE_PICO_USD };
    return [{ symbol, name: symbol, address, ...worth, returnless: false, wrapper: true as const }];
  });
}

/** The pools as a venue of the chain. Our own contract of Curve's interface stands for them: no package has theirs. */
export function curveVenue({ token }: DevnetLayout): AnyRecord {
  const base = deployed(token, CURVE_POOLS[0]!);
  const listed = (pool: CurvePool): Venue["pools"][number] => {
    const { address, coins, shareAddress } = deployed(token, pool);
    return { address, coins, generation: pool.ng ? "ng" : "old", ...(pool.share && { share: shareAddress }) };
  };
  const pools = [...CURVE_POOLS.map(listed), { ...listed(METAPOOL), basePool: base.address }];
  return { protocol: "curve-stableswap", source: "Curve", pools, fromBlock: 1n };
}

/** Deploys the pools and fills them. */
export function seedCurve({ token }: DevnetLayout): readonly Transaction[] {
  return CURVE_POOLS.flatMap((pool) => {
    const { transaction, address } = deployed(token, pool);
    return [transaction, ...fill(token, pool, address)];
  });
}

/** Deploys the metapool and fills it, once its coins exist. */
export function seedCurveMetapool({ token }: DevnetLayout): readonly Transaction[] {
  const { transaction, address } = deployed(token, METAPOOL);
  const call = callWith(ownContract("DevnetStableswap").abi);
  return [
    transaction,
    call("set_rate", address, [0n, METAPOOL.rate]),
    call("set_base_pool", address, [deployed(token, CURVE_POOLS[0]!).address]),
    ...fill(token, METAPOOL, address),
  ];
}

function fill(token: TokenOf, { coins }: CurvePool, pool: Address): readonly Transaction[] {
  return [
    ...coins.map(([symbol, usd]) => {
      const coin = token(symbol);
      return callWith(erc20Abi)("transfer", coin.address, [pool, unitsWorth(coin, usd)]);
    }),
    callWith(ownContract("DevnetStableswap").abi)("add", pool, []),
  ];
}
