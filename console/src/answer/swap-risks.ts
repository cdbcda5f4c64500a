import type { Price, Quote } from "../../../src/client/index.ts";
import type { Token } from "../token.ts";

/** Percent of price impact from which a swap is warned of, and has to be confirmed by typing. */
const IMPACT = { warn: 3, typed: 10 } as const;
/** Percent of slippage likewise; below `least` most swaps would be reverted. */
const SLIPPAGE = { least: 0.05, warn: 5, typed: 20 } as const;
/** Percent by which a price has moved that is worth a word. */
const MOVED = 0.01;

/** Warnings before a swap. */
export interface Risks {
  readonly warnings: readonly string[];
  /** One click is not enough. */
  readonly mustType: boolean;
}

/** Colour of an impact, in percent. */
export function severityOf(impact: string | undefined): "warn" | "bad" | undefined {
  const percent = Number(impact ?? "0");
  return percent > IMPACT.typed ? "bad" : percent > IMPACT.warn ? "warn" : undefined;
}

/** Warning about a slippage, in percent; undefined if it is fine. */
export function slippageWarning(percent: number): string | undefined {
  if (percent > SLIPPAGE.warn) {
    return `A slippage of ${percent} % lets others take that much of the trade. 0.5 to 1 % is enough for most pairs.`;
  }
  if (percent < SLIPPAGE.least) return `A slippage of ${percent} % is so small that the swap may be reverted.`;
  return undefined;
}

/** The risks of a quote. `slippage` in percent; `tokens` are those that are traded. */
export function risksOf(quote: Quote, slippage: number, tokens: readonly Token[]): Risks {
  const { estimatedPriceImpact: impact, issues } = quote;
  const warnings: string[] = [];
  if (impact === undefined) {
    warnings.push("The price impact is unknown. Compare the rate with another source.");
  } else if (Number(impact) > IMPACT.warn) {
    warnings.push(
      `The price impact is ${impact} %: the trade is large for the pools. A smaller amount has a better rate.`,
    );
  }
  const ofSlippage = slippageWarning(slippage);
  if (ofSlippage !== undefined) warnings.push(ofSlippage);
  if (issues?.simulationIncomplete === true) {
    warnings.push("The node could not try the transaction. If it is reverted, its gas is paid all the same.");
  }
  for (const { imported, symbol, address } of tokens) {
    if (imported) warnings.push(`${symbol} is not on the service's list. Check its address: ${address}`);
  }
  return { warnings, mustType: Number(impact ?? "0") > IMPACT.typed || slippage > SLIPPAGE.typed };
}

/** Difference between a newer price and a quote. */
export interface Move {
  /** Above zero: better for whoever swaps. */
  readonly percent: number;
  /** The quote's transaction would be reverted at the new price. */
  readonly breaksQuote: boolean;
}

/** Undefined while the price is about the quoted one. */
export function moveSince(quote: Quote, price: Price, isExactIn: boolean): Move | undefined {
  const [then, now] = isExactIn ? [quote.buyAmount, price.buyAmount] : [quote.sellAmount, price.sellAmount];
  const change = Number(((BigInt(now) - BigInt(then)) * 1_000_000n) / BigInt(then)) / 10_000;
  const percent = isExactIn ? change : -change;
  const breaksQuote = isExactIn
    ? BigInt(price.buyAmount) < BigInt(quote.minBuyAmount)
    : BigInt(price.sellAmount) > BigInt(quote.maxSellAmount);
  return Math.abs(percent) < MOVED && !breaksQuote ? undefined : { percent, breaksQuote };
}

/**
 * Seconds until the deadline inside a quote's transaction, by the chain's own time: the newest block's, and what has passed
 * since it was told. `ageMs` is that time.
 */
export function secondsLeft(quote: Quote, newest: Pick<Price, "blockTimestamp">, ageMs: number): number {
  const now = Math.max(Number(quote.blockTimestamp), Number(newest.blockTimestamp));
  return Math.max(0, Math.floor(Number(quote.expiry) - now - ageMs / 1_000));
}
