import {
  concat,
  encodeAbiParameters,
  erc20Abi,
  getContractAddress,
  type Hex,
  maxUint256,
  numberToHex,
  parseUnits,
} from "viem";
import { type Address, toAddress, ZERO_ADDRESS } from "../../domain/address.ts";
import { ONE } from "../../math/fixed-point.ts";
import type { AnyRecord } from "../../venues/index.ts";
import { type BundledContract, bundled } from "../contracts/bundle.ts";
import { deploymentOf, ownContract } from "../contracts/own-contracts.ts";
import { devnetAccounts } from "../node/accounts.ts";
import { callWith, type Transaction } from "../node/node-transactions.ts";
import type { DevnetLayout, DevnetToken } from "../plan/layout.ts";
import { unitsWorth } from "../plan/liquidity.ts";

/** Tokens with their parts of the pool's value in hundredths; fee in millionths. */
const WEIGHTED_POOLS = [
  {
    ...{ usd: 3_200_000n, feePpm: 2_500n },
    parts: [
      ["WETH", 40n],
      ["WBT", 35n],
      ["DAM", 25n],
    ],
  },
  {
    ...{ usd: 700_000n, feePpm: 6_000n },
    parts: [
      ["LOCK", 80n],
      ["WETH", 20n],
    ],
  },
] as const;

/**
 * Tokens of like value with what the pool holds of each in USD, such that they trade at about what they are worth; the
 * vault's shares with the rate that they have.
 */
const STABLE_POOL = {
  ...{ symbol: "rDOL", name: "River Dollars", decimals: 18, picoUsd: 1_000_000_000_000n },
  ...{ amplification: 300n, feePpm: 100n, rateOf: "vUSDH", rate: parseUnits("1.06", 18) },
  parts: [
    ["USDR", 1_420_000n],
    ["DSD", 1_150_000n],
    ["vUSDH", 1_300_000n],
  ],
} as const;

const DAY = 86_400n;
/** A factory's contracts for its pools' code come before its first pool. */
const FIRST_NONCE = 3n;
/** Kinds of the vault's balance storage: for all tokens at once, token by token, or both of two together. */
const [GENERAL, MINIMAL, TWO_TOKENS] = [0n, 1n, 2n];
/** All shares of a stable pool that will ever be. */
const PREMINTED = 1n << 111n;

function deployments(weth: Address) {
  const { whale } = devnetAccounts();
  const of = (name: BundledContract, args: readonly unknown[]) => deploymentOf({ ...bundled(name), name }, args);
  const authorizer = of("BalancerAuthorizer", [whale]);
  const vault = of("BalancerVault", [authorizer.address, weth, 90n * DAY, 30n * DAY]);
  const fees = of("BalancerFeePercentages", [vault.address, ONE / 2n, ONE / 2n]);
  const args = [vault.address, fees.address, "", ""];
  return {
    ...{ authorizer, vault, fees },
    weighted: of("BalancerWeightedPoolFactory", args),
    stable: of("BalancerComposableStablePoolFactory", args),
    rateProvider: deploymentOf(ownContract("DevnetRateProvider"), [STABLE_POOL.rate]),
  };
}

/** Address of the authorizer of both of Balancer's vaults. */
export function balancerAuthorizer(): Address {
  return deployments(ZERO_ADDRESS).authorizer.address;
}

export function balancerV2Venue({ contracts }: DevnetLayout): AnyRecord {
  const { vault, weighted, stable } = deployments(contracts.weth);
  return {
    ...{ protocol: "balancer-v2", source: "Balancer_V2", vault: vault.address, fromBlock: 1n },
    factories: [
      { factory: weighted.address, kind: "weighted" },
      { factory: stable.address, kind: "composable-stable" },
    ],
  };
}

/** The stable pool's own share, which is traded like any token. */
export function balancerShare(weth: Address): DevnetToken {
  const { symbol, name, decimals, picoUsd } = STABLE_POOL;
  const address = createdBy(deployments(weth).stable.address, 0);
  return { address, symbol, name, decimals, picoUsd, returnless: false, wrapper: true };
}

/** Accounts that can change the terms of the devnet's pools: their owner, and the rate provider. */
export function balancerV2Controllers(weth: Address, whale: Address): readonly Address[] {
  return [whale, deployments(weth).rateProvider.address];
}

/** A pool to be made: its tokens as the vault will have them, and the first deposit of each. */
interface Planned {
  readonly address: Address;
  readonly poolId: Hex;
  readonly creation: Transaction;
  readonly deposits: readonly { readonly token: Address; readonly amount: bigint }[];
}

