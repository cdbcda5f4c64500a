import { erc20Abi } from "viem";
import type { AnyRecord } from "../../venues/index.ts";
import { deploymentOf, ownContract } from "../contracts/own-contracts.ts";
import { devnetAccounts } from "../node/accounts.ts";
import { callWith, type Transaction } from "../node/node-transactions.ts";
import type { DevnetLayout } from "../plan/layout.ts";
import { unitsWorth } from "../plan/liquidity.ts";

/** Pools of tokens of unlike value, in the pool's own order: value of each side in USD, amplification and gamma. */
const CRYPTO_POOLS: readonly {
  readonly coins: readonly string[];
  readonly sideUsd: bigint;
  readonly a: bigint;
  readonly gamma: bigint;
}[] = [
  { coins: ["USDH", "WBT", "WETH"], sideUsd: 1_300_000n, a: 1_707_629n, gamma: 11_809_167_828_997n },
  { coins: ["DSD", "LOCK"], sideUsd: 260_000n, a: 400_000n, gamma: 145_000_000_000_000n },
  { coins: ["WETH", "DAM"], sideUsd: 180_000n, a: 20_000_000n, gamma: 2_000_000_000_000_000n },
];

/** Near and far from balance in parts of 10^10, and how fast one becomes the other: those of pools in use. */
const FEES = [2_600_000n, 45_000_000n, 230_000_000_000_000n];

function deploymentsOf(layout: DevnetLayout) {
  return CRYPTO_POOLS.map((pool) => {
    const coins = pool.coins.map((symbol) => layout.token(symbol).address);
    const args = [devnetAccounts().whale, coins, pool.a, pool.gamma, FEES];
    return { pool, coins, ...deploymentOf(ownContract("DevnetCryptoswap"), args) };
  });
}

/** The pools as a venue of the chain. Our own contract of Curve's interface stands for them: no package has theirs. */
export function curveCryptoVenue(layout: DevnetLayout): AnyRecord {
  const pools = deploymentsOf(layout).map(({ coins, address }) => ({ address, coins }));
  return { protocol: "curve-cryptoswap", source: "Curve_Crypto", pools, fromBlock: 1n };
}

/** Deploys the pools and fills them at the catalog's prices. */
export function seedCurveCrypto(layout: DevnetLayout): readonly Transaction[] {
  const { abi } = ownContract("DevnetCryptoswap");
  return deploymentsOf(layout).flatMap(({ pool, address, transaction }) => {
    const tokens = pool.coins.map((symbol) => layout.token(symbol));
    const first = tokens[0]?.picoUsd ?? 1n;
    return [
      transaction,
      ...tokens.map((coin) => callWith(erc20Abi)("transfer", coin.address, [address, unitsWorth(coin, pool.sideUsd)])),
      callWith(abi)("add", address, [tokens.slice(1).map(({ picoUsd }) => (picoUsd * 10n ** 18n) / first)]),
    ];
  });
}
