import { erc20Abi, getContractAddress } from "viem";
import { type Address, toAddress } from "../../domain/address.ts";
import { deploymentOf, ownContract } from "../contracts/own-contracts.ts";
import { callWith, type Transaction } from "../node/node-transactions.ts";
import type { DevnetLayout } from "../plan/layout.ts";
import { unitsWorth } from "../plan/liquidity.ts";

/** The pools of Solidly's kind: tokens, kind, and the value of one side in USD. */
const SOLIDLY_POOLS: readonly {
  readonly tokens: readonly [string, string];
  readonly stable: boolean;
  readonly sideUsd: bigint;
}[] = [
  { tokens: ["USDH", "USDR"], stable: true, sideUsd: 2_100_000n },
  { tokens: ["USDH", "DSD"], stable: true, sideUsd: 900_000n },
  { tokens: ["USDR", "DSD"], stable: true, sideUsd: 400_000n },
  { tokens: ["WETH", "USDH"], stable: false, sideUsd: 1_700_000n },
  { tokens: ["LOCK", "WETH"], stable: false, sideUsd: 350_000n },
  { tokens: ["MILL", "USDR"], stable: false, sideUsd: 120_000n },
  { tokens: ["REED", "MILL"], stable: false, sideUsd: 60_000n },
  { tokens: ["FERN", "OXBW"], stable: false, sideUsd: 25_000n },
];

/** Our own contract of Velodrome V2's interface stands for such venues: no package has theirs. */
export function solidlyFactory(): Address {
  return deploymentOf(ownContract("DevnetSolidlyFactory")).address;
}

/** Deploys the factory and fills its pools, a side of each a little smaller than the other. */
export function seedSolidly(layout: DevnetLayout): readonly Transaction[] {
  const { transaction, address: factory } = deploymentOf(ownContract("DevnetSolidlyFactory"));
  const create = callWith(ownContract("DevnetSolidlyFactory").abi);
  const pool = callWith(ownContract("DevnetSolidlyPool").abi);
  const token = callWith(erc20Abi);
  return [
    transaction,
    ...SOLIDLY_POOLS.flatMap(({ tokens, stable, sideUsd }, index) => {
      const [a, b] = [layout.token(tokens[0]), layout.token(tokens[1])];
      const at = toAddress(getContractAddress({ from: factory, nonce: BigInt(index + 1) }));
      const smaller = (sideUsd * BigInt(1_000 - 3 * (index % 4))) / 1_000n;
      return [
        create("createPool", factory, [a.address, b.address, stable]),
        token("transfer", a.address, [at, unitsWorth(a, sideUsd)]),
        token("transfer", b.address, [at, unitsWorth(b, smaller)]),
        pool("mint", at, []),
      ];
    }),
  ];
}
