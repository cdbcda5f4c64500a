import type { VenueErrors } from "../../domain/venue-errors.ts";

/** Messages that the pools revert with (DODOEX/contractV2: DODOMath.sol, SafeMath.sol, ReentrancyGuard.sol). */
export const dodoErrors: VenueErrors = {
  texts: {
    TARGET_IS_ZERO: "the pool has nothing to pay with beyond its target",
    SUB_ERROR: "the pool holds less than its reserves or targets",
    REENTRANT: "the pool is in a call already",
  },
};
