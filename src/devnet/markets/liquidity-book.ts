import { erc20Abi, getContractAddress, type Hex, numberToHex } from "viem";
import { type Address, toAddress } from "../../domain/address.ts";
import { deploymentOf, ownContract } from "../contracts/own-contracts.ts";
import { callWith, type Transaction } from "../node/node-transactions.ts";
import type { DevnetLayout, DevnetToken } from "../plan/layout.ts";
import { unitsWorth } from "../plan/liquidity.ts";

/** The pairs of bins: X and Y, the bin step, the value of one side in USD, how many bins it lies in. */
const BIN_PAIRS: readonly {
  readonly tokens: readonly [string, string];
  readonly binStep: number;
  readonly sideUsd: bigint;
  readonly bins: number;
}[] = [
  { tokens: ["WETH", "USDH"], binStep: 10, sideUsd: 1_900_000n, bins: 40 },
  { tokens: ["USDH", "DSD"], binStep: 1, sideUsd: 800_000n, bins: 12 },
  { tokens: ["LOCK", "WETH"], binStep: 25, sideUsd: 300_000n, bins: 30 },
  { tokens: ["REED", "USDR"], binStep: 100, sideUsd: 50_000n, bins: 15 },
];

/** Terms of LFJ's own presets, by bin step: base factor, periods, reduction, control, protocol's share, most volatility. */
const PRESETS: Readonly<Record<number, readonly number[]>> = {
  1: [20_000, 10, 120, 5_000, 2_000_000, 0, 100_000],
  10: [10_000, 30, 600, 5_000, 40_000, 1_000, 350_000],
  25: [10_000, 30, 600, 5_000, 15_000, 1_000, 350_000],
  100: [8_000, 300, 1_200, 5_000, 7_500, 1_000, 150_000],
};

/** The bin whose price is one base unit for one. */
const MIDDLE_BIN = 1 << 23;

function deployment(whale: Address) {
  return deploymentOf(ownContract("DevnetBinFactory"), [whale, true]);
}

export function liquidityBookFactory(whale: Address): Address {
  return deployment(whale).address;
}

/** Deploys our factory of Liquidity Book's interface and fills its pairs: X in the bins above the price, Y in those below. */
export function seedLiquidityBook(layout: DevnetLayout, whale: Address): readonly Transaction[] {
  const { transaction, address: factory } = deployment(whale);
  const manage = callWith(ownContract("DevnetBinFactory").abi);
  const pair = callWith(ownContract("DevnetBinPair").abi);
  const token = callWith(erc20Abi);
  return [
    transaction,
    ...Object.entries(PRESETS).map(([binStep, terms]) => manage("setPreset", factory, [Number(binStep), terms])),
    ...BIN_PAIRS.flatMap(({ tokens, binStep, sideUsd, bins }, index) => {
      const [x, y] = [layout.token(tokens[0]), layout.token(tokens[1])];
      const activeId = binAtPrice(x, y, binStep);
      const at = toAddress(getContractAddress({ from: factory, nonce: BigInt(index + 1) }));
      const each = [x, y].map((side) => unitsWorth(side, sideUsd) / BigInt(bins)) as [bigint, bigint];
      const ids = Array.from({ length: 2 * bins }, (_, i) => activeId - bins + 1 + i);
      const amounts = ids.map((id) => (id > activeId ? packed(each[0], 0n) : packed(0n, each[1])));
      return [
        manage("createLBPair", factory, [x.address, y.address, activeId, binStep]),
        token("transfer", x.address, [at, each[0] * BigInt(bins)]),
        token("transfer", y.address, [at, each[1] * BigInt(bins)]),
        pair("deposit", at, [ids.map(BigInt), amounts]),
      ];
    }),
  ];
}

/** The bin in which a base unit of X costs what it is worth. */
function binAtPrice(x: DevnetToken, y: DevnetToken, binStep: number): number {
  const ratio = (Number(x.picoUsd) / Number(y.picoUsd)) * 10 ** (y.decimals - x.decimals);
  return MIDDLE_BIN + Math.round(Math.log(ratio) / Math.log1p(binStep / 10_000));
}

/** Amounts in a word: X in the low half, Y in the high one. */
function packed(x: bigint, y: bigint): Hex {
  return numberToHex((y << 128n) | x, { size: 32 });
}
