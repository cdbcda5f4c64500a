import { encodeAbiParameters, getContractAddress, getCreate2Address, keccak256 } from "viem";
import { type Address, toAddress } from "../../domain/address.ts";
import { bundled } from "../contracts/bundle.ts";
import { deploymentOf, ownContract } from "../contracts/own-contracts.ts";
import { callWith, type Transaction } from "../node/node-transactions.ts";
import type { DevnetLayout } from "../plan/layout.ts";
import { type DeskPool, deskAddress, deskPositions, priced } from "./desk.ts";

/** The pools of Algebra, with the factory's fee of 0.05 % and no plugin. */
const ALGEBRA_POOLS: readonly DeskPool[] = [
  { tokens: ["WETH", "USDH"], sideUsd: 2_900_000n, offsetPpm: -400n },
  { tokens: ["WBT", "USDR"], sideUsd: 900_000n, offsetPpm: 700n },
  { tokens: ["USDR", "DSD"], sideUsd: 700_000n, offsetPpm: 60n },
  { tokens: ["DAM", "WETH"], sideUsd: 550_000n, offsetPpm: -1_000n },
  { tokens: ["TIDE", "USDH"], sideUsd: 220_000n, offsetPpm: 1_300n },
  { tokens: ["MOSS", "REED"], sideUsd: 40_000n, offsetPpm: -1_400n },
];

const SPACING = 60;

function deployments() {
  const codes = [bundled("AlgebraFactory").bytecode, bundled("AlgebraPoolDeployer").bytecode];
  const both = deploymentOf(ownContract("DevnetAlgebra"), codes);
  const created = (nonce: bigint) => toAddress(getContractAddress({ from: both.address, nonce }));
  return { both, factory: created(1n), poolDeployer: created(2n) };
}

export function algebraFactory(): Address {
  return deployments().factory;
}

/** Deploys the factory with its deployer of pools, creates the pools and fills them. */
export function seedAlgebra(layout: DevnetLayout): readonly Transaction[] {
  const { both, factory, poolDeployer } = deployments();
  const bytecodeHash = keccak256(bundled("AlgebraPool").bytecode);
  const ofFactory = callWith(bundled("AlgebraFactory").abi);
  const ofPool = callWith(bundled("AlgebraPool").abi);
  const ofDesk = callWith(ownContract("DevnetDesk").abi);
  return [
    both.transaction,
    ...ALGEBRA_POOLS.flatMap((planned) => {
      const pool = priced(layout, planned);
      const tokens = [pool.token0.address, pool.token1.address] as const;
      const salt = keccak256(encodeAbiParameters([{ type: "address" }, { type: "address" }], tokens));
      const address = toAddress(getCreate2Address({ from: poolDeployer, salt, bytecodeHash }));
      return [
        ofFactory("createPool", factory, [...tokens, "0x"]),
        ofPool("initialize", address, [pool.price]),
        ...deskPositions(pool, SPACING).map(({ tickLower, tickUpper, liquidity }) =>
          ofDesk("mintAlgebra", deskAddress(), [address, tickLower, tickUpper, liquidity]),
        ),
      ];
    }),
  ];
}
