import { encodeAbiParameters, getCreate2Address, keccak256, parseAbiParameters } from "viem";
import { type Address, toAddress } from "../../domain/address.ts";
import { bundled } from "../contracts/bundle.ts";
import { deploymentOf, ownContract } from "../contracts/own-contracts.ts";
import { callWith, type Transaction } from "../node/node-transactions.ts";
import type { DevnetLayout } from "../plan/layout.ts";
import { type DeskPool, deskPositions, fill, priced } from "./desk.ts";

/** The pools of PancakeSwap V3, all in one fee tier. */
const PANCAKE_V3_POOLS: readonly DeskPool[] = [
  { tokens: ["WETH", "USDH"], sideUsd: 3_600_000n, offsetPpm: 900n },
  { tokens: ["WETH", "USDR"], sideUsd: 2_700_000n, offsetPpm: -700n },
  { tokens: ["USDH", "USDR"], sideUsd: 2_000_000n, offsetPpm: 90n },
  { tokens: ["WBT", "WETH"], sideUsd: 3_100_000n, offsetPpm: -1_100n },
  { tokens: ["EURF", "USDH"], sideUsd: 450_000n, offsetPpm: 400n },
  { tokens: ["LOCK", "WETH"], sideUsd: 800_000n, offsetPpm: -1_300n },
  { tokens: ["MILL", "REED"], sideUsd: 90_000n, offsetPpm: 1_200n },
  { tokens: ["FERN", "USDH"], sideUsd: 70_000n, offsetPpm: -500n },
];

const FEE = 2_500;
const SPACING = 50;

function deployments() {
  const deployer = deploymentOf(ownContract("DevnetPancakeV3Deployer"), [bundled("PancakeV3Pool").bytecode]);
  const { abi, bytecode } = bundled("PancakeV3Factory");
  const factory = deploymentOf({ name: "PancakeV3Factory", abi, bytecode }, [deployer.address]);
  return { deployer, factory };
}

export function pancakeV3Factory(): Address {
  return deployments().factory.address;
}

/** Deploys the factory with its deployer of pools, creates the pools and fills them. */
export function seedPancakeV3(layout: DevnetLayout): readonly Transaction[] {
  const { deployer, factory } = deployments();
  const bytecodeHash = keccak256(bundled("PancakeV3Pool").bytecode);
  const ofFactory = callWith(bundled("PancakeV3Factory").abi);
  const ofPool = callWith(bundled("PancakeV3Pool").abi);
  return [
    deployer.transaction,
    factory.transaction,
    ...PANCAKE_V3_POOLS.flatMap((planned) => {
      const pool = priced(layout, planned);
      const terms = [pool.token0.address, pool.token1.address, FEE] as const;
      const salt = keccak256(encodeAbiParameters(parseAbiParameters("address, address, uint24"), terms));
      const address = toAddress(getCreate2Address({ from: deployer.address, salt, bytecodeHash }));
      return [
        ofFactory("createPool", factory.address, terms),
        ofPool("initialize", address, [pool.price]),
        ...fill(address, deskPositions(pool, SPACING)),
      ];
    }),
  ];
}
