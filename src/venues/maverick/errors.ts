import type { VenueErrors } from "../../domain/venue-errors.ts";

/** Revert errors of swaps (maverickprotocol/v2-common, IMaverickV2Pool.sol and TickMath.sol). */
export const maverickErrors: VenueErrors = {
  declared: [
    "PoolCurrentTickBeyondSwapLimit(int32 startingTick)",
    "PoolLocked()",
    "PoolReservesExceedMaximum(uint256 amount)",
    "PoolSenderNotAccessor(address sender, address accessor)",
    "PoolTokenNotSolvent(uint256 internalReserve, uint256 tokenBalance, address token)",
    "PoolValueExceedsBits(uint256 amount, uint256 bits)",
    "TickMaxExceeded(int256 tick)",
    "TransferFailed(address token, address to, uint256 amount)",
  ],
};