/** Deploys vault and factories, creates the pools and fills them. */
export function seedBalancerV2(layout: DevnetLayout, whale: Address): readonly Transaction[] {
  const { authorizer, vault, fees, weighted, stable, rateProvider } = deployments(layout.contracts.weth);
  const token = callWith(erc20Abi);
  return [
    ...[authorizer, vault, fees, weighted, stable, rateProvider].map(({ transaction }) => transaction),
    ...layout.tokens
      .filter(({ symbol }) => symbol !== STABLE_POOL.symbol)
      .map(({ address }) => token("approve", address, [vault.address, maxUint256])),
    ...[...weightedPools(layout, whale), stablePool(layout, whale)].flatMap(({ poolId, creation, deposits }) => {
      const amounts = deposits.map(({ amount }) => amount);
      const userData = encodeAbiParameters([{ type: "uint256" }, { type: "uint256[]" }], [0n, amounts]);
      const assets = deposits.map((deposit) => deposit.token);
      const request = { assets, maxAmountsIn: assets.map(() => maxUint256), userData, fromInternalBalance: false };
      const join = callWith(bundled("BalancerVault").abi);
      return [creation, join("joinPool", vault.address, [poolId, whale, whale, request])];
    }),
  ];
}

function weightedPools(layout: DevnetLayout, whale: Address): readonly Planned[] {
  const { address: factory } = deployments(layout.contracts.weth).weighted;
  return WEIGHTED_POOLS.map(({ usd, feePpm, parts }, index) => {
    const tokens = sorted(layout, parts);
    const address = createdBy(factory, index);
    const weights = tokens.map(({ figure }) => figure * 10n ** 16n);
    const providers = tokens.map(() => ZERO_ADDRESS);
    const args = [
      "Weighted",
      "WP",
      tokens.map((token) => token.address),
      weights,
      providers,
      feePpm * 10n ** 12n,
      whale,
    ];
    return {
      address,
      poolId: poolIdOf(address, tokens.length === 2 ? TWO_TOKENS : MINIMAL, index),
      creation: callWith(bundled("BalancerWeightedPoolFactory").abi)("create", factory, args),
      deposits: tokens.map((token) => ({
        token: token.address,
        amount: unitsWorth(token, (usd * token.figure) / 100n),
      })),
    };
  });
}

function stablePool(layout: DevnetLayout, whale: Address): Planned {
  const { stable, rateProvider } = deployments(layout.contracts.weth);
  const address = createdBy(stable.address, 0);
  const { amplification, feePpm, rateOf, parts } = STABLE_POOL;
  const tokens = sorted(layout, parts);
  const args = [
    ...[STABLE_POOL.name, STABLE_POOL.symbol, tokens.map((token) => token.address), amplification],
    tokens.map(({ symbol }) => (symbol === rateOf ? rateProvider.address : ZERO_ADDRESS)),
    ...[tokens.map(() => 0n), tokens.map(() => false), feePpm * 10n ** 12n, whale],
  ];
  const deposits = [
    ...tokens.map((token) => ({ token: token.address, amount: unitsWorth(token, token.figure) })),
    { token: address, amount: PREMINTED },
  ];
  return {
    ...{ address, poolId: poolIdOf(address, GENERAL, WEIGHTED_POOLS.length) },
    creation: callWith(bundled("BalancerComposableStablePoolFactory").abi)("create", stable.address, args),
    deposits: deposits.sort((a, b) => (a.token < b.token ? -1 : 1)),
  };
}

/** Tokens in the order that factories want, each with the figure that stands beside it. */
function sorted(
  layout: DevnetLayout,
  parts: readonly (readonly [symbol: string, figure: bigint])[],
): readonly (DevnetToken & { readonly figure: bigint })[] {
  return parts
    .map(([symbol, figure]) => ({ ...layout.token(symbol), figure }))
    .sort((a, b) => (a.address < b.address ? -1 : 1));
}

function createdBy(factory: Address, index: number): Address {
  return toAddress(getContractAddress({ from: factory, nonce: FIRST_NONCE + BigInt(index) }));
}

/** Address, how balances are kept, and the number of the pool among all of the vault. */
function poolIdOf(pool: Address, keeping: bigint, number: number): Hex {
  return concat([pool, numberToHex(keeping, { size: 2 }), numberToHex(number, { size: 10 })]);
}
