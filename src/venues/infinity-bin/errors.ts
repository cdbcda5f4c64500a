import type { VenueErrors } from "../../domain/venue-errors.ts";
import { infinityClErrors } from "../infinity-cl/errors.ts";

/** The Vault's and hooks' as of pools of concentrated liquidity; BinPoolManager's and its libraries' (BinPool, BinHelper). */
export const infinityBinErrors: VenueErrors = {
  ...infinityClErrors,
  declared: [
    ...(infinityClErrors.declared ?? []),
    "AmountSpecifiedIsZero()",
    "BinHelper__LiquidityOverflow()",
    "BinPool__InsufficientAmountUnSpecified()",
    "BinPool__MaxLiquidityPerBinExceeded()",
    "BinPool__OutOfLiquidity()",
    "SafeCast__Exceeds128Bits()",
    "Uint128x128Math__PowUnderflow(uint256 x, int256 y)",
  ],
};
