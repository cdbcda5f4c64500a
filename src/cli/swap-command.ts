import type { SwapRequest } from "../client/index.ts";
import { type Invocation, UsageError } from "./command.ts";
import { amountOf, type TokenBook } from "./connection/token-book.ts";

const NUMBER = /^\d+(\.\d+)?$/;

/** @throws UsageError */
function feeTokenOf(side: string | undefined, tokens: { readonly sell: string; readonly buy: string }) {
  if (side === undefined) return undefined;
  if (side === "sell" || side === "buy") return tokens[side];
  throw new UsageError(`--fee-of is sell or buy, not ${side}`);
}

/** @throws UsageError */
export function swapRequestOf(given: Invocation, tokens: TokenBook): SwapRequest {
  const { positionals, text, has } = given;
  const [first = "", second = "", third = ""] = positionals;
  const isExactIn = NUMBER.test(first);
  if (positionals.length !== 3 || !(isExactIn || NUMBER.test(second))) {
    throw new UsageError(
      "say what to swap: `1.5 ETH USDH` sells 1.5 ETH for USDH, `ETH 100 USDH` buys 100 USDH with ETH",
    );
  }
  const [sellName, buyName] = isExactIn ? [second, third] : [first, third];
  const addressesOf = (names: string | undefined) => names?.split(",").map((name) => tokens.find(name.trim()).address);
  const [sellToken, buyToken] = [tokens.find(sellName), tokens.find(buyName)];
  const rest = {
    sellToken: sellToken.address,
    buyToken: buyToken.address,
    slippagePercentage: text("slippage"),
    takerAddress: text("taker"),
    excludedSources: text("exclude")?.split(","),
    includedSources: text("include")?.split(","),
    excludedPools: text("exclude-pools")?.split(","),
    excludedTokens: addressesOf(text("exclude-tokens")),
    connectorTokens: addressesOf(text("connectors")),
    maxHops: text("max-hops"),
    maxFills: text("max-fills"),
    integratorPercentageFee: text("fee"),
    integratorRecipientAddress: text("fee-recipient"),
    swapFeeToken: feeTokenOf(text("fee-of"), { sell: sellToken.address, buy: buyToken.address }),
    recipient: text("recipient"),
    approvalMode: text("approval") as SwapRequest["approvalMode"],
    ...(has("sell-entire-balance") && { sellEntireBalance: true }),
    gasPrice: text("gas-price"),
    priceImpactProtectionPercentage: text("max-impact"),
  };
  const inBaseUnits = has("base-units");
  return isExactIn
    ? { ...rest, sellAmount: amountOf(first, sellToken, inBaseUnits) }
    : { ...rest, buyAmount: amountOf(second, buyToken, inBaseUnits) };
}
