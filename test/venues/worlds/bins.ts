import { encodeFunctionData, type Hex } from "viem";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { VolatilityFee } from "../../../src/pools/bins/state.ts";
import type { Anvil } from "./anvil.ts";
import { compiled } from "./compiled.ts";
import { mintedToken, transferData } from "./traffic/minted-tokens.ts";
import type { Random } from "./traffic/random.ts";

const factory = compiled("DevnetBinFactory");
export const binPairAbi = compiled("DevnetBinPair").abi;

/** The bin whose price is one. */
export const MIDDLE_BIN = 1 << 23;

/** Terms of a fee that the factory sets. */
export type BinTerms = Omit<
  VolatilityFee,
  "volatilityAccumulator" | "volatilityReference" | "idReference" | "timeOfLastUpdate"
>;

/** Terms of LFJ's own presets. */
export const PRESETS: Readonly<Record<number, BinTerms>> = {
  1: terms(20_000, [10, 120], 2_000_000, 100_000),
  5: terms(8_000, [30, 600], 120_000, 300_000),
  10: terms(10_000, [30, 600], 40_000, 350_000),
  20: terms(10_000, [30, 600], 20_000, 350_000),
  25: terms(10_000, [30, 600], 15_000, 350_000),
  100: terms(8_000, [300, 1_200], 7_500, 150_000),
};

function terms(
  baseFactor: number,
  [filterPeriod, decayPeriod]: readonly [number, number],
  variableFeeControl: number,
  maxVolatilityAccumulator: number,
): BinTerms {
  return {
    ...{ baseFactor, filterPeriod, decayPeriod, reductionFactor: 5_000, variableFeeControl },
    ...{ protocolShare: 1_000, maxVolatilityAccumulator },
  };
}

/** A pair with its tokens, X first. */
export interface BinPair {
  readonly address: Address;
  readonly tokens: readonly [Address, Address];
  readonly binStep: number;
}

/** An amount of X and one of Y in a bin. */
export interface BinDeposit {
  readonly id: number;
  readonly x: bigint;
  readonly y: bigint;
}

/** The factory of bin pairs of the devnet. */
export interface BinsWorld {
  readonly factory: Address;
  createPair(binStep: number, activeId: number, terms: BinTerms): Promise<BinPair>;
  /** Queues what goes into bins. */
  deposit(pair: BinPair, deposits: readonly BinDeposit[]): Promise<void>;
  /** Queues a call of a pair. */
  call(pair: BinPair, functionName: string, args?: readonly unknown[]): Promise<void>;
  /** Queues a transfer to a pair. */
  give(pair: BinPair, sell: number, amount: bigint): Promise<void>;
  /** Queues a call of the factory. */
  manage(functionName: string, args: readonly unknown[]): Promise<void>;
}

/** `hooked`: version 2.2. */
export async function deployBins(anvil: Anvil, hooked: boolean): Promise<BinsWorld> {
  const address = await anvil.deploy(factory.abi, factory.bytecode, [anvil.account, hooked]);
  const manage: BinsWorld["manage"] = async (functionName, args) => {
    await anvil.send(address, encodeFunctionData({ abi: factory.abi, functionName, args }));
  };
  const call: BinsWorld["call"] = async (pair, functionName, args = []) => {
    await anvil.send(pair.address, pairCall(functionName, args));
  };
  const give: BinsWorld["give"] = async ({ address: to, tokens }, sell, amount) => {
    await anvil.send(tokens[sell] as Address, transferData(to, amount));
  };
  return {
    ...{ factory: address, manage, call, give },
    async createPair(binStep, activeId, own) {
      const tokens = [await mintedToken(anvil, 18), await mintedToken(anvil, 18)] as const;
      await manage("setPreset", [binStep, own]);
      await manage("createLBPair", [...tokens, activeId, binStep]);
      await anvil.mine();
      const { pair } = await anvil.read<{ pair: string }>(address, factory.abi, "getLBPairInformation", [
        ...tokens,
        binStep,
      ]);
      return { address: toAddress(pair), tokens, binStep };
    },
    async deposit(pair, deposits) {
      const [x, y] = [sum(deposits.map((each) => each.x)), sum(deposits.map((each) => each.y))];
      if (x > 0n) await give(pair, 0, x);
      if (y > 0n) await give(pair, 1, y);
      await call(pair, "deposit", [deposits.map(({ id }) => BigInt(id)), deposits.map(packed)]);
    },
  };
}

/** Calldata of a pair's function. */
export function pairCall(functionName: string, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: binPairAbi, functionName, args });
}

/** Amounts in a word: X in the low half, Y in the high one. */
export function packed({ x, y }: Pick<BinDeposit, "x" | "y">): Hex {
  return `0x${((y << 128n) | x).toString(16).padStart(64, "0")}`;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** Deposits around an active bin, with gaps: amounts of every size, worth about as much of either token. */
export function randomDeposits(random: Random, pair: BinPair, activeId: number): readonly BinDeposit[] {
  const price = (1 + pair.binStep / 10_000) ** (activeId - MIDDLE_BIN);
  const size = random.between(10n ** 6n, 10n ** 24n);
  const inX = BigInt(Math.ceil(Number(size) / Math.sqrt(price)));
  const inY = BigInt(Math.ceil(Number(size) * Math.sqrt(price)));
  const amount = (most: bigint) =>
    random.chance(0.2) ? random.between(1n, most) : most / BigInt(random.int(1, 9)) + 1n;
  return Array.from({ length: random.int(1, 20) }, (): BinDeposit => {
    const offset = random.chance(0.2) ? 0 : random.int(-15, 15);
    const [x, y] = [offset >= 0 ? amount(inX) : 0n, offset <= 0 ? amount(inY) : 0n];
    return { id: activeId + offset, x, y };
  });
}
