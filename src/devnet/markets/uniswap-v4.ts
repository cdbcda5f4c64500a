import { erc20Abi, maxUint256, parseEther } from "viem";
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../domain/address.ts";
import { bundled } from "../contracts/bundle.ts";
import { deploymentOf, ownContract } from "../contracts/own-contracts.ts";
import { callWith, type Transaction } from "../node/node-transactions.ts";
import type { DevnetLayout } from "../plan/layout.ts";
import { type DeskPool, deskPositions, priced } from "./desk.ts";

/** The pools of Uniswap V4, without hooks; ETH is the native token itself. */
const UNISWAP_V4_POOLS: readonly DeskPool[] = [
  { tokens: ["ETH", "USDH"], sideUsd: 4_100_000n, offsetPpm: -600n },
  { tokens: ["ETH", "WBT"], sideUsd: 2_600_000n, offsetPpm: 1_000n },
  { tokens: ["ETH", "LOCK"], sideUsd: 500_000n, offsetPpm: -900n },
  { tokens: ["WETH", "USDR"], sideUsd: 1_900_000n, offsetPpm: 800n },
  { tokens: ["USDH", "DSD"], sideUsd: 1_400_000n, offsetPpm: -80n },
  { tokens: ["USDR", "EURF"], sideUsd: 300_000n, offsetPpm: 600n },
  { tokens: ["DAM", "USDH"], sideUsd: 250_000n, offsetPpm: -1_200n },
  { tokens: ["REED", "USDR"], sideUsd: 60_000n, offsetPpm: 1_400n },
];

const FEE = 3_000;
const SPACING = 60;
const NATIVE_FOR_POSITIONS = parseEther("10000");

function deployments(owner: Address) {
  const { abi, bytecode } = bundled("PoolManager");
  const manager = deploymentOf({ name: "PoolManager", abi, bytecode }, [owner]);
  const desk = deploymentOf(ownContract("DevnetV4Desk"), [manager.address]);
  return { manager, desk };
}

export function poolManager(owner: Address): Address {
  return deployments(owner).manager.address;
}

/** Deploys the manager and a desk for it, creates the pools and fills them. */
export function seedUniswapV4(layout: DevnetLayout, whale: Address): readonly Transaction[] {
  const { manager, desk } = deployments(whale);
  const ofManager = callWith(bundled("PoolManager").abi);
  const ofDesk = callWith(ownContract("DevnetV4Desk").abi);
  const token = callWith(erc20Abi);
  return [
    manager.transaction,
    desk.transaction,
    { label: "native token for positions", to: desk.address, data: "0x", value: NATIVE_FOR_POSITIONS },
    ...layout.tokens.map(({ address }) => token("approve", address, [desk.address, maxUint256])),
    ...UNISWAP_V4_POOLS.flatMap((planned) => {
      const pool = priced(layout, planned);
      const [currency0, currency1] = [pool.token0, pool.token1].map(({ address }) =>
        address === NATIVE_TOKEN ? ZERO_ADDRESS : address,
      );
      const key = { currency0, currency1, fee: FEE, tickSpacing: SPACING, hooks: ZERO_ADDRESS };
      return [
        ofManager("initialize", manager.address, [key, pool.price]),
        ...deskPositions(pool, SPACING).map(({ tickLower, tickUpper, liquidity }) =>
          ofDesk("modify", desk.address, [key, tickLower, tickUpper, liquidity]),
        ),
      ];
    }),
  ];
}
