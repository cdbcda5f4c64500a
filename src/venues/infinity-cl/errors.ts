import type { VenueErrors } from "../../domain/venue-errors.ts";

/** The Vault's, CLPoolManager's and its libraries' (CLPool, Hooks, CustomRevert, Pausable, SafeCast). */
export const infinityClErrors: VenueErrors = {
  declared: [
    "AppUnregistered()",
    "CurrencyNotSettled()",
    "ERC20TransferFailed()",
    "EnforcedPause()",
    "HookCallFailed()",
    "HookDeltaExceedsSwapAmount()",
    "InvalidFeeForExactOut()",
    "InvalidHookResponse()",
    "InvalidSqrtPriceLimit(uint160 sqrtPriceCurrentX96, uint160 sqrtPriceLimitX96)",
    "LPFeeTooLarge(uint24 fee)",
    "LockerAlreadySet(address locker)",
    "NativeTransferFailed()",
    "NoLocker()",
    "PoolNotInitialized()",
    "PoolPaused()",
    "ProtocolFeeTooLarge(uint24 fee)",
    "SafeCastOverflow()",
    "SettleNonNativeCurrencyWithValue()",
    "SwapAmountCannotBeZero()",
  ],
  wrappers: [
    {
      declared: "WrappedError(address target, bytes4 selector, bytes reason, bytes details)",
      reason: 2,
      target: 0,
    },
  ],
};
