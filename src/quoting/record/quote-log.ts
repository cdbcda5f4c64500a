import type { LoggedQuote } from "../../domain/terms/logged-quote.ts";

/** Quotes that a log holds where nobody says how many; older ones are dropped. */
export const MAX_QUOTES = 100_000;

/** The quotes that were given out. */
export interface QuoteLog {
  /** A quote is kept when the call returns, and found within seconds. */
  record(quote: LoggedQuote): void;
  /** All that were given out under a request id, oldest first. */
  find(requestId: string): Promise<readonly LoggedQuote[]>;
  close(): void;
}
