import { type SwapRequest, toBaseUnits, toDecimal } from "../../../src/client/index.ts";
import { slippageWarning } from "../answer/swap-risks.ts";
import { byId } from "../page/dom.ts";
import type { Token } from "../token.ts";
import { typedAmount } from "./typed-amount.ts";

export type Side = "sell" | "buy";

/** A token's amount has 256 bits. */
const TOO_MUCH = 2n ** 256n;
const ONE = 10n ** 18n;

/** The fields that a request is made of. */
export const FORM = {
  amounts: { sell: byId("sell-amount", HTMLInputElement), buy: byId("buy-amount", HTMLInputElement) },
  pickers: { sell: byId("sell-token", HTMLButtonElement), buy: byId("buy-token", HTMLButtonElement) },
  worths: { sell: byId("sell-worth", HTMLSpanElement), buy: byId("buy-worth", HTMLSpanElement) },
  balances: { sell: byId("sell-balance", HTMLSpanElement), buy: byId("buy-balance", HTMLSpanElement) },
  max: byId("max", HTMLButtonElement),
  slippage: byId("slippage", HTMLInputElement),
  taker: byId("taker", HTMLInputElement),
};

/** Names the chosen tokens on their buttons. */
export function showTokens(chosen: Readonly<Record<Side, Token>>): void {
  for (const side of ["sell", "buy"] as const) {
    const { symbol } = chosen[side];
    FORM.pickers[side].textContent = symbol;
    FORM.pickers[side].setAttribute("aria-label", `Token to ${side}: ${symbol}`);
  }
}

/** The request that the form spells, or a sentence about what is still missing. */
export function requestOf(chosen: Readonly<Record<Side, Token>>, fixed: Side): SwapRequest | string {
  const { sell, buy } = chosen;
  const units = amountOf(FORM.amounts[fixed].value.trim(), chosen[fixed]);
  if (typeof units === "string") return units;
  const slippage = toBaseUnits(typedAmount(FORM.slippage.value) ?? "", 16);
  const isFraction = slippage !== undefined && slippage <= ONE;
  const warning = isFraction ? slippageWarning(Number(slippage) / 1e16) : undefined;
  byId("slippage-warning", HTMLParagraphElement).textContent = warning ?? "";
  if (!isFraction) return "Slippage is a number of percent up to 100, such as 0.5.";
  const sender = FORM.taker.value.trim();
  const rest = {
    sellToken: sell.address,
    buyToken: buy.address,
    slippagePercentage: toDecimal(slippage, 18),
    takerAddress: sender === "" ? undefined : sender,
  };
  return fixed === "sell" ? { ...rest, sellAmount: units } : { ...rest, buyAmount: units };
}

/** Base units of what was typed, or what is wrong with it. */
function amountOf(typed: string, { symbol, decimals }: Token): bigint | string {
  if (typed === "") return "Enter an amount to see its price.";
  const text = typedAmount(typed);
  if (text === undefined) return `"${typed}" can be read in more than one way. Leave thousands ungrouped.`;
  const units = toBaseUnits(text, decimals);
  if (units === undefined) {
    const what = decimals === 0 ? "a whole number" : `a number with at most ${decimals} decimals`;
    return `An amount of ${symbol} is ${what}.`;
  }
  if (units === 0n) return "Enter an amount above zero.";
  return units < TOO_MUCH ? units : `No token has so much. Enter a smaller amount of ${symbol}.`;
}
