import { erc20Abi, maxUint256, numberToHex, parseEther } from "viem";
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../domain/address.ts";
import { deploymentOf, ownContract } from "../contracts/own-contracts.ts";
import { callWith, type Transaction } from "../node/node-transactions.ts";
import type { DevnetLayout } from "../plan/layout.ts";
import { type DeskPool, deskPositions, priced } from "./desk.ts";

/** The pools of PancakeSwap Infinity, without hooks; ETH is the native token itself. */
const INFINITY_CL_POOLS: readonly DeskPool[] = [
  { tokens: ["ETH", "USDH"], sideUsd: 2_300_000n, offsetPpm: 700n },
  { tokens: ["WETH", "DAM"], sideUsd: 400_000n, offsetPpm: -900n },
  { tokens: ["USDH", "DSD"], sideUsd: 900_000n, offsetPpm: 60n },
  { tokens: ["LOCK", "USDR"], sideUsd: 200_000n, offsetPpm: 1_100n },
];

const FEE = 2_500;
const SPACING = 50;
/** Parts per million that the protocol takes first, both ways: where token 0 goes in, where token 1 does. */
const PROTOCOL_FEES = 800 | (300 << 12);
const NATIVE_FOR_POSITIONS = parseEther("10000");

function deployments(owner: Address) {
  const vault = deploymentOf(ownContract("DevnetInfinityVault"));
  const manager = deploymentOf(ownContract("DevnetClManager"), [vault.address, owner]);
  const desk = deploymentOf(ownContract("DevnetInfinityDesk"), [manager.address]);
  return { vault, manager, desk };
}

export function clPoolManager(owner: Address): Address {
  return deployments(owner).manager.address;
}

/** Deploys our Vault and CLPoolManager with a desk for them, creates the pools and fills them. */
export function seedInfinityCl(layout: DevnetLayout, whale: Address): readonly Transaction[] {
  const { vault, manager, desk } = deployments(whale);
  const ofManager = callWith(ownContract("DevnetClManager").abi);
  const ofDesk = callWith(ownContract("DevnetInfinityDesk").abi);
  const token = callWith(erc20Abi);
  const currency = (address: Address) => (address === NATIVE_TOKEN ? ZERO_ADDRESS : address);
  return [
    ...[vault, manager, desk].map(({ transaction }) => transaction),
    { label: "native token for positions", to: desk.address, data: "0x", value: NATIVE_FOR_POSITIONS },
    ofManager("setProtocolFeeController", manager.address, [whale]),
    ...layout.tokens.map(({ address }) => token("approve", address, [desk.address, maxUint256])),
    ...INFINITY_CL_POOLS.flatMap((planned) => {
      const pool = priced(layout, planned);
      const key = {
        ...{ currency0: currency(pool.token0.address), currency1: currency(pool.token1.address) },
        ...{ hooks: ZERO_ADDRESS, poolManager: manager.address, fee: FEE },
        parameters: numberToHex(SPACING << 16, { size: 32 }),
      };
      return [
        ofManager("initialize", manager.address, [key, pool.price]),
        ofManager("setProtocolFee", manager.address, [key, PROTOCOL_FEES]),
        ...deskPositions(pool, SPACING).map(({ tickLower, tickUpper, liquidity }) =>
          ofDesk("modify", desk.address, [key, tickLower, tickUpper, liquidity]),
        ),
      ];
    }),
  ];
}
