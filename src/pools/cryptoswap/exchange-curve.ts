import type { Direction } from "../pool-math.ts";
import type { CryptoswapAt } from "./state-at.ts";

const MAX_ROUNDS = 200;
/** A step that is so small a part of the whole was the last one: it squares what is left. */
const CLOSE = 1e-9;
/** Parts of what is held are not told better. */
const LEAST = 1e-15;
/** In parts of gamma, over which the rate changes. */
const LITTLE = 1e-3;

/** Exchange before the fee, in scaled units: payment, marginal rate, and balances after. */
export interface Exchange {
  readonly paid: number;
  readonly rate: number;
  readonly x: number;
  readonly y: number;
}

/**
 * Exchanges in floats, before the fee. Over D^(N-1) K the invariant says M (S / D - 1) = 1 - K0 with the pull
 * M = A gamma² K0 / (gamma + 1 - K0)²; what is paid is solved for by differences from where the pool stands, so that small
 * trades lose no digits, and 1 - K0 is carried rather than K0.
 */
export function exchangeCurve(
  { scaled, amplification, d }: Pick<CryptoswapAt, "scaled" | "amplification" | "d">,
  { sell, buy }: Direction,
): (net: number) => Exchange {
  const x0 = Number(scaled[sell]);
  const y0 = Number(scaled[buy]);
  const D = Number(d);
  const gamma = Number(amplification.gamma) / 1e18;
  const strength = (Number(amplification.ann) / 1e4) * gamma * gamma;
  const count = BigInt(scaled.length);
  const product = scaled.reduce((all, x) => all * x * count, 1n);
  /** 1 - K0 and S / D - 1 at the start, from integers: both are small differences. */
  const away0 = Number(((d ** count - product) * 10n ** 30n) / d ** count) / 1e30;
  const over0 = Number(((scaled.reduce((a, b) => a + b, 0n) - d) * 10n ** 30n) / d) / 1e30;
  const k0 = 1 - away0;
  const pull = (away: number) => (strength * (1 - away)) / (gamma + away) ** 2;
  const start = pull(away0) * over0 - away0;

  /** Amount out when `net` comes in, as a part of the bought token's balance. */
  const partPaid = (net: number): number => {
    const u = net / x0;
    // K0 is never above one, and the pull has a pole a little beyond.
    let [low, high] = [Math.max(0, (u - (away0 + gamma / 1e3) / k0) / (1 + u)), 1];
    let v = Math.min(0.5, Math.max(low, u));
    const awayGrowth = k0 * (1 + u);
    const overGrowth = y0 / D;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const away = away0 - k0 * (u - v - u * v);
      const over = over0 + (net - v * y0) / D;
      const wide = gamma + away;
      // Multiplied by the pull's denominator it is a cubic: a small step is near a root, which beside a pole it would not be.
      const rest = strength * (1 - away) * over - (away + start) * wide * wide;
      const fall =
        strength * (awayGrowth * over + (1 - away) * overGrowth) + awayGrowth * wide * (wide + 2 * (away + start));
      if (rest > 0) low = v;
      else high = v;
      const next = v + rest / fall;
      if (Math.abs(next - v) <= CLOSE * v + LEAST) return next;
      v = next > low && next < high ? next : (low + high) / 2;
    }
    return v;
  };

  /** The marginal rate, scaled and before the fee, once `net` came in for `paid`. */
  const rateAt = (net: number, paid: number): number => {
    const [u, v] = [net / x0, paid / y0];
    const away = away0 - k0 * (u - v - u * v);
    const slack = gamma * gamma + 4 * gamma * away + (3 - 2 * gamma) * away ** 2 - 2 * away ** 3;
    const weight = (balance: number) => (slack + (strength * (1 - away) * balance) / D) / balance;
    return weight(x0 + net) / weight(y0 - paid);
  };
  const firstRate = rateAt(0, 0);
  /** Up to here the rate hardly changes: one step along it loses less than a root among near numbers. */
  const little = (gamma * LITTLE) / Math.max(1 / x0, firstRate / y0);

  return (net) => {
    const paid = net > little ? partPaid(net) * y0 : alongRate(rateAt, firstRate, net);
    return { paid, rate: rateAt(net, paid), x: x0 + net, y: y0 - paid };
  };
}

/** One step of Runge and Kutta's method along a rate. */
function alongRate(rateAt: (net: number, paid: number) => number, first: number, net: number): number {
  const second = rateAt(net / 2, (first * net) / 2);
  const third = rateAt(net / 2, (second * net) / 2);
  const last = rateAt(net, third * net);
  return (net * (first + 2 * second + 2 * third + last)) / 6;
}
