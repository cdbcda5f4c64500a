import type { VenueErrors } from "../../domain/venue-errors.ts";

/** DssLitePsm. */
export const psmErrors: VenueErrors = {
  texts: {
    "DssLitePsm/sell-gem-halted": "the module is halted for sales of its gem",
    "DssLitePsm/buy-gem-halted": "the module is halted for purchases of its gem",
    "DssLitePsm/insufficient-gem": "the module holds too little of its gem",
  },
};
