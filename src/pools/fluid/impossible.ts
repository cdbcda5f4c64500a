import { areAbove, unless } from "../curve/faults.ts";
import type { FluidReserves, FluidState } from "./state.ts";

const MILLION = 10n ** 6n;
/** Products of two reserves and 10^18 stay below 2^256 in the contract. */
const MAX_RESERVES = 1n << 98n;

/** Why no pool can be in such a state; undefined where one can. */
export function impossibleFluid(state: FluidState): string | undefined {
  const { up, down, fee, revenueCut, centerPrice, lastPrices } = state;
  if (!areAbove(0n, [...up, ...down])) return "up, down: a zero";
  if (fee >= MILLION || revenueCut > 100n) return "fee: all or more of what goes in, or a cut above 100 %";
  if (centerPrice <= 0n || lastPrices.length === 0) return "centerPrice, lastPrices: none";
  if (state.collateral === undefined && state.debt === undefined) return "neither collateral nor debt";
  const isSound = [state.collateral, state.debt].every((each) => each === undefined || isOfPool(each));
  return unless(isSound, "reserves of no pool");
}

function isOfPool({ real, imaginary }: FluidReserves): boolean {
  return areAbove(0n, imaginary) && [...real, ...imaginary].every((each) => each >= 0n && each < MAX_RESERVES);
}
