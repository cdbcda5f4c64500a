import type { VenueErrors } from "../../domain/venue-errors.ts";

const MEANINGS: Readonly<Record<string, string>> = {
  K: "the pair was paid too little",
  INSUFFICIENT_LIQUIDITY: "the pair holds too little of the bought token",
  INSUFFICIENT_OUTPUT_AMOUNT: "the pair would pay out nothing",
  INSUFFICIENT_INPUT_AMOUNT: "the pair was paid nothing",
  OVERFLOW: "the pair cannot hold that much",
  LOCKED: "the pair was entered again while it was busy",
  TRANSFER_FAILED: "the pair could not pay out: the token refused the transfer",
  INVALID_TO: "the pair was to pay out to one of its own tokens",
};

/** Forks put their own name before it. */
export const uniswapV2Errors: VenueErrors = {
  texts: Object.fromEntries(
    ["UniswapV2", "Pancake"].flatMap((maker) =>
      Object.entries(MEANINGS).map(([code, meaning]) => [`${maker}: ${code}`, meaning]),
    ),
  ),
};
