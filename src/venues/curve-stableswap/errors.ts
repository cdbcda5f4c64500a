import type { VenueErrors } from "../../domain/venue-errors.ts";

/** Vyper's bare asserts leave no bytes. */
export const curveErrors: VenueErrors = {
  texts: {
    "Exchange resulted in fewer coins than expected": "the pool pays less than the least that is accepted",
    Slippage: "the pool pays less than the least that is accepted",
  },
  silent: "one of the pool's bare asserts failed: it is killed, is paid too little, or its token refused a transfer",
};
