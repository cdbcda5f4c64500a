import type { VenueErrors } from "../../domain/venue-errors.ts";

/** Revert errors of a swap in Velodrome V2 (velodrome-finance/contracts, contracts/interfaces/IPool.sol). */
export const solidlyErrors: VenueErrors = {
  declared: [
    "InsufficientInputAmount()",
    "InsufficientLiquidity()",
    "InsufficientOutputAmount()",
    "InvalidTo()",
    "IsPaused()",
    "K()",
  ],
};
