import type { VenueErrors } from "../../domain/venue-errors.ts";

/** Core's and its libraries' (FlashAccountant, math/delta.sol, math/fee.sol, types/sqrtRatio.sol). */
export const ekuboErrors: VenueErrors = {
  declared: [
    "Amount0DeltaOverflow()",
    "Amount1DeltaOverflow()",
    "AmountBeforeFeeOverflow()",
    "DebtsNotZeroed(uint256 id)",
    "ETHTransferFailed()",
    "InvalidSqrtRatioLimit()",
    "LockerOnly()",
    "NotLocked()",
    "PaymentOverflow()",
    "PoolNotInitialized()",
    "SqrtRatioLimitWrongDirection()",
    "TransferFailed()",
    "ValueOverflowsSqrtRatioContainer()",
  ],
};
