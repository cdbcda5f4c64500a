import type { Address } from "../domain/address.ts";
import type { Ratio } from "../domain/ratio.ts";

/** Direction of a swap: indices into the pool's `tokens` of the token in and the token out. */
export interface Direction {
  readonly sell: number;
  readonly buy: number;
}

/** The direction in which a pool of these tokens takes `sellToken` and gives `buyToken`. */
export function directionOf(
  { tokens }: { readonly tokens: readonly Address[] },
  sellToken: Address,
  buyToken: Address,
): Direction {
  return { sell: tokens.indexOf(sellToken), buy: tokens.indexOf(buyToken) };
}

/** Quote of a pool: the other amount, gas by the measured model, and the state afterwards. */
export interface PoolQuote<S> {
  /** Exact-in: what the pool pays out. Exact-out: what it takes in. Base units, exact to the wei. */
  readonly amount: bigint;
  /** Gas of this swap inside a settlement transaction, without the transaction's own 21,000. */
  readonly gas: bigint;
  readonly next: S;
  /** Part of an exact input that the pool does not take; absent where it takes all. */
  readonly unused?: bigint;
}

/** Why a pool cannot serve a swap. `most` is the largest amount it could take (exact-in) or give (exact-out), where known. */
export interface Rejection {
  readonly rejected: "NO_LIQUIDITY" | "TOO_SMALL" | "TOO_LARGE" | "PAUSED" | "UNSUPPORTED";
  readonly most?: bigint;
  /** The venue's own minimum that a TOO_SMALL trade is below. Absent: nothing would be paid, or nothing was asked for. */
  readonly least?: VenueMinimum;
}

/** The least that a venue trades, in base units of one of the two tokens. */
export interface VenueMinimum {
  readonly of: "sold" | "bought";
  readonly amount: bigint;
}

/** The most that a pool takes and gives in one direction. */
export interface PoolLimits {
  readonly maxSell: bigint;
  readonly maxBuy: bigint;
}

/** A stretch of a curve over which it pays the same rate: how much it sells there. */
export interface StraightLevel {
  readonly sells: number;
  readonly rate: number;
}

/**
 * One direction of a pool in floating point, amounts in base units as numbers: good enough to choose with, never used
 * for a number that leaves the process. Monotone: output grows and the marginal rate falls with the amount sold, except
 * where `concave` is false.
 */
export interface PoolCurve {
  /** Bought units per sold unit at the margin, fee included, once `sellAmount` has been sold. */
  marginalRate(sellAmount: number): number;
  /** Payment for selling `sellAmount`. */
  buyAmountFor(sellAmount: number): number;
  /** The amount sold at which the marginal rate has fallen to `rate`: 0 when it starts below, `maxSell` when it stays above. */
  sellAmountAtRate(rate: number): number;
  /**
   * Writes the trade at a rate into `trade`: the amount sold as in sellAmountAtRate, the amount bought,
   * and by how much the amount sold grows as the logarithm of the rate falls. Absent: ask for them one by one.
   */
  tradeAtRate?(rate: number, trade: Float64Array): void;
  /** The levels of a curve that is straight between its kinks, best first. Absent for any other. */
  readonly levels?: readonly StraightLevel[];
  /**
   * The curve as stretches that keep a product constant, those that begin above `least`, three numbers each: the square
   * roots of the marginal rates where it begins and ends, and a, so that it sells a * (1 / x - 1 / begin) and buys
   * a * (begin - x) until the root of the rate has fallen to x. Absent for curves that are not made of such.
   */
  stretches?(least: number): readonly number[];
  readonly maxSell: number;
  /** Whether that is as much as an amount, where this is known for less than `maxSell` costs. Absent: compare them. */
  takes?(sellAmount: number): boolean;
  /** Gas of one swap, at the least. */
  readonly gas: number;
  /** Gas of one swap whose output is given, where that is more than `gas`. */
  readonly gasToBuy?: number;
  /** Gas of selling an amount, where it grows with it, about; at least `gas`. */
  gasFor?(sellAmount: number): number;
  /**
   * The stretches over which that gas stays the same, as far as one that ends at `sellAmount` or behind it: three numbers
   * each, what is sold and bought by its end, and its gas. Absent where gas does not grow.
   */
  gasStretches?(sellAmount: number): readonly number[];
  readonly concave: boolean;
  /**
   * Concave curve that pays at least as much for every amount, for curves that are not concave or take more once other
   * pairs of the pool have been used.
   */
  readonly ceiling?: PoolCurve;
  /** The curve of a pool that is asked for an exact output, where that ends elsewhere. Begins with the same rate. */
  readonly toBuy?: PoolCurve;
}

