import { divRoundingUp, mulDivRoundingUp, smaller } from "../../math/full-math.ts";
import { ONE, type PricedTick } from "./price.ts";

/** A swap's trade in one tick, rounded as Maverick V2's pools round it: their bytecode is public, its source is not. */

/** Terms of a swap: which token goes in, the fee in parts of 10^18, and the protocol's part of it, of 1,000. */
export interface SwapTerms {
  readonly sellsA: boolean;
  readonly fee: bigint;
  readonly protocolPart: bigint;
}

/** Amounts of 18 decimals. */
export interface TickTrade {
  /** Amount in, fee included. */
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** The part of what goes in that stays in the tick. */
  readonly stays: bigint;
  /** Whether the tick is left behind, with nothing of what it paid with. */
  readonly isLeft: boolean;
}

/** More than any pool is asked to move at once: no sum of what a tick holds leaves the contract's 128 bits. */
export const MAX_MOVED = 1n << 120n;
/** Bound of what an output costs. The last ones that a sale of the most brings cost somewhat more than that, by rounding. */
export const MAX_COST = 2n * MAX_MOVED;
const PROTOCOL_PARTS = 1_000n;
const ONE_SQUARED = ONE * ONE;

/** A trade of an amount that goes in; undefined where the pool reverts. */
export function soldIn(tick: PricedTick, amount: bigint, terms: SwapTerms): TickTrade | undefined {
  const { sellsA, fee } = terms;
  const { sqrtPrice, liquidity } = tick;
  const held = sellsA ? tick.reserveB : tick.reserveA;
  const whole = costWithoutFee(tick, held, sellsA);
  if (whole === undefined) return undefined;
  const net = (amount * (ONE - fee)) / ONE;
  const [paid, trade] = net < whole ? [net, withFee(amount, amount - net, terms)] : [whole, wholeTrade(whole, terms)];
  if (amount > trade.amountIn) return { ...trade, amountOut: held, isLeft: true };
  const moved = divRoundingUp(paid * ONE, liquidity + 1n);
  const out = sellsA
    ? (paid * (ONE_SQUARED / sqrtPrice)) / (moved + sqrtPrice)
    : (paid * sqrtPrice) / (moved + divRoundingUp(ONE_SQUARED, sqrtPrice));
  return { ...trade, amountOut: smaller(held, out), isLeft: false };
}

/** A trade of an amount that comes out, or of as much as there is; undefined where the pool reverts. */
export function boughtFrom(tick: PricedTick, amount: bigint, terms: SwapTerms): TickTrade | undefined {
  const held = terms.sellsA ? tick.reserveB : tick.reserveA;
  const amountOut = smaller(held, amount);
  const cost = costWithoutFee(tick, amountOut, terms.sellsA);
  // A tick that would not sell all that it holds takes no sale of an amount that goes in.
  if (cost === undefined || cost > MAX_COST || costWithoutFee(tick, held, terms.sellsA) === undefined) return undefined;
  return { ...wholeTrade(cost, terms), amountOut, isLeft: held < amount };
}

/** Cost of an output before the fee; undefined where the tick's liquidity, which is rounded down, does not have as much. */
function costWithoutFee({ liquidity, sqrtPrice }: PricedTick, out: bigint, sellsA: boolean): bigint | undefined {
  const moved = liquidity === 0n ? 0n : divRoundingUp(out * ONE, liquidity);
  if (sellsA) {
    const left = ONE_SQUARED / sqrtPrice - moved;
    return left <= 0n ? undefined : mulDivRoundingUp(out, sqrtPrice, left);
  }
  const left = moved >= sqrtPrice ? 0n : (sqrtPrice * (sqrtPrice - moved)) / ONE;
  return left === 0n ? undefined : mulDivRoundingUp(out, ONE, left);
}

function wholeTrade(net: bigint, terms: SwapTerms) {
  const fee = mulDivRoundingUp(net, terms.fee, ONE - terms.fee);
  return withFee(net + fee, fee, terms);
}

function withFee(amountIn: bigint, fee: bigint, { protocolPart }: SwapTerms) {
  return { amountIn, stays: amountIn - divRoundingUp(fee * protocolPart, PROTOCOL_PARTS) };
}
