import type { VenueErrors } from "../../domain/venue-errors.ts";

/** Revert errors of LBPair's `swap` and `getSwapIn` (traderjoe-xyz/joe-v2, src/interfaces/ILBPair.sol). */
export const liquidityBookErrors: VenueErrors = {
  declared: [
    "BinHelper__LiquidityOverflow()",
    "BinHelper__MaxLiquidityPerBinExceeded()",
    "FeeHelper__FeeTooLarge()",
    "Hooks__CallFailed()",
    "LBPair__InsufficientAmountIn()",
    "LBPair__InsufficientAmountOut()",
    "LBPair__OutOfLiquidity()",
    "ReentrancyGuard__ReentrantCall()",
    "SafeCast__Exceeds128Bits()",
    "TokenHelper__TransferFailed()",
    "Uint128x128Math__PowUnderflow(uint256 x, int256 y)",
  ],
};
