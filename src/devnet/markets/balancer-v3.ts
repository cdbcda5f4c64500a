import {
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
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
import type { DevnetLayout } from "../plan/layout.ts";
import { unitsWorth } from "../plan/liquidity.ts";
import { balancerAuthorizer } from "./balancer-v2.ts";

/** A pool: tokens with their values in USD; of a weighted one these are what decides its weights. */
interface PlannedPool {
  readonly kind: "weighted" | "stable";
  readonly feePpm: bigint;
  /** Amplification of a stable pool. */
  readonly amplification?: bigint;
  readonly tokens: readonly (readonly [symbol: string, usd: bigint])[];
}

const POOLS: readonly PlannedPool[] = [
  {
    ...{ kind: "weighted", feePpm: 3_000n },
    tokens: [
      ["WETH", 900_000n],
      ["USDR", 600_000n],
      ["LOCK", 500_000n],
    ],
  },
  {
    // Held such that they trade at about what they are worth: a gain in a circle would widen every certificate.
    ...{ kind: "stable", feePpm: 80n, amplification: 500n },
    tokens: [
      ["USDH", 1_000_000n],
      ["DSD", 830_000n],
      ["vUSDH", 1_000_000n],
    ],
  },
];
/** A buffer of the vault whose shares are `wrapped`: more of the asset, so that it is short of shares first. */
const BUFFER = { asset: "USDH", wrapped: "vUSDH", assetUsd: 600_000n, sharesUsd: 200_000n } as const;
/** The only one of these tokens that is worth more than what it stands for. */
const RATED = { symbol: "vUSDH", rate: parseUnits("1.06", 18) } as const;

const DAY = 86_400;
const MIN_TRADE = 1_000_000n;
/** Contracts that our deployer creates, in the order of their nonces. */
const ORDER = ["admin", "extension", "fees", "vault", "weighted", "stable"] as const;

function deployments() {
  const maker = deploymentOf(ownContract("DevnetBalancerV3"));
  const made = (name: (typeof ORDER)[number]) =>
    toAddress(getContractAddress({ from: maker.address, nonce: BigInt(ORDER.indexOf(name) + 1) }));
  return { maker, made, rateProvider: deploymentOf(ownContract("DevnetRateProvider"), [RATED.rate]) };
}

export function balancerV3Venue(): AnyRecord {
  const { made } = deployments();
  return {
    ...{ protocol: "balancer-v3", source: "Balancer_V3", vault: made("vault"), fromBlock: 1n },
    factories: [
      { factory: made("weighted"), kind: "weighted" },
      { factory: made("stable"), kind: "stable" },
    ],
  };
}

/** Accounts that can change the terms of the devnet's pools: the manager of their fee, and the rate provider. */
export function balancerV3Controllers(): readonly Address[] {
  return [devnetAccounts().whale, deployments().rateProvider.address];
}

export function balancerV3BuffersVenue({ token }: DevnetLayout): AnyRecord {
  return {
    ...{ protocol: "balancer-v3-buffers", source: "Balancer_V3_Buffers", vault: deployments().made("vault") },
    buffers: [{ wrapped: token(BUFFER.wrapped).address, asset: token(BUFFER.asset).address, decimalsOffset: 0 }],
    fromBlock: 1n,
  };
}

/** Deploys vault and factories, creates the pools and a buffer, and fills them. */
export function seedBalancerV3(layout: DevnetLayout): readonly Transaction[] {
  const { maker, made } = deployments();
  const ofMaker = callWith(ownContract("DevnetBalancerV3").abi);
  const vault = made("vault");
  const create = (name: BundledContract, args: readonly unknown[]) => {
    const { abi, bytecode } = bundled(name);
    return ofMaker("create", maker.address, [encodeDeployData({ abi, bytecode, args })]);
  };
  const sold = new Set(POOLS.flatMap(({ tokens }) => tokens.map(([symbol]) => symbol)));
  return [
    maker.transaction,
    create("BalancerV3VaultAdmin", [vault, 90 * DAY, 30 * DAY, MIN_TRADE, MIN_TRADE]),
    create("BalancerV3VaultExtension", [vault, made("admin")]),
    create("BalancerV3ProtocolFeeController", [vault, ONE / 2n, ONE / 10n]),
    create("BalancerV3Vault", [made("extension"), balancerAuthorizer(), made("fees")]),
    create("BalancerV3WeightedPoolFactory", [vault, 365 * DAY, "", ""]),
    create("BalancerV3StablePoolFactory", [vault, 365 * DAY, "", ""]),
    ...[...sold].map((symbol) =>
      callWith(erc20Abi)("approve", layout.token(symbol).address, [maker.address, maxUint256]),
    ),
    ...POOLS.map((pool, index) => {
      const { factory, data, tokens, amounts } = creation(layout, pool, index);
      return ofMaker("make", maker.address, [vault, factory, data, tokens, amounts]);
    }),
    ofMaker("fillBuffer", maker.address, [
      ...[vault, layout.token(BUFFER.wrapped).address],
      unitsWorth(layout.token(BUFFER.asset), BUFFER.assetUsd),
      unitsWorth(layout.token(BUFFER.wrapped), BUFFER.sharesUsd),
    ]),
  ];
}

function creation(layout: DevnetLayout, pool: PlannedPool, index: number) {
  const { made, rateProvider } = deployments();
  const tokens = pool.tokens
    .map(([symbol, usd]) => ({ ...layout.token(symbol), usd }))
    .sort((a, b) => (a.address < b.address ? -1 : 1));
  const all = tokens.reduce((sum, { usd }) => sum + usd, 0n);
  const config = tokens.map(({ address: token, symbol }) =>
    symbol === RATED.symbol
      ? { token, tokenType: 1, rateProvider: rateProvider.address, paysYieldFees: true }
      : { token, tokenType: 0, rateProvider: ZERO_ADDRESS, paysYieldFees: false },
  );
  const { whale } = devnetAccounts();
  const roles = { pauseManager: whale, swapFeeManager: whale, poolCreator: ZERO_ADDRESS };
  const terms = pool.kind === "weighted" ? tokens.map(({ usd }) => (usd * ONE) / all) : pool.amplification;
  const args = [
    ...["Pool", "POOL", config, terms, roles, pool.feePpm * 10n ** 12n, ZERO_ADDRESS, false, false],
    numberToHex(index + 1, { size: 32 }),
  ];
  const { abi } = bundled(pool.kind === "weighted" ? "BalancerV3WeightedPoolFactory" : "BalancerV3StablePoolFactory");
  return {
    factory: made(pool.kind),
    data: encodeFunctionData({ abi, functionName: "create", args }),
    tokens: tokens.map(({ address }) => address),
    amounts: tokens.map((token) => unitsWorth(token, token.usd)),
  };
}
