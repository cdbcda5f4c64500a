import type { VenueErrors } from "../../domain/venue-errors.ts";

/** Revert errors of sellGem and buyGem in DssLitePsm (makerdao/dss-lite-psm, src/DssLitePsm.sol). */
export const psmErrors: VenueErrors = {
  texts: {
    "DssLitePsm/sell-gem-halted": "the module is halted for sales of its gem",
    "DssLitePsm/buy-gem-halted": "the module is halted for purchases of its gem",
  },
};
