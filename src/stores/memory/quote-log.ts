import type { LoggedQuote } from "../../domain/terms/logged-quote.ts";
import { MAX_QUOTES, type QuoteLog } from "../../quoting/record/quote-log.ts";

/** The last quotes of one process, gone when it ends. */
export function createMemoryQuoteLog(most: number = MAX_QUOTES): QuoteLog {
  const quotes: LoggedQuote[] = [];
  return {
    record(quote) {
      quotes.push(quote);
      if (quotes.length > most) quotes.shift();
    },
    find: async (requestId) => quotes.filter((quote) => quote.requestId === requestId),
    close() {},
  };
}
