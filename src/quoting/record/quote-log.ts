import type { LoggedQuote } from "../../domain/terms/logged-quote.ts";

/** Quotes that a log holds; older ones are dropped. */
export const MOST_QUOTES = 100_000;

/** The quotes that were given out. */
export interface QuoteLog {
  record(quote: LoggedQuote): void;
  /** All that were given out under a request id, oldest first. */
  find(requestId: string): readonly LoggedQuote[];
  close(): void;
}
