import type { VenueErrors } from "../../domain/venue-errors.ts";

/** PoolManager's and its libraries' (Pool, Hooks, CustomRevert, SafeCast). */
export const uniswapV4Errors: VenueErrors = {
  declared: [
    "AlreadyUnlocked()",
    "CurrenciesOutOfOrderOrEqual(address currency0, address currency1)",
    "CurrencyNotSettled()",
    "ERC20TransferFailed()",
    "HookAddressNotValid(address hooks)",
    "HookCallFailed()",
    "HookDeltaExceedsSwapAmount()",
    "InvalidCaller()",
    "InvalidHookResponse()",
    "InvalidSqrtPrice(uint160 sqrtPriceX96)",
    "InvalidTick(int24 tick)",
    "LPFeeTooLarge(uint24 fee)",
    "ManagerLocked()",
    "NativeTransferFailed()",
    "NonzeroNativeValue()",
    "PoolNotInitialized()",
    "PriceLimitAlreadyExceeded(uint160 sqrtPriceCurrentX96, uint160 sqrtPriceLimitX96)",
    "PriceLimitOutOfBounds(uint160 sqrtPriceLimitX96)",
    "ProtocolFeeCurrencySynced()",
    "ProtocolFeeTooLarge(uint24 fee)",
    "SafeCastOverflow()",
    "SwapAmountCannotBeZero()",
    "UnauthorizedDynamicLPFeeUpdate()",
  ],
  wrappers: [
    {
      declared: "WrappedError(address target, bytes4 selector, bytes reason, bytes details)",
      reason: 2,
      target: 0,
    },
  ],
};
