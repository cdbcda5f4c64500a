import { smaller } from "../../math/full-math.ts";
import type { WooBase, WooState } from "./state.ts";
import { amountsOf, FEE_ONE, ONE, type WooTrade } from "./trade.ts";

/** The most that can be sold: within what a trade may be worth and move, and paid out of the reserves. */
export function mostSold(trade: WooTrade): bigint {
  if (trade.soldSpread >= ONE || trade.boughtSpread >= ONE) return 0n;
  const most = mostWithinTerms(trade);
  if (isPaid(trade, most)) return most;
  let [low, high] = [0n, most];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (isPaid(trade, middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** The most of the token sold alone, of base tokens by their own terms. */
function mostWithinTerms(trade: WooTrade): bigint {
  const { state, sold, bought, feeRate } = trade;
  if (sold !== undefined) return mostOfBase(state, sold, mostMoved(sold, trade.soldSpread));
  return bought === undefined
    ? 0n
    : (mostOfQuote(state, bought, mostMoved(bought, trade.boughtSpread)) * FEE_ONE) / (FEE_ONE - feeRate);
}

/** Beyond half of what the spread leaves, more sold would bring less. */
function mostMoved({ maxGamma }: WooBase, spread: bigint): bigint {
  return smaller(maxGamma, (ONE - spread) / 2n);
}

function mostOfBase({ quoteUnit, priceUnit }: WooState, base: WooBase, gamma: bigint): bigint {
  const { price, coeff, unit, maxNotional } = base;
  const scale = unit * priceUnit;
  const byWorth = ((maxNotional + 1n) * scale - 1n) / (price * quoteUnit);
  return coeff === 0n ? byWorth : smaller(byWorth, ((gamma + 1n) * scale - 1n) / (price * coeff));
}

function mostOfQuote({ quoteUnit }: WooState, { coeff, maxNotional }: WooBase, gamma: bigint): bigint {
  return coeff === 0n ? maxNotional : smaller(maxNotional, ((gamma + 1n) * quoteUnit - 1n) / coeff);
}

/** Whether the reserves have what an amount brings, and a base token takes what it is bought with. */
function isPaid(trade: WooTrade, amount: bigint): boolean {
  const { state, direction, sold, bought } = trade;
  const { gross, fee, paid } = amountsOf(trade, amount);
  const [quote, others] = [state.reserves[0] as bigint, state.reserves[direction.buy] as bigint];
  if (bought === undefined) return gross <= quote;
  if (paid > others) return false;
  return (
    sold === undefined ||
    (fee <= quote && gross - fee <= mostOfQuote(state, bought, mostMoved(bought, trade.boughtSpread)))
  );
}
