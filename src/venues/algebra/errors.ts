import type { VenueErrors } from "../../domain/venue-errors.ts";

/** IAlgebraPoolErrors. */
export const algebraErrors: VenueErrors = {
  declared: [
    "arithmeticError()",
    "dynamicFeeActive()",
    "dynamicFeeDisabled()",
    "incorrectPluginFee()",
    "insufficientInputAmount()",
    "invalidAmountRequired()",
    "invalidHookResponse(bytes4 selector)",
    "invalidLimitSqrtPrice()",
    "liquidityOverflow()",
    "liquiditySub()",
    "locked()",
    "notAllowed()",
    "notInitialized()",
    "pluginIsNotConnected()",
    "priceOutOfRange()",
    "tickInvalidLinks()",
    "tickOutOfRange()",
    "transferFailed()",
    "zeroAmountRequired()",
  ],
};
