import { amountAtRate } from "../amount-at-rate.ts";
import type { Direction, PoolCurve } from "../pool-math.ts";
import { changesAround } from "./changes.ts";
import { FEE_ONE, feeAlong } from "./fee.ts";
import { stableswapShareGas } from "./gas.ts";
import type { Moment } from "./moment.ts";

/** Room of a ceiling for the float errors of the curve itself. */
const WIDER = 1 + 2e-9;

/** What a trade pays and what one more would, in 18 decimals. */
interface Point {
  readonly paid: number;
  readonly rate: number;
}

/**
 * The float view of one coin against the pool's share. A fee that depends on the distance from the peg makes the curve
 * other than concave: its ceiling is the same curve with the fee that is taken at the peg, which is the least.
 */
export function shareCurve(moment: Moment, supply: number, { sell, buy }: Direction, maxSell: number): PoolCurve {
  const { state } = moment;
  const buysShare = buy === moment.scaled.length;
  const coin = buysShare ? sell : buy;
  const multiplier = Number(state.offpegFeeMultiplier ?? 0n) / Number(FEE_ONE);
  const pointOf = buysShare ? additions(moment, supply, coin) : removals(moment, supply, coin);
  const coinScale = Number(state.rates[coin]) / 1e18;
  const [scaleIn, scaleOut] = buysShare ? [coinScale, 1] : [1, coinScale];
  const clamp = (amount: number) => Math.min(maxSell, Math.max(0, amount));
  const curveWith = (growth: number, widening: number): PoolCurve => {
    const at = (sellAmount: number) => pointOf(clamp(sellAmount) * scaleIn, growth);
    const marginalRate = (sellAmount: number) => at(sellAmount).rate * (scaleIn / scaleOut) * widening;
    return {
      marginalRate,
      buyAmountFor: (sellAmount) => Math.max(0, at(sellAmount).paid / scaleOut) * widening,
      sellAmountAtRate: (rate) => amountAtRate(marginalRate, rate, maxSell),
      maxSell,
      gas: Number(stableswapShareGas(moment.scaled.length, buysShare ? "add" : "remove")),
      concave: growth <= 1,
    };
  };
  const curve = curveWith(multiplier, 1);
  return curve.concave ? curve : { ...curve, ceiling: curveWith(1, WIDER) };
}

function termsOf({ state, scaled, amplification, d }: Moment) {
  const count = scaled.length;
  const balances = scaled.map(Number);
  const D = Number(d);
  const ann = (Number(amplification) * count) / Number(state.aPrecision);
  const base = ((Number(state.fee) / Number(FEE_ONE)) * count) / (4 * (count - 1));
  return { count, balances, D, base, none: balances.map(() => 0), around: changesAround(balances, D, ann) };
}

/** Shares for so much of a coin: the fee is taken of what each balance is off its part of the grown invariant. */
function additions(moment: Moment, supply: number, coin: number) {
  const { count, balances, D, base, none, around } = termsOf(moment);
  return (sold: number, multiplier: number): Point => {
    const added = none.with(coin, sold);
    const grown = around.invariant(added);
    const slope = around.slopes(added, grown)[coin] as number;
    const growths: number[] = [];
    const taxed = balances.map((balance, i) => {
      const own = i === coin ? 1 : 0;
      const off = Math.abs(own * sold - (grown / D) * balance);
      const offGrowth = Math.abs(own - (slope / D) * balance);
      const means = { u: 2 * balance + own * sold, v: (2 * D + grown) / count, du: own, dv: slope / count };
      const { part, growth } = feeAlong(base, multiplier, means);
      growths.push(own - part * offGrowth - growth * off);
      return own * sold - part * off;
    });
    const kept = around.invariant(taxed);
    const rate = around.slopes(taxed, kept).reduce((sum, each, i) => sum + each * (growths[i] as number), 0);
    return { paid: (kept / D) * supply, rate: (rate / D) * supply };
  };
}

/** A coin for so many shares: the fee is taken of what each balance loses beyond its part, as if all were paid out. */
function removals(moment: Moment, supply: number, coin: number) {
  const { count, balances, D, base, none, around } = termsOf(moment);
  return (sold: number, multiplier: number): Point => {
    const part = sold / supply;
    const fallen = -part * D;
    const perShare = -D / supply;
    const untaxed = around.balance(none, coin, fallen);
    const untaxedGrowth = perShare / (around.slopes(none.with(coin, untaxed), fallen)[coin] as number);
    const growths: number[] = [];
    const taken = balances.map((balance, i) => {
      const own = i === coin ? 1 : 0;
      const off = own === 1 ? -untaxed - part * balance : part * balance;
      const offGrowth = own === 1 ? -untaxedGrowth - balance / supply : balance / supply;
      const means = {
        ...{ u: balance + (own * untaxed) / 2, du: (own * untaxedGrowth) / 2 },
        ...{ v: (2 * D + fallen) / (2 * count), dv: perShare / (2 * count) },
      };
      const fee = feeAlong(base, multiplier, means);
      growths.push(fee.part * offGrowth + fee.growth * off);
      return fee.part * off;
    });
    const others = taken.map((fee) => -fee);
    const change = around.balance(others, coin, fallen);
    const slopes = around.slopes(others.with(coin, change), fallen);
    const byOthers = slopes.reduce((sum, each, i) => (i === coin ? sum : sum + each * (growths[i] as number)), 0);
    const changeGrowth = (perShare + byOthers) / (slopes[coin] as number);
    return {
      paid: -change - (taken[coin] as number),
      rate: -changeGrowth - (growths[coin] as number),
    };
  };
}
