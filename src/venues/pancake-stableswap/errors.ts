import type { VenueErrors } from "../../domain/venue-errors.ts";

export const pancakeStableswapErrors: VenueErrors = {
  texts: {
    "Exchange resulted in fewer coins than expected": "the pool pays less than the least that is accepted",
    "Price difference for token0 exceeds threshold": "the pool's price would be too far from its oracle's",
    "Price difference for token1 exceeds threshold": "the pool's price would be too far from its oracle's",
    "BNB transfer failed": "the pool could not pay native token",
    Killed: "the pool is switched off",
  },
};
