import type { VenueErrors } from "../../domain/venue-errors.ts";

/** What sellGem and buyGem of DssLitePsm (makerdao/dss-lite-psm, src/DssLitePsm.sol) revert with. */
export const psmErrors: VenueErrors = {
  texts: {
    "DssLitePsm/sell-gem-halted": "the module is halted for sales of its gem",
    "DssLitePsm/buy-gem-halted": "the module is halted for purchases of its gem",
  },
};
