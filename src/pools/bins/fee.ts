import type { FlatFee, VolatilityFee } from "./state.ts";

const ONE = 10n ** 18n;
/** Volatility of one bin, and parts of a volatility or a fee. */
const BASIS_POINTS = 10_000;
/** A contract takes no fee above this, of 10^18 parts (Constants.MAX_FEE). */
const FEE_CAP = ONE / 10n;

/** A pool's fee of either kind. */
export type BinFee = VolatilityFee | FlatFee;

/** Fee in one bin. */
export interface FeeInBin {
  /** Parts of 10^18 of the amount in. */
  readonly part: bigint;
  /** The volatility that a swap has there; absent where the fee does not depend on it. */
  readonly volatility?: number;
}

const PPM = 1_000_000;
/** Parts of 10^18 in one of a million. */
const PARTS = ONE / BigInt(PPM);

/** Whether a fee is the same in each bin. */
export function isFlat(fee: BinFee): fee is FlatFee {
  return "lpPpm" in fee;
}

/** The terms as a swap at a time finds them; undefined where there can be no swap at that time. */
export function termsAt(fee: BinFee, activeId: number, time: bigint): BinFee | undefined {
  return isFlat(fee) ? fee : feeAt(fee, activeId, time);
}

/** The fee of a swap in a bin; undefined if the contract rejects so high a fee. `xForY`: X goes in. */
export function feeInBin(fee: BinFee, binStep: number, id: number, xForY: boolean): FeeInBin | undefined {
  if (isFlat(fee)) return { part: BigInt(flatPpm(fee, xForY)) * PARTS };
  const volatility = volatilityIn(fee, id);
  const part = feeOf(fee, binStep, volatility);
  return part === undefined ? undefined : { part, volatility };
}

/** The fee of a swap in a bin as a part of one, in floats. */
export function floatFeeInBin(fee: BinFee, binStep: number, id: number, xForY: boolean): number | undefined {
  return isFlat(fee) ? flatPpm(fee, xForY) / PPM : floatFeeOf(fee, binStep, volatilityIn(fee, id));
}

/** The terms after a swap that ended in a bin with such a volatility. */
export function leftBy(fee: BinFee, volatility: number | undefined): BinFee {
  return isFlat(fee) || volatility === undefined ? fee : { ...fee, volatilityAccumulator: volatility };
}

/** Parts per million of the amount in: the protocol's first, then the rest's. Source: ProtocolFeeLibrary.calculateSwapFee. */
export function flatPpm({ lpPpm, protocolPpm }: FlatFee, xForY: boolean): number {
  const protocol = protocolPpm[xForY ? 0 : 1];
  return protocol + lpPpm - Math.floor((protocol * lpPpm) / PPM);
}

/**
 * The fee's terms as a swap at a time finds them; undefined before the last swap. Source:
 * PairParameterHelper.updateReferences.
 */
export function feeAt(fee: VolatilityFee, activeId: number, time: bigint): VolatilityFee | undefined {
  const passed = time - fee.timeOfLastUpdate;
  if (passed < 0n) return undefined;
  const updated = { ...fee, timeOfLastUpdate: time };
  if (passed < fee.filterPeriod) return updated;
  return { ...updated, idReference: activeId, volatilityReference: passed < fee.decayPeriod ? reduced(fee) : 0 };
}

/** The terms once the factory has had their volatility decay. Source: LBPair.forceDecay. */
export function decayed(fee: VolatilityFee, activeId: number): VolatilityFee {
  return { ...fee, idReference: activeId, volatilityReference: reduced(fee) };
}

function reduced({ volatilityAccumulator, reductionFactor }: VolatilityFee): number {
  return Math.floor((volatilityAccumulator * reductionFactor) / BASIS_POINTS);
}

/** The volatility that a swap has in a bin. Source: PairParameterHelper.updateVolatilityAccumulator. */
export function volatilityIn(fee: VolatilityFee, id: number): number {
  const moved = Math.abs(id - fee.idReference) * BASIS_POINTS;
  return Math.min(fee.volatilityReference + moved, fee.maxVolatilityAccumulator);
}

function feeOf(fee: VolatilityFee, binStep: number, volatility: number): bigint | undefined {
  const base = BigInt(fee.baseFactor) * BigInt(binStep) * 10n ** 10n;
  const moved = BigInt(volatility) * BigInt(binStep);
  const total = base + (moved * moved * BigInt(fee.variableFeeControl) + 99n) / 100n;
  return total > FEE_CAP ? undefined : total;
}

function floatFeeOf(fee: VolatilityFee, binStep: number, volatility: number): number | undefined {
  const moved = volatility * binStep;
  const total = fee.baseFactor * binStep * 1e-8 + moved * moved * fee.variableFeeControl * 1e-20;
  return total > Number(FEE_CAP) / Number(ONE) ? undefined : total;
}

/** The fee within an amount. Source: FeeHelper.getFeeAmountFrom. */
export function feeWithin(amount: bigint, fee: bigint): bigint {
  return (amount * fee + ONE - 1n) / ONE;
}

/** The fee on top of an amount. Source: FeeHelper.getFeeAmount. */
export function feeOnTop(amount: bigint, fee: bigint): bigint {
  const rest = ONE - fee;
  return (amount * fee + rest - 1n) / rest;
}

/** Part of a fee that leaves the bin. Source of a flat fee's: PackedUint128Math.getProtocolFeeAmt. */
export function protocolPart(amount: bigint, fee: BinFee, xForY: boolean): bigint {
  if (!isFlat(fee)) return (amount * BigInt(fee.protocolShare)) / BigInt(BASIS_POINTS);
  const whole = flatPpm(fee, xForY);
  return whole === 0 ? 0n : (amount * BigInt(fee.protocolPpm[xForY ? 0 : 1])) / BigInt(whole);
}

/** Remainder of 10^18 parts after a fee. */
export function keptOf(fee: bigint): bigint {
  return ONE - fee;
}

/** The whole of what fees are parts of. */
export const WHOLE = ONE;
