import { larger } from "../../math/full-math.ts";
import type { Direction } from "../pool-math.ts";
import type { WooBase, WooState } from "./state.ts";

export const ONE = 10n ** 18n;
export const FEE_ONE = 10n ** 5n;

/** One direction of a pool whose prices are good. */
export interface WooTrade {
  readonly state: WooState;
  readonly direction: Direction;
  /** Base token that is sold; undefined where that is the quote token. */
  readonly sold: WooBase | undefined;
  /** Base token that is bought; undefined where that is the quote token. */
  readonly bought: WooBase | undefined;
  /** Spreads of these two; zero for the quote token. */
  readonly soldSpread: bigint;
  readonly boughtSpread: bigint;
  readonly feeRate: bigint;
}

/** Amounts of a trade; base units of the quote token, but for `paid`. */
export interface WooAmounts {
  /** Worth of what is sold, after spread and movement. */
  readonly gross: bigint;
  readonly fee: bigint;
  readonly paid: bigint;
}

/** The trade of a direction at a time; undefined where a price is not good then, or a spread unknown. */
export function tradeOf(state: WooState, direction: Direction, time: bigint): WooTrade | undefined {
  const [sold, bought] = [baseAt(state, direction.sell), baseAt(state, direction.buy)];
  for (const base of [sold, bought]) if (base !== undefined && !isGood(base, time)) return undefined;
  const feeRate = larger(sold?.feeRate ?? 0n, bought?.feeRate ?? 0n);
  const own = { soldSpread: sold?.spread ?? 0n, boughtSpread: bought?.spread ?? 0n };
  if (sold === undefined || bought === undefined || state.spreads === "own")
    return { state, direction, sold, bought, ...own, feeRate };
  if (state.spreads === "unknown") return undefined;
  const half = larger(sold.spread, bought.spread) / 2n;
  return { state, direction, sold, bought, soldSpread: half, boughtSpread: half, feeRate };
}

function baseAt({ bases }: WooState, token: number): WooBase | undefined {
  return token === 0 ? undefined : bases[token - 1];
}

function isGood({ price, goodUntil }: WooBase, time: bigint): boolean {
  return price > 0n && (goodUntil === undefined || time <= goodUntil);
}

/** Amounts of selling `amount`, within the limits of the tokens (_sellBase, _sellQuote, _swapBaseToBase of WooPPV2.sol). */
export function amountsOf(trade: WooTrade, amount: bigint): WooAmounts {
  const { state, sold, bought, soldSpread, boughtSpread, feeRate } = trade;
  const gross = sold === undefined ? amount : quoteFor(state, sold, soldSpread, amount);
  const fee = (gross * feeRate) / FEE_ONE;
  const net = gross - fee;
  return { gross, fee, paid: bought === undefined ? net : baseFor(state, bought, boughtSpread, net) };
}

/** The quote token's amount for a base token's (_calcQuoteAmountSellBase). */
function quoteFor({ quoteUnit, priceUnit }: WooState, base: WooBase, spread: bigint, amount: bigint): bigint {
  const { price, coeff, unit } = base;
  const gamma = (amount * price * coeff) / priceUnit / unit;
  const fair = (amount * price * quoteUnit) / priceUnit;
  return (fair * (ONE - gamma - spread)) / ONE / unit;
}

/** A base token's amount for the quote token's (_calcBaseAmountSellQuote). */
function baseFor({ quoteUnit, priceUnit }: WooState, base: WooBase, spread: bigint, amount: bigint): bigint {
  const { price, coeff, unit } = base;
  const gamma = (amount * coeff) / quoteUnit;
  const fair = (amount * unit * priceUnit) / price;
  return (fair * (ONE - gamma - spread)) / ONE / quoteUnit;
}
