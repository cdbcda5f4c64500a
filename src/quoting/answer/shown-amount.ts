import { Decimal } from "../../domain/decimal.ts";
import { nameOf, type Token } from "../../domain/token.ts";
import type { SwapRequest } from "./types.ts";

/** An amount in base units and in whole tokens, for people. */
export function shownAmount(amount: bigint, { symbol, decimals }: Pick<Token, "symbol" | "decimals">): string {
  return `${amount} base ${amount === 1n ? "unit" : "units"} (${new Decimal(amount, decimals)} ${symbol || "whole tokens"})`;
}

/** The two tokens of a request, each with its side. */
export function shownPair({ sellToken, buyToken }: SwapRequest): string {
  return `the sold token ${nameOf(sellToken)} to the bought token ${nameOf(buyToken)}`;
}

/** Text of a request's order: its amount, the token of the amount, and the side. */
export function shownOrder({ amount, sellToken, buyToken }: SwapRequest): string {
  const [sold, bought] = [nameOf(sellToken), nameOf(buyToken)];
  return amount.kind === "exactIn"
    ? `selling ${shownAmount(amount.sellAmount, sellToken)} of the sold token ${sold} for ${bought}`
    : `buying ${shownAmount(amount.buyAmount, buyToken)} of the bought token ${bought} with ${sold}`;
}
