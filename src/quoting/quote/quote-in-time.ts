import { SwapError } from "../../domain/errors/swap-error.ts";
import type { QuoteAnswer } from "../answer/types.ts";
import { deadlinePassed } from "../search/past-deadline.ts";

/**
 * A quote whose caller still waits. The node is asked for no longer than that: a quote that it could not run, or whose taker
 * it said nothing of, since the time was up, came too late.
 * @throws SwapError DEADLINE_EXCEEDED, or what `quote` throws
 */
export async function quoteInTime(quote: Promise<QuoteAnswer>, isOver: () => boolean): Promise<QuoteAnswer> {
  const answer = await quote.catch((error: unknown) => {
    if (error instanceof SwapError && error.kind === "UNAVAILABLE" && isOver()) throw deadlinePassed();
    throw error;
  });
  if (answer.issues.simulationIncomplete && isOver()) throw deadlinePassed();
  return answer;
}
