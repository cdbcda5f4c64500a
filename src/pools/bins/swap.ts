import { MAX_UINT128 } from "../../math/full-math.ts";
import { countUpTo } from "./bin-list.ts";
import { feeAt, feeOf, feeOnTop, feeWithin, protocolPart, volatilityIn } from "./fee.ts";
import { priceOf, worthInX, worthInXRoundedUp, worthInY, worthInYRoundedUp } from "./price.ts";
import type { Bin, BinsState, VolatilityFee } from "./state.ts";

/** More of either token than any pool is asked to move: sums of it never leave the contract's 128 bits. */
const MAX_MOVED = 1n << 127n;
/** Constants.MAX_LIQUIDITY_PER_BIN: above it a bin of version 2.2 takes no swap. Version 2.1 has no such bound. */
const MAX_LIQUIDITY = 65251743116719673010965625540244653191619923014385985379600384103134737n;

/** Bins that one swap is asked to trade in: more take more gas than most blocks have room for (16,000 each). */
export const MAX_STOPS = 256;

/** A bin that a swap comes to, with all that it pays there. */
export interface Stop {
  readonly bin: Bin;
  readonly price: bigint;
  /** Fee, in parts of 10^18. */
  readonly fee: bigint;
  readonly volatility: number;
  /** Cost of the whole bin including its fee, and that fee. */
  readonly mostIn: bigint;
  readonly mostFee: bigint;
  /** Payment of the whole bin. */
  readonly mostOut: bigint;
}

/** The fee's terms at a time, and the bins that a swap then comes to, in its order. */
export interface Stops {
  readonly fee: VolatilityFee;
  readonly stops: Iterable<Stop>;
}

/** Undefined where there can be no swap at that time. */
export function stopsAt(state: BinsState, xForY: boolean, time: bigint): Stops | undefined {
  const fee = feeAt(state.fee, state.activeId, time);
  return fee && { fee, stops: stopsOf(state, fee, xForY) };
}

/** Ends at a bin that the contract would refuse, or that nobody needs: swaps that come to it are not served. */
function* stopsOf({ binStep, activeId, bins }: BinsState, fee: VolatilityFee, xForY: boolean): Generator<Stop> {
  const step = xForY ? -1 : 1;
  let [allIn, allOut, count] = [0n, 0n, 0];
  for (let at = xForY ? countUpTo(bins, activeId) - 1 : countUpTo(bins, activeId - 1); ; at += step) {
    const bin = bins[at];
    if (bin === undefined) return;
    const mostOut = xForY ? bin.reserveY : bin.reserveX;
    // The contract passes by such a bin without counting its volatility.
    if (mostOut === 0n) continue;
    const price = priceOf(binStep, bin.id);
    const volatility = volatilityIn(fee, bin.id);
    const part = feeOf(fee, binStep, volatility);
    if (price === undefined || part === undefined || count++ === MAX_STOPS) return;
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

/** A swap of an amount of X or Y. Source: LBPair.swap and BinHelper.getAmounts. */
export function swap(state: BinsState, xForY: boolean, amount: bigint, { fee, stops }: Stops): SwapOutcome {
  let [left, amountOut] = [amount, 0n];
  let [activeId, volatilityAccumulator] = [state.activeId, fee.volatilityAccumulator];
  const changed = new Map<number, Bin>();
  for (const stop of stops) {
    if (left === 0n) break;
    const { bin, volatility } = stop;
    const [paid, paidFee, got] = tradeIn(stop, xForY, left);
    const stays = paid - protocolPart(paidFee, fee);
    left -= paid;
    amountOut += got;
    const { id, reserveX, reserveY } = bin;
    const [x, y] = xForY ? [stays, -got] : [-got, stays];
    changed.set(id, { id, reserveX: reserveX + x, reserveY: reserveY + y });
    activeId = bin.id;
    volatilityAccumulator = volatility;
  }
  // No bin is left with nothing: what comes in stays, but for a part of its fee.
  const bins = state.bins.map((bin) => changed.get(bin.id) ?? bin);
  const next = { ...state, bins, activeId, fee: { ...fee, volatilityAccumulator } };
  return { amountIn: amount - left, amountOut, filled: left === 0n, bins: changed.size, next };
}

/** Payment into a bin with so much left to swap, its fee, and the output. */
function tradeIn({ price, fee, mostIn, mostFee, mostOut }: Stop, xForY: boolean, left: bigint) {
  if (left >= mostIn) return [mostIn, mostFee, mostOut] as const;
  const paidFee = feeWithin(left, fee);
  const net = left - paidFee;
  const got = xForY ? worthInY(net, price) : worthInX(net, price);
  return [left, paidFee, got < mostOut ? got : mostOut] as const;
}

/**
 * Amount in for an amount out, or for as much of it as there is. Source: LBPair.getSwapIn. A swap of the
 * result pays at least that amount, and more by up to the worth of one base unit of the token sold.
 */
export function costOf(
  xForY: boolean,
  amount: bigint,
  { stops }: Stops,
): { readonly cost: bigint; readonly left: bigint } {
  let [left, cost] = [amount, 0n];
  for (const { price, fee, mostIn, mostOut } of stops) {
    if (left === 0n) break;
    if (left >= mostOut) {
      cost += mostIn;
      left -= mostOut;
      continue;
    }
    const net = xForY ? worthInXRoundedUp(left, price) : worthInYRoundedUp(left, price);
    cost += net + feeOnTop(net, fee);
    left = 0n;
  }
  return { cost, left };
}
