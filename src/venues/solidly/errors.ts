import type { VenueErrors } from "../../domain/venue-errors.ts";

/** IPool of Velodrome V2. */
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
