import type { VenueErrors } from "../../domain/venue-errors.ts";

/** Revert errors of market orders (Kuru-Labs/Kuru-contracts-dex-public, Errors.sol). */
export const kuruErrors: VenueErrors = {
  declared: [
    "InsufficientBalance()",
    "InsufficientLiquidity()",
    "MarketStateError()",
    "NativeAssetInsufficient()",
    "NativeAssetNotRequired()",
    "NativeAssetSurplus()",
    "OnlyVerifiedMarketsAllowed()",
    "ProtocolPaused()",
    "SlippageExceeded()",
    "Uint32Overflow()",
    "Uint96Overflow()",
  ],
};
