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
  readonly spread: bigint;
  readonly feeRate: bigint;
}

/** Amounts of a trade; base units of the quote token, but for `paid`. */
export interface WooAmounts {
  /** Worth of what is sold, after spread and movement. */
  readonly gross: bigint;
  readonly fee: bigint;
  readonly paid: bigint;
}

/** The trade of a direction at a time; undefined where a price is not good then. */
export function tradeOf(state: WooState, direction: Direction, time: bigint): WooTrade | undefined {
  const [sold, bought] = [baseAt(state, direction.sell), baseAt(state, direction.buy)];
  for (const base of [sold, bought]) if (base !== undefined && !isGood(base, time)) return undefined;
  const most = (of: "spread" | "feeRate") => larger(sold?.[of] ?? 0n, bought?.[of] ?? 0n);
  const isBetweenBases = sold !== undefined && bought !== undefined;
  const spread = isBetweenBases ? most("spread") / state.spreadPart : most("spread");
  return { state, direction, sold, bought, spread, feeRate: most("feeRate") };
}

function baseAt({ bases }: WooState, token: number): WooBase | undefined {
  return token === 0 ? undefined : bases[token - 1];
}

function isGood({ price, goodUntil }: WooBase, time: bigint): boolean {
  return price > 0n && (goodUntil === undefined || time <= goodUntil);
}

/** Amounts of selling `amount`, within the limits of the tokens (_sellBase, _sellQuote, _swapBaseToBase of WooPPV2.sol). */
export function amountsOf({ state, sold, bought, spread, feeRate }: WooTrade, amount: bigint): WooAmounts {
  const gross = sold === undefined ? amount : quoteFor(state, sold, spread, amount);
  const fee = (gross * feeRate) / FEE_ONE;
  const net = gross - fee;
  return { gross, fee, paid: bought === undefined ? net : baseFor(state, bought, spread, net) };
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
