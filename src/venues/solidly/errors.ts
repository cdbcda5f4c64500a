import type { VenueErrors } from "../../domain/venue-errors.ts";

/** What a swap of Velodrome V2 reverts with (velodrome-finance/contracts, contracts/interfaces/IPool.sol). */
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
