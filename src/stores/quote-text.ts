import type { LoggedQuote } from "../domain/terms/logged-quote.ts";

const BIGINT = /^-?\d+n$/;

/** A quote as JSON, with bigints as "123n": no other text of a quote has that form. */
export function quoteText(quote: LoggedQuote): string {
  return JSON.stringify(quote, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
}

/** The quote that `quoteText` wrote. */
export function quoteOf(text: string): LoggedQuote {
  const read = (key: string, value: unknown) =>
    typeof value === "string" && key !== "requestId" && BIGINT.test(value) ? BigInt(value.slice(0, -1)) : value;
  const quote = JSON.parse(text, read) as LoggedQuote;
  // JSON leaves out what is undefined, and records from before there were makers have no orders of theirs.
  const { makerOrders = [] } = quote as Partial<Pick<LoggedQuote, "makerOrders">>;
  return { ...quote, taker: quote.taker, terms: { ...quote.terms, fee: quote.terms.fee }, makerOrders };
}
