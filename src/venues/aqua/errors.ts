import type { VenueErrors } from "../../domain/venue-errors.ts";

/** Errors of the router's instructions, of its traits and of Aqua (1inch/swap-vm at v1.0.1, 1inch/aqua). */
export const aquaErrors: VenueErrors = {
  declared: [
    "AquaBalanceInsufficientAfterTakerPush(uint256 balance, uint256 preBalance, uint256 amount, uint256 amountNetPulled)",
    "DeadlineReached(address taker, uint256 deadline)",
    "ForceApproveFailed()",
    "PeggedSwapBothBalancesZero()",
    "PeggedSwapMathInvalidInput()",
    "PushToNonActiveStrategyPrevented(address maker, address app, bytes32 strategyHash, address token)",
    "SafeBalancesForTokenNotInActiveStrategy(address maker, address app, bytes32 strategyHash, address token)",
    "SafeTransferFromFailed()",
    "TakerTraitsAmountOutMustBeGreaterThanZero(uint256 amountOut)",
    "UnexpectedLock()",
    "XYCSwapRequiresBothBalancesNonZero(uint256 balanceIn, uint256 balanceOut)",
  ],
};
