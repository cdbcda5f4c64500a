import type { SwapRequest } from "../client/index.ts";
import { type CommandOption, type Invocation, UsageError } from "./command.ts";
import { CONNECTION_OPTIONS } from "./connection.ts";
import { amountOf, type TokenBook } from "./token-book.ts";

/** How `price` and `quote` name a swap: the amount stands before the token that it counts. */
export const SWAP_TAKES = "<amount> <sell token> <buy token> | <sell token> <amount> <buy token>";

export const SWAP_OPTIONS = {
  slippage: { value: "fraction", about: "greatest acceptable slippage; 0.01 (1 %) by default" },
  taker: { value: "address", about: "who sends the transaction: makes gas exact" },
  exclude: { value: "names", about: "sources not to use, comma-separated" },
  include: { value: "names", about: "the only sources to use, comma-separated" },
  fee: { value: "fraction", about: "integrator fee; goes with --fee-recipient" },
  "fee-recipient": { value: "address", about: "who gets the integrator fee" },
  "gas-price": { value: "wei", about: "gas price to value network cost with" },
  "max-impact": {
    value: "fraction",
    about: "greatest acceptable price impact (0.01 is 1 %): a quote above it is refused, a price is not",
  },
  "base-units": { about: "the amount is in base units" },
  ...CONNECTION_OPTIONS,
} as const satisfies Readonly<Record<string, CommandOption>>;

const NUMBER = /^\d+(\.\d+)?$/;

/** @throws UsageError */
export function swapRequestOf(given: Invocation, tokens: TokenBook): SwapRequest {
  const { positionals, text, has } = given;
  const [first = "", second = "", third = ""] = positionals;
  const isSale = NUMBER.test(first);
  if (positionals.length !== 3 || !(isSale || NUMBER.test(second))) {
    throw new UsageError(
      "say what to swap: `1.5 ETH USDH` sells 1.5 ETH for USDH, `ETH 100 USDH` buys 100 USDH with ETH",
    );
  }
  const [sellName, buyName] = isSale ? [second, third] : [first, third];
  const [sellToken, buyToken] = [tokens.find(sellName), tokens.find(buyName)];
  const rest = {
    sellToken: sellToken.address,
    buyToken: buyToken.address,
    slippagePercentage: text("slippage"),
    takerAddress: text("taker"),
    excludedSources: text("exclude")?.split(","),
    includedSources: text("include")?.split(","),
    integratorPercentageFee: text("fee"),
    integratorRecipientAddress: text("fee-recipient"),
    gasPrice: text("gas-price"),
    priceImpactProtectionPercentage: text("max-impact"),
  };
  const inBaseUnits = has("base-units");
  return isSale
    ? { ...rest, sellAmount: amountOf(first, sellToken, inBaseUnits) }
    : { ...rest, buyAmount: amountOf(second, buyToken, inBaseUnits) };
}
