import type { VenueErrors } from "../../domain/venue-errors.ts";

/** Messages that WooPPV2.sol and WooracleV2_2.sol revert with (woonetwork/WooPoolV2). */
export const woofiErrors: VenueErrors = {
  texts: {
    "Pausable: paused": "the pool is paused",
    "WooPPV2: !ORACLE_FEASIBLE": "the oracle's price is stale, or too far from the reference price",
    "WooPPV2: !ORACE_PRICE": "the oracle has no price",
    "WooPPV2: !maxNotionalValue": "the swap is worth more than the pool takes at once",
    "WooPPV2: !gamma": "the swap would move the price by more than the pool allows",
    "WooracleV2_2: !min": "the oracle's price is below the range of its guardian",
    "WooracleV2_2: !max": "the oracle's price is above the range of its guardian",
  },
};
