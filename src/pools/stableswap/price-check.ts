import { changesAround } from "./changes.ts";
import { FEE_ONE } from "./fee.ts";
import { balanceFor, PRECISION } from "./invariant.ts";
import type { StableswapAt } from "./state-at.ts";

/**
 * Lista's check of a pool of two coins (checkPriceDiff of StableSwapPool.sol): an exchange reverts if it leaves a price too far
 * from an oracle's.
 */
export interface PriceCheck {
  /** The oracle's prices of both coins, 18 decimals. */
  readonly prices: readonly [bigint, bigint];
  /** How far the pool's price of each coin may be from the oracle's, in parts of 10^18 of that. */
  readonly thresholds: readonly [bigint, bigint];
  /** Base units of each coin whose sale, after the exchange, tells the pool's price of the other. */
  readonly probes: readonly [bigint, bigint];
  /** Whether the pool's prices are those after its fee, as in its first version. */
  readonly countsFee: boolean;
}

const BOTH = [0, 1] as const;
type Coin = (typeof BOTH)[number];

/** Whether a pool in this state passes its check, in the contract's own integers. A pool without a check passes. */
export function passesCheck(current: StableswapAt): boolean {
  const { rates, priceCheck } = current.state;
  if (priceCheck === undefined) return true;
  const { prices, thresholds, probes } = priceCheck;
  return BOTH.every((coin) => {
    const other = coin === 0 ? 1 : 0;
    const paid = paidForProbe(current, other);
    if (paid <= 0n) return false;
    const [sold, bought] = [probes[other] * digitsOf(rates[other]), paid * digitsOf(rates[coin])];
    const price = (sold * prices[other]) / bought;
    const off = price > prices[coin] ? price - prices[coin] : prices[coin] - price;
    return off * PRECISION <= prices[coin] * thresholds[coin];
  });
}

/** The most that is left after a probe of `sell`, in base units of the other coin (get_dy_without_fee, get_dy); 0 for none. */
function paidForProbe({ state, scaled, amplification, d }: StableswapAt, sell: Coin): bigint {
  const { fee, rates, priceCheck } = state;
  const buy = sell === 0 ? 1 : 0;
  const probe = priceCheck?.probes[sell] ?? 0n;
  const x = (scaled[sell] as bigint) + (probe * (rates[sell] as bigint)) / PRECISION;
  const y = balanceFor(scaled.with(sell, x), buy, d, amplification, state);
  const gross = y === undefined ? -1n : (scaled[buy] as bigint) - y - 1n;
  if (gross <= 0n) return 0n;
  const paid = (gross * PRECISION) / (rates[buy] as bigint);
  return priceCheck?.countsFee ? paid - (fee * paid) / FEE_ONE : paid;
}

/** What brings base units of a coin to 18 decimals. */
function digitsOf(rate: bigint | undefined): bigint {
  return (rate as bigint) / PRECISION;
}

/** Halvings of the range in which the largest sale is looked for: what is left is a billionth of it. */
const HALVINGS = 30;
/** Relative error of a price in floats. */
const ERROR = 1e-9;
/** Rounds of Newton's method for an invariant in floats, at most. */
const ROUNDS = 60;

/**
 * The largest sale, up to `most` of the scaled balance's units, that passes the check with a margin for floats and roundings;
 * zero where the pool's price is out of bounds already, also for a sale that would bring it back.
 */
export function mostWithinCheck({ state, scaled, amplification }: StableswapAt, sell: number, most: number): number {
  const { fee, adminFee, aPrecision, rates, priceCheck } = state;
  if (priceCheck === undefined) return most;
  const ann = (2 * Number(amplification)) / Number(aPrecision);
  const feePart = Number(fee) / Number(FEE_ONE);
  const kept = feePart * (1 - Number(adminFee) / Number(FEE_ONE));
  const prices = priceCheck.prices.map(Number);
  const probes = priceCheck.probes.map((probe, i) => (Number(probe) * Number(rates[i])) / 1e18);
  const rounding = ERROR + priceCheck.probes.reduce((sum, probe) => sum + 2 / Number(probe), 0);
  const bounds = priceCheck.thresholds.map((threshold) => Number(threshold) / 1e18 - rounding);
  const after = priceCheck.countsFee ? 1 - feePart : 1;
  const held = scaled.map(Number);
  const buy = 1 - sell;
  const change = new Float64Array(2);
  const before = changesAround(held, invariantNear(held, ann), ann);

  const passes = (net: number): boolean => {
    change[sell] = net;
    const paid = net === 0 ? 0 : -before.balance(change, buy, 0);
    const left = held.with(sell, (held[sell] as number) + net).with(buy, (held[buy] as number) - paid * (1 - kept));
    const around = changesAround(left, invariantNear(left, ann), ann);
    return BOTH.every((coin) => {
      const other = 1 - coin;
      const probe = probes[other] as number;
      change[other] = probe;
      const bought = -around.balance(change, coin, 0) * after;
      const price = (probe * (prices[other] as number)) / (bought * (prices[coin] as number));
      return Math.abs(price - 1) <= (bounds[coin] as number);
    });
  };
  if (!passes(0)) return 0;
  if (passes(most)) return most;
  let [low, high] = [0, most];
  for (let round = 0; round < HALVINGS; round++) {
    const middle = (low + high) / 2;
    if (passes(middle)) low = middle;
    else high = middle;
  }
  return low;
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
