import type { Direction, PoolCurve } from "../pool-math.ts";
import { composableStableGas } from "./gas.ts";
import { A_PRECISION } from "./invariant.ts";
import { indexWithoutShare, type Moment } from "./moment.ts";
import { supplyBefore } from "./supply.ts";

/** Rounds of Newton's method and halvings of the search for a rate: enough for the last digit of a double. */
const ROUNDS = 60;
const HALVINGS = 80;
const CLOSE = 1e-16;

/**
 * The float view of one token against the pool's share. Between a change dx of the token's balance x and the change dD of
 * the invariant D stands Ann (dx - dD) + dD = G (exp((n + 1) ln(1 + dD / D) - ln(1 + dx / x)) - 1) with
 * G = D^(n+1) / (n^n times the product of all balances): worked with changes, so that small trades lose no digits.
 */
export function shareCurve(moment: Moment, { sell, buy }: Direction, maxSell: number): PoolCurve | undefined {
  const { state, factors, scaled, amplification } = moment;
  const supply = supplyBefore(moment);
  if (supply === undefined) return undefined;
  const joins = buy === state.share;
  const count = scaled.length;
  const balances = scaled.map(Number);
  const x = balances[indexWithoutShare(state, joins ? sell : buy)] as number;
  const D = Number(moment.d);
  const ann = (Number(amplification) * count) / Number(A_PRECISION);
  const G = balances.reduce((product, balance) => (product * D) / (balance * count), D);
  const sum = balances.reduce((a, b) => a + b, 0);
  const keep = 1 - (Number(state.swapFee) / 1e18) * (1 - x / sum);
  const perShare = D / Number(supply.shares);
  const scale = Number(factors[joins ? sell : buy]) / 1e18;

  /** How much dD grows with dx. */
  const slope = (dx: number, dD: number) => {
    const grown = G * Math.exp((count + 1) * Math.log1p(dD / D) - Math.log1p(dx / x));
    return (ann + grown / (x + dx)) / (ann - 1 + ((count + 1) * grown) / (D + dD));
  };
  const off = (dx: number, dD: number) =>
    ann * (dx - dD) + dD - G * Math.expm1((count + 1) * Math.log1p(dD / D) - Math.log1p(dx / x));
  /** The change of one for that of the other. */
  const invariantFor = (dx: number) => {
    let dD = dx * slope(0, 0);
    for (let round = 0; round < ROUNDS; round++) {
      const grown = G * Math.exp((count + 1) * Math.log1p(dD / D) - Math.log1p(dx / x));
      const step = off(dx, dD) / (ann - 1 + ((count + 1) * grown) / (D + dD));
      dD += step;
      if (Math.abs(step) <= CLOSE * Math.abs(dD)) break;
    }
    return dD;
  };
  const balanceFor = (dD: number) => {
    let dx = Math.max(dD / slope(0, 0), -x * 0.9);
    for (let round = 0; round < ROUNDS; round++) {
      const grown = G * Math.exp((count + 1) * Math.log1p(dD / D) - Math.log1p(dx / x));
      const next = dx - off(dx, dD) / (ann + grown / (x + dx));
      // Newton's method may overstep: never to where nothing is left.
      const step = (next <= -x ? (dx - x) / 2 : next) - dx;
      dx += step;
      if (Math.abs(step) <= CLOSE * Math.abs(dx)) break;
    }
    return dx;
  };

  const clamp = (amount: number) => Math.min(maxSell, Math.max(0, amount));
  const marginalRate = (sellAmount: number) => {
    if (joins) {
      const dx = clamp(sellAmount) * scale * keep;
      return (slope(dx, invariantFor(dx)) * scale * keep) / perShare;
    }
    const dD = -clamp(sellAmount) * perShare;
    return (perShare * keep) / (slope(balanceFor(dD), dD) * scale);
  };
  return {
    marginalRate,
    buyAmountFor: (sellAmount) =>
      joins
        ? invariantFor(clamp(sellAmount) * scale * keep) / perShare
        : (-balanceFor(-clamp(sellAmount) * perShare) * keep) / scale,
    sellAmountAtRate(rate) {
      if (rate <= 0) return maxSell;
      if (marginalRate(0) <= rate) return 0;
      if (marginalRate(maxSell) >= rate) return maxSell;
      let low = 0;
      let high = maxSell;
      for (let i = 0; i < HALVINGS && high - low > 1e-15 * high; i++) {
        const middle = (low + high) / 2;
        if (marginalRate(middle) > rate) low = middle;
        else high = middle;
      }
      return (low + high) / 2;
    },
    maxSell,
    gas: Number(composableStableGas(count, true, false)),
    concave: true,
  };
}
