import type { VenueErrors } from "../../domain/venue-errors.ts";

export const uniswapV3Errors: VenueErrors = {
  texts: {
    AS: "the pool was asked to swap nothing",
    IIA: "the pool was paid too little",
    LOK: "the pool is not initialized, or was entered again while it was busy",
    SPL: "the pool has no price to go to",
    TF: "the pool could not pay out: the token refused the transfer",
    M0: "the pool was paid too little of its first token",
    M1: "the pool was paid too little of its second token",
    T: "the price is outside of its range",
    R: "the price is outside of its range",
  },
};
