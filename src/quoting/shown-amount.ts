import type { Token } from "../domain/token.ts";
import type { SwapRequest } from "./answers.ts";
import { formatScaled } from "./decimal.ts";

/** An amount in base units and in whole tokens, for people. */
export function shownAmount(amount: bigint, { symbol, decimals }: Pick<Token, "symbol" | "decimals">): string {
  return `${amount} base ${amount === 1n ? "unit" : "units"} (${formatScaled(amount, decimals)} ${symbol})`;
}

/** The two tokens of a request, each with its side. */
export function shownPair({ sellToken, buyToken }: SwapRequest): string {
  return `the sold token ${shownToken(sellToken)} to the bought token ${shownToken(buyToken)}`;
}

export function shownToken({ symbol, address }: Pick<Token, "symbol" | "address">): string {
  return `${symbol} (${address})`;
}

/** What a request asks for: its amount, the token that it is of, and the side. */
export function shownOrder({ amount, sellToken, buyToken }: SwapRequest): string {
  const [sold, bought] = [shownToken(sellToken), shownToken(buyToken)];
  return amount.kind === "exactIn"
    ? `selling ${shownAmount(amount.sellAmount, sellToken)} of the sold token ${sold} for ${bought}`
    : `buying ${shownAmount(amount.buyAmount, buyToken)} of the bought token ${bought} with ${sold}`;
}
