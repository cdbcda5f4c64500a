import { erc20Abi } from "viem";
import type { ChainRecord } from "../chain/chains/chain-record.ts";
import { devnetAccounts } from "./accounts.ts";
import type { DevnetLayout } from "./layout.ts";
import { unitsWorth } from "./liquidity.ts";
import { callWith, type Transaction } from "./node-transactions.ts";
import { deploymentOf, ownContract } from "./own-contracts.ts";

/** A stableswap pool: coins with the value of each in USD, amplification, fee and NG's multiplier of it in 10^-10. */
interface CurvePool {
  readonly coins: readonly (readonly [symbol: string, usd: bigint])[];
  readonly ng: boolean;
  readonly a: bigint;
  readonly fee: bigint;
  readonly multiplier: bigint;
}

/** Held such that the coins trade at about what they are worth: a gain in a circle would widen every certificate. */
const CURVE_POOLS: readonly CurvePool[] = [
  {
    ...{ ng: false, a: 400n, fee: 1_000_000n, multiplier: 0n },
    coins: [
      ["DSD", 1_800_000n],
      ["USDH", 2_100_000n],
      ["USDR", 2_400_000n],
    ],
  },
  {
    ...{ ng: true, a: 150n, fee: 2_000_000n, multiplier: 50_000_000_000n },
    coins: [
      ["USDR", 640_000n],
      ["DSD", 540_000n],
    ],
  },
];

function deploymentsOf(layout: DevnetLayout) {
  return CURVE_POOLS.map((pool) => {
    const coins = pool.coins.map(([symbol]) => layout.token(symbol).address);
    const args = [pool.ng, devnetAccounts().whale, coins, pool.a, pool.fee, pool.multiplier];
    return { pool, coins, ...deploymentOf(ownContract("DevnetStableswap"), args) };
  });
}

/** The pools as a venue of the chain. Our own contract of Curve's interface stands for them: no package has theirs. */
export function curveVenue(layout: DevnetLayout): ChainRecord["venues"][number] {
  const pools = deploymentsOf(layout).map(({ pool, coins, address }) => ({
    address,
    coins,
    generation: pool.ng ? ("ng" as const) : ("old" as const),
  }));
  return { protocol: "curve-stableswap", source: "Curve", pools, fromBlock: 1n };
}

/** Deploys the pools and fills them. */
export function seedCurve(layout: DevnetLayout): readonly Transaction[] {
  const { abi } = ownContract("DevnetStableswap");
  return deploymentsOf(layout).flatMap(({ pool, address, transaction }) => [
    transaction,
    ...pool.coins.map(([symbol, usd]) => {
      const coin = layout.token(symbol);
      return callWith(erc20Abi)("transfer", coin.address, [address, unitsWorth(coin, usd)]);
    }),
    callWith(abi)("add", address, []),
  ]);
}
