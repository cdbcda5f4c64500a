import type { VolatilityFee } from "./state.ts";

const ONE = 10n ** 18n;
/** Volatility of one bin, and parts of a volatility or a fee. */
const BASIS_POINTS = 10_000;
/** A contract takes no fee above this, of 10^18 parts (Constants.MAX_FEE). */
const FEE_CAP = ONE / 10n;

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

/** Fee at a volatility, in parts of 10^18 of the amount in; undefined if the contract rejects so high a fee. */
export function feeOf(fee: VolatilityFee, binStep: number, volatility: number): bigint | undefined {
  const base = BigInt(fee.baseFactor) * BigInt(binStep) * 10n ** 10n;
  const moved = BigInt(volatility) * BigInt(binStep);
  const total = base + (moved * moved * BigInt(fee.variableFeeControl) + 99n) / 100n;
  return total > FEE_CAP ? undefined : total;
}

/** Fee at a volatility as a part of one, in floats. */
export function floatFeeOf(fee: VolatilityFee, binStep: number, volatility: number): number | undefined {
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

/** Part of a fee that leaves the bin. */
export function protocolPart(amount: bigint, { protocolShare }: VolatilityFee): bigint {
  return (amount * BigInt(protocolShare)) / BigInt(BASIS_POINTS);
}

/** Remainder of 10^18 parts after a fee. */
export function keptOf(fee: bigint): bigint {
  return ONE - fee;
}

/** The whole of what fees are parts of. */
export const WHOLE = ONE;
