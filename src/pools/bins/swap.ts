import { MAX_UINT128 } from "../../math/full-math.ts";
import { countUpTo } from "./bin-list.ts";
import { type BinFee, feeInBin, feeOnTop, feeWithin, leftBy, protocolPart, termsAt } from "./fee.ts";
import { priceOf, worthInX, worthInXRoundedUp, worthInY, worthInYRoundedUp } from "./price.ts";
import type { Bin, BinsState } from "./state.ts";

/** More of either token than any pool is asked to move: sums of it never leave the contract's 128 bits. */
const MAX_MOVED = 1n << 127n;
/** Constants.MAX_LIQUIDITY_PER_BIN: above it a bin takes no swap. Version 2.1 of Liquidity Book has no such bound. */
const MAX_LIQUIDITY = 65251743116719673010965625540244653191619923014385985379600384103134737n;

/** Bins that one swap is asked to trade in: more take more gas than most blocks have room for (16,000 each). */
export const MAX_STOPS = 256;

/** A bin that a swap comes to, with all that it pays there. */
export interface Stop {
  readonly bin: Bin;
  readonly price: bigint;
  /** Fee, in parts of 10^18. */
  readonly fee: bigint;
  readonly volatility: number | undefined;
  /** Cost of the whole bin including its fee, and that fee. */
  readonly mostIn: bigint;
  readonly mostFee: bigint;
  /** Payment of the whole bin. */
  readonly mostOut: bigint;
}

/** The fee's terms at a time, and the bins that a swap then comes to, in its order. */
export interface Stops {
  readonly fee: BinFee;
  readonly stops: Iterable<Stop>;
}

/** Undefined where there can be no swap at that time. */
export function stopsAt(state: BinsState, xForY: boolean, time: bigint): Stops | undefined {
  const fee = termsAt(state.fee, state.activeId, time);
  return fee && { fee, stops: stopsOf(state, fee, xForY) };
}

/** Ends at a bin that the contract would refuse, or that nobody needs: swaps that come to it are not served. */
function* stopsOf({ binStep, activeId, bins }: BinsState, fee: BinFee, xForY: boolean): Generator<Stop> {
  const step = xForY ? -1 : 1;
  let [allIn, allOut, count] = [0n, 0n, 0];
  for (let at = xForY ? countUpTo(bins, activeId) - 1 : countUpTo(bins, activeId - 1); ; at += step) {
    const bin = bins[at];
    if (bin === undefined) return;
    const mostOut = xForY ? bin.reserveY : bin.reserveX;
    // The contract passes by such a bin without counting its volatility.
    if (mostOut === 0n) continue;
    const price = priceOf(binStep, bin.id);
    const found = feeInBin(fee, binStep, bin.id, xForY);
    if (price === undefined || found === undefined || count++ === MAX_STOPS) return;
    const { part, volatility } = found;
    const net = xForY ? worthInXRoundedUp(mostOut, price) : worthInYRoundedUp(mostOut, price);
    const mostFee = feeOnTop(net, part);
    const mostIn = net + mostFee;
    allIn += mostIn;
    allOut += mostOut;
    if (allIn > MAX_MOVED || allOut > MAX_MOVED || isTooFull(bin, price, xForY, mostIn)) return;
    yield { bin, price, fee: part, volatility, mostIn, mostFee, mostOut };
  }
}

/** Whether a bin could come to hold more than the contract allows: what is in it grows by fees and by what rounding leaves. */
function isTooFull({ reserveX, reserveY }: Bin, price: bigint, xForY: boolean, mostIn: bigint): boolean {
  const [x, y] = xForY ? [reserveX + mostIn, 0n] : [0n, reserveY + mostIn];
  if (x > MAX_UINT128 || y > MAX_UINT128) return true;
  const before = liquidityOf(reserveX, reserveY, price);
  const after = liquidityOf(x, y, price);
  return (before > after ? before : after) + liquidityOf(2n, 2n, price) > MAX_LIQUIDITY;
}

/** Source: BinHelper.getLiquidity. */
function liquidityOf(x: bigint, y: bigint, price: bigint): bigint {
  return price * x + (y << 128n);
}

/** Result of a swap. */
export interface SwapOutcome {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Whether all of what was given was used. */
  readonly filled: boolean;
  /** Bins that something was traded in. */
  readonly bins: number;
  readonly next: BinsState;
}

/** A swap that sells an amount of X or Y. Source: LBPair.swap and BinHelper.getAmounts, BinHelper.getAmountsOut of Infinity. */
export function swap(state: BinsState, xForY: boolean, amount: bigint, stops: Stops): SwapOutcome {
  return traded(state, { xForY, amount, trade: tradeIn }, stops);
}

/** A swap that buys an amount exactly. Source: BinHelper.getAmountsIn of PancakeSwap Infinity. */
export function swapExactOut(state: BinsState, xForY: boolean, amount: bigint, stops: Stops): SwapOutcome {
  return traded(state, { xForY, amount, trade: tradeOut }, stops);
}

/** One swap: `amount` is what goes in or what comes out, as `trade` takes it. */
interface Asked {
  readonly xForY: boolean;
  readonly amount: bigint;
  readonly trade: typeof tradeIn;
}

function traded(state: BinsState, { xForY, amount, trade }: Asked, { fee, stops }: Stops): SwapOutcome {
  let [left, amountIn, amountOut] = [amount, 0n, 0n];
  let [activeId, last] = [state.activeId, fee];
  const changed = new Map<number, Bin>();
  for (const stop of stops) {
    if (left === 0n) break;
    const { bin, volatility } = stop;
    const [paid, paidFee, got] = trade(stop, xForY, left);
    const stays = paid - protocolPart(paidFee, fee, xForY);
    left -= trade === tradeIn ? paid : got;
    amountIn += paid;
    amountOut += got;
    const { id, reserveX, reserveY } = bin;
    const [x, y] = xForY ? [stays, -got] : [-got, stays];
    changed.set(id, { id, reserveX: reserveX + x, reserveY: reserveY + y });
    activeId = bin.id;
    last = leftBy(fee, volatility);
  }
  // No bin is left with nothing: what comes in stays, but for a part of its fee.
  const bins = state.bins.map((bin) => changed.get(bin.id) ?? bin);
  const next = { ...state, bins, activeId, fee: last };
  return { amountIn, amountOut, filled: left === 0n, bins: changed.size, next };
}

/** Payment into a bin with so much left to swap, its fee, and the output. */
function tradeIn({ price, fee, mostIn, mostFee, mostOut }: Stop, xForY: boolean, left: bigint) {
  if (left >= mostIn) return [mostIn, mostFee, mostOut] as const;
  const paidFee = feeWithin(left, fee);
  const net = left - paidFee;
  const got = xForY ? worthInY(net, price) : worthInX(net, price);
  return [left, paidFee, got < mostOut ? got : mostOut] as const;
}

/** As for `tradeIn`, with so much left to buy. */
function tradeOut({ price, fee, mostIn, mostFee, mostOut }: Stop, xForY: boolean, left: bigint) {
  if (left >= mostOut) return [mostIn, mostFee, mostOut] as const;
  const net = xForY ? worthInXRoundedUp(left, price) : worthInYRoundedUp(left, price);
  const paidFee = feeOnTop(net, fee);
  return [net + paidFee, paidFee, left] as const;
}
