import type { VenueErrors } from "../../domain/venue-errors.ts";

/**
 * Revert errors of the pools (euler-xyz/euler-swap, src) and of the vaults that a swap reaches (euler-xyz/euler-vault-kit,
 * src/EVault/shared/Errors.sol).
 */
export const eulerSwapErrors: VenueErrors = {
  declared: [
    "AmountTooBig()",
    "CurveViolation()",
    "DepositFailure(bytes reason)",
    "Expired()",
    "HookError(uint8 hookFlag, bytes wrappedError)",
    "Locked()",
    "OperatorNotInstalled()",
    "SwapLimitExceeded()",
    "SwapRejected()",
    "UnsupportedPair()",
    "E_AccountLiquidity()",
    "E_BorrowCapExceeded()",
    "E_InsufficientCash()",
    "E_OperationDisabled()",
    "E_SupplyCapExceeded()",
  ],
  wrappers: [{ declared: "DepositFailure(bytes reason)", reason: 0 }],
};
