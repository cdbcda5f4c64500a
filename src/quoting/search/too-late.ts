import { SwapError } from "../../domain/swap-error.ts";

/** The answer to a caller whose time is over. */
export function tooLate(): SwapError {
  return new SwapError("DEADLINE_EXCEEDED", "the deadline has passed - give the call more time, or try again");
}
