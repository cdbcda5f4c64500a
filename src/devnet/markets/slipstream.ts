import { encodeAbiParameters, getCreate2Address, keccak256, parseAbiParameters } from "viem";
import { type Address, toAddress } from "../../domain/address.ts";
import { bundled } from "../contracts/bundle.ts";
import { deploymentOf, ownContract } from "../contracts/own-contracts.ts";
import { devnetAccounts } from "../node/accounts.ts";
import { callWith, type Transaction } from "../node/node-transactions.ts";
import type { DevnetLayout } from "../plan/layout.ts";
import { type DeskPool, deskPositions, fill, priced } from "./desk.ts";

/** The pools of Slipstream's kind, by tick spacing. */
const SLIPSTREAM_POOLS: readonly (DeskPool & { readonly spacing: number })[] = [
  { tokens: ["WETH", "USDH"], spacing: 100, sideUsd: 2_200_000n, offsetPpm: 500n },
  { tokens: ["USDH", "DSD"], spacing: 1, sideUsd: 900_000n, offsetPpm: -40n },
  { tokens: ["LOCK", "USDR"], spacing: 200, sideUsd: 240_000n, offsetPpm: 900n },
  { tokens: ["PEBL", "WETH"], spacing: 200, sideUsd: 30_000n, offsetPpm: -1_200n },
];

function deployment() {
  return deploymentOf(ownContract("DevnetSlipstreamFactory"), [
    ...[bundled("UniswapV3Pool").bytecode, devnetAccounts().whale],
  ]);
}

export function slipstreamFactory(): Address {
  return deployment().address;
}

/** Deploys our factory of Uniswap V3's pools with Slipstream's interface, creates the pools and fills them. */
export function seedSlipstream(layout: DevnetLayout): readonly Transaction[] {
  const { address: factory, transaction } = deployment();
  const bytecodeHash = keccak256(bundled("UniswapV3Pool").bytecode);
  const create = callWith(ownContract("DevnetSlipstreamFactory").abi);
  return [
    transaction,
    ...SLIPSTREAM_POOLS.flatMap((planned) => {
      const { token0, token1, price, ...pool } = priced(layout, planned);
      const terms = [token0.address, token1.address, planned.spacing] as const;
      const salt = keccak256(encodeAbiParameters(parseAbiParameters("address, address, int24"), terms));
      const address = toAddress(getCreate2Address({ from: factory, salt, bytecodeHash }));
      return [
        create("createPool", factory, [...terms, price]),
        ...fill(address, deskPositions({ token0, token1, price, ...pool }, planned.spacing)),
      ];
    }),
  ];
}
