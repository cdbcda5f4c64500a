import { refuse, type SwapError } from "../../domain/errors/swap-error.ts";

/** The answer to a caller whose time is over. */
export function deadlinePassed(): SwapError {
  return refuse("DEADLINE_EXCEEDED", "the deadline has passed - give the call more time, or try again");
}
