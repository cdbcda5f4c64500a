import { abs } from "../../math/full-math.ts";
import { changesAround } from "./changes.ts";
import { FEE_ONE } from "./fee.ts";
import { balanceFor, PRECISION } from "./invariant.ts";
import type { StableswapAt } from "./state-at.ts";

/**
 * Lista's check of a pool of two coins (checkPriceDiff of StableSwapPool.sol): an exchange reverts if it leaves a price too far
 * from an oracle's. The pool's price of a coin is the one at which it would sell that for a hundred dollars of the other,
 * without a fee.
 */
export interface PriceCheck {
  /** The oracle's prices of both coins in dollars, 18 decimals. */
  readonly prices: readonly [bigint, bigint];
  /** Most distance of the pool's price of each coin from the oracle's, in parts of 10^18 of that. */
  readonly thresholds: readonly [bigint, bigint];
}

/** Dollars, in 18 decimals, for which the check asks the pool's price. */
const PROBE = 100n * PRECISION;
const BOTH = [0, 1] as const;
type Coin = (typeof BOTH)[number];

/** Base units of each coin for a hundred dollars by the oracle. */
export function probesOf({ prices }: PriceCheck, rates: readonly bigint[]): readonly [bigint, bigint] {
  const probeOf = (coin: Coin) => (PROBE * (PRECISION ** 2n / (rates[coin] as bigint))) / prices[coin];
  return [probeOf(0), probeOf(1)];
}

/** Whether a pool in this state passes its check, in the contract's own integers. A pool without a check passes. */
export function passesCheck({ state, scaled, amplification, d }: StableswapAt): boolean {
  const { rates, priceCheck } = state;
  if (priceCheck === undefined) return true;
  const { prices, thresholds } = priceCheck;
  const probes = probesOf(priceCheck, rates);
  return BOTH.every((coin) => {
    const other = coin === 0 ? 1 : 0;
    const x = (scaled[other] as bigint) + (probes[other] * (rates[other] as bigint)) / PRECISION;
    const y = balanceFor(scaled.with(other, x), coin, d, amplification, state);
    const gross = y === undefined ? -1n : (scaled[coin] as bigint) - y - 1n;
    const paid = gross > 0n ? (gross * PRECISION) / (rates[coin] as bigint) : 0n;
    if (paid === 0n) return false;
    const price = (inEighteen(probes[other], rates[other]) * prices[other]) / inEighteen(paid, rates[coin]);
    return abs(price - prices[coin]) * PRECISION <= prices[coin] * thresholds[coin];
  });
}

function inEighteen(amount: bigint, rate: bigint | undefined): bigint {
  return amount * ((rate as bigint) / PRECISION);
}

/** Halvings of the range in which the largest sale is looked for: what is left is a billionth of it. */
const HALVINGS = 30;
/** Relative error of a price in floats. */
const ERROR = 1e-9;
/** Rounds of Newton's method for an invariant in floats, at most. */
const ROUNDS = 60;

/**
 * The largest sale, up to `most` of the scaled balance's units, that passes the check with a margin for floats and roundings;
 * zero for none. Where the pool's price is out of bounds, a smaller sale may not bring it back.
 */
export function mostWithinCheck(current: StableswapAt, sell: number, most: number): number {
  const { priceCheck } = current.state;
  if (priceCheck === undefined) return most;
  const distancesAfter = distancesAlong(current, priceCheck, sell);
  const margin = ERROR + probesOf(priceCheck, current.state.rates).reduce((sum, probe) => sum + 2 / Number(probe), 0);
  const bounds = priceCheck.thresholds.map((threshold) => Number(threshold) / 1e18 - margin);
  const [ofSold, ofBought] = [bounds[sell] as number, bounds[1 - sell] as number];
  // A sale lowers the price of what is sold, and raises the other.
  const isTooFar = (net: number) => {
    const [sold, bought] = distancesAfter(net);
    return sold < -ofSold || bought > ofBought;
  };
  if (isTooFar(0)) return 0;
  let [low, high] = isTooFar(most) ? [0, most] : [most, most];
  for (let round = 0; round < HALVINGS && low < high; round++) {
    const middle = (low + high) / 2;
    if (isTooFar(middle)) high = middle;
    else low = middle;
  }
  const [sold, bought] = distancesAfter(low);
  return sold <= ofSold && bought >= -ofBought ? low : 0;
}

/** Distances of the pool's prices of the sold and the bought coin from the oracle's, as parts of that, after a sale. */
function distancesAlong(
  { state, scaled, amplification }: StableswapAt,
  priceCheck: PriceCheck,
  sell: number,
): (net: number) => readonly [sold: number, bought: number] {
  const buy = 1 - sell;
  const ann = (2 * Number(amplification)) / Number(state.aPrecision);
  const kept = (Number(state.fee) / Number(FEE_ONE)) * (1 - Number(state.adminFee) / Number(FEE_ONE));
  const prices = priceCheck.prices.map(Number);
  const probes = probesOf(priceCheck, state.rates).map((probe, i) => (Number(probe) * Number(state.rates[i])) / 1e18);
  const held = scaled.map(Number);
  const before = changesAround(held, invariantNear(held, ann), ann);
  const change = new Float64Array(2);
  return (net) => {
    change[sell] = net;
    const paid = net === 0 ? 0 : -before.balance(change, buy, 0);
    const left = held.with(sell, (held[sell] as number) + net).with(buy, (held[buy] as number) - paid * (1 - kept));
    const after = changesAround(left, invariantNear(left, ann), ann);
    const distanceOf = (coin: number) => {
      const probe = probes[1 - coin] as number;
      change[1 - coin] = probe;
      const bought = -after.balance(change, coin, 0);
      return (probe * (prices[1 - coin] as number)) / (bought * (prices[coin] as number)) - 1;
    };
    return [distanceOf(sell), distanceOf(buy)];
  };
}

/** The invariant of two balances in floats. */
function invariantNear(held: readonly number[], ann: number): number {
  const [x, y] = held as [number, number];
  let d = x + y;
  for (let round = 0; round < ROUNDS; round++) {
    const product = (d * d * d) / (4 * x * y);
    const next = ((ann * (x + y) + 2 * product) * d) / ((ann - 1) * d + 3 * product);
    const isNear = Math.abs(next - d) <= Number.EPSILON * d;
    d = next;
    if (isNear) break;
  }
  return d;
}
