import { unless } from "../curve/faults.ts";
import { isFlat } from "./fee.ts";
import { priceOf } from "./price.ts";
import type { BinsState } from "./state.ts";

/** Parts of a reduction and of a protocol's share, of which forks allow all (Constants.sol). */
const BASIS_POINTS = 10_000;
/** Volatilities are kept in 20 bits (PairParameterHelper.sol). */
const MAX_VOLATILITY = 2 ** 20 - 1;

/** Highest parts of a flat fee (LPFeeLibrary.sol, ProtocolFeeLibrary.sol). */
const MAX_LP_PPM = 100_000;
const MAX_PROTOCOL_PPM = 4_000;

/** Why no contract can be in such a state; undefined where one can. */
export function impossibleBins({ binStep, activeId, bins, fee }: BinsState): string | undefined {
  if (binStep <= 0 || binStep > 65_535 || priceOf(binStep, activeId) === undefined)
    return "an active bin without a price";
  if (bins.some(({ reserveX, reserveY }) => reserveX === 0n && reserveY === 0n)) return "bins: one that holds nothing";
  if (isFlat(fee)) {
    const isFee = fee.lpPpm <= MAX_LP_PPM && fee.protocolPpm.every((each) => each <= MAX_PROTOCOL_PPM);
    return unless(isFee, "fee of no pool");
  }
  const { reductionFactor, protocolShare, volatilityAccumulator, volatilityReference } = fee;
  const isFee =
    fee.filterPeriod <= fee.decayPeriod &&
    reductionFactor <= BASIS_POINTS &&
    protocolShare <= BASIS_POINTS &&
    [fee.maxVolatilityAccumulator, volatilityAccumulator, volatilityReference].every((each) => each <= MAX_VOLATILITY);
  return unless(isFee, "fee of no pool");
}