/** Whether all of an amount can be sold. */
export function takesAll(curve: PoolCurve, sellAmount: number): boolean {
  return curve.takes === undefined ? sellAmount <= curve.maxSell : curve.takes(sellAmount);
}

/** Part of the rate of a trade of no size that the width of a curve is measured at. */
export const NARROW = 0.98;
/** Range in depths within which a curve is the hyperbola that it counts as. */
export const TRUSTED_DEPTHS = 512;

/** Summary of a curve that a search reads first: known without making the curve. */
export interface CurveOutline {
  /** The rate of a trade of no size, fee included: bought per sold unit. Positive and finite. */
  readonly spot: number;
  /** Depth in sold base units of a curve that pays spot * x / (1 + x / depth) as far as TRUSTED_DEPTHS; NaN for others. */
  readonly depth: number;
  /**
   * The depth of such a curve that pays no less than this one for any amount: `depth` itself where there is one, as far as
   * that is trusted; infinite where none is known.
   */
  readonly deepest: number;
  /** Amount to sell for the rate to fall to NARROW of `spot`; the whole capacity if it stays above. */
  readonly width: number;
  /** As in PoolCurve. */
  readonly gas: number;
}

/**
 * The maths of one kind of pool. Pure: never changes `state`, never throws for what a pool cannot do, answers the same
 * to the same question. `time` is the timestamp of the block that the swap is executed in, unix seconds.
 */
export interface PoolMath<S> {
  /** Whether a pool in this state can be asked for an exact output; every pool can where this is absent. */
  servesExactOut?(state: S): boolean;
  /**
   * Whether uses of a pool of several tokens for several pairs never earn more together, at any prices, than each
   * pair could by itself in this state. Absent: they may, as where one deposit makes room for another.
   */
  usesAddUp?(state: S): boolean;
  /**
   * The most that uses of it can earn together, whatever their pairs, at these prices of a base unit of its tokens; nothing
   * is traded of one without a price. Absent: no more than the sum of what each pair could by itself.
   */
  mostEarnedTogether?(state: S, prices: readonly (number | undefined)[]): number;
  /** The pool in floats as trades move it, from this state on. Absent, or undefined in some states: quotes tell. */
  moving?(state: S): MovingPool | undefined;
  quoteExactIn(state: S, direction: Direction, sellAmount: bigint, time: bigint): PoolQuote<S> | Rejection;
  quoteExactOut(state: S, direction: Direction, buyAmount: bigint, time: bigint): PoolQuote<S> | Rejection;
  /** Bought base units per sold base unit for a trade of no size, after the pool's fee; undefined when there is none. */
  spotPrice(state: S, direction: Direction, time: bigint): Ratio | undefined;
  limits(state: S, direction: Direction, time: bigint): PoolLimits;
  /** The outline of the curve, for less than the curve costs. Absent, or undefined in some states: ask the curve. */
  outline?(state: S, direction: Direction): CurveOutline | undefined;
  /** Whether every curve has stretches. */
  readonly inStretches?: true;
  /** Curve of this direction for the search; undefined if nothing can be sold. */
  curve(state: S, direction: Direction, time: bigint): PoolCurve | undefined;
}

/** The float view of a pool that trades move, all directions at once; good enough to choose by. Amounts in base units. */
export interface MovingPool {
  /** Bought per sold unit for a trade of no size, fee included. */
  rate(direction: Direction): number;
  /** The most that the pool takes as it is now. */
  most(direction: Direction): number;
  /** Payment for an amount in the pool's present state, or for as much of it as the pool takes. */
  pays(direction: Direction, sellAmount: number): number;
  /** Takes an amount for what it pays. */
  move(direction: Direction, sellAmount: number, buyAmount: number): void;
  /** The pool as it is now, for trades that this one does not see. */
  copy(): MovingPool;
  /** The curve of a direction as the pool is now; undefined when nothing can be sold. */
  curve(direction: Direction): PoolCurve | undefined;
}

export function isRejection<T extends object>(answer: T | Rejection): answer is Rejection {
  return "rejected" in answer;
}
