import { type PointAt, pointCurve } from "../float/point-curve.ts";
import type { Direction, PoolCurve } from "../pool-math.ts";
import { changesAround } from "./changes.ts";
import { FEE_ONE, feeAlong } from "./fee.ts";
import { stableswapShareGas } from "./gas.ts";
import type { StableswapAt } from "./state-at.ts";

/** Room of a ceiling for the float errors of the curve itself. */
const WIDER = 1 + 2e-9;

/**
 * The float view of one coin against the pool's share. A fee that depends on the distance from the peg makes the curve
 * other than concave: its ceiling is the same curve with the fee that is taken at the peg, which is the least.
 */
export function shareCurve(
  current: StableswapAt,
  supply: number,
  { sell, buy }: Direction,
  maxSell: number,
): PoolCurve {
  const { state, scaled } = current;
  const buysShare = buy === scaled.length;
  const coin = buysShare ? sell : buy;
  const multiplier = Number(state.offpegFeeMultiplier ?? 0n) / Number(FEE_ONE);
  const pointOf = buysShare ? additions(current, supply, coin) : removals(current, supply, coin);
  const coinScale = Number(state.rates[coin]) / 1e18;
  const [scaleIn, scaleOut] = buysShare ? [coinScale, 1] : [1, coinScale];
  const gas = Number(stableswapShareGas(scaled.length, buysShare ? "add" : "remove"));
  const curveWith = (growth: number, widening: number): PoolCurve => {
    const perPaid = widening / scaleOut;
    const at: PointAt = (sellAmount, point) => {
      pointOf(sellAmount * scaleIn, growth, point);
      point[0] = Math.max(0, (point[0] as number) * perPaid);
      point[1] = (point[1] as number) * scaleIn * perPaid;
    };
    return pointCurve({ at, maxSell, gas, concave: growth <= 1 });
  };
  const curve = curveWith(multiplier, 1);
  return curve.concave ? curve : { ...curve, ceiling: curveWith(1, WIDER) };
}

/** Writes what is paid for so much and what one more would bring, in 18 decimals, with a fee that grows so many times. */
type ScaledPointAt = (sold: number, multiplier: number, point: Float64Array) => void;

function termsOf({ state, scaled, amplification, d }: StableswapAt) {
  const count = scaled.length;
  const balances = scaled.map(Number);
  const D = Number(d);
  const ann = (Number(amplification) * count) / Number(state.aPrecision);
  const base = ((Number(state.fee) / Number(FEE_ONE)) * count) / (4 * (count - 1));
  const [changes, slopes, growths] = [0, 0, 0].map(() => new Float64Array(count)) as [
    ...[Float64Array, Float64Array, Float64Array],
  ];
  return { count, balances, D, base, around: changesAround(balances, D, ann), changes, slopes, growths };
}

/** Shares for so much of a coin: the fee is taken of what each balance is off its part of the grown invariant. */
function additions(current: StableswapAt, supply: number, coin: number): ScaledPointAt {
  const { count, balances, D, base, around, changes, slopes, growths } = termsOf(current);
  return (sold, multiplier, point) => {
    changes.fill(0);
    changes[coin] = sold;
    const grown = around.invariant(changes);
    around.slopes(changes, grown, slopes);
    const slope = slopes[coin] as number;
    let guess = grown;
    for (let i = 0; i < count; i++) {
      const balance = balances[i] as number;
      const own = i === coin ? 1 : 0;
      const off = Math.abs(own * sold - (grown / D) * balance);
      const offGrowth = Math.abs(own - (slope / D) * balance);
      const means = { u: 2 * balance + own * sold, v: (2 * D + grown) / count, du: own, dv: slope / count };
      const { part, growth } = feeAlong(base, multiplier, means);
      growths[i] = own - part * offGrowth - growth * off;
      changes[i] = own * sold - part * off;
      guess -= part * off * (slopes[i] as number);
    }
    const kept = around.invariant(changes, guess);
    around.slopes(changes, kept, slopes);
    let rate = 0;
    for (let i = 0; i < count; i++) rate += (slopes[i] as number) * (growths[i] as number);
    point[0] = (kept / D) * supply;
    point[1] = (rate / D) * supply;
  };
}

/** A coin for so many shares: the fee is taken of what each balance loses beyond its part, as if all were paid out. */
function removals(current: StableswapAt, supply: number, coin: number): ScaledPointAt {
  const { count, balances, D, base, around, changes, slopes, growths } = termsOf(current);
  return (sold, multiplier, point) => {
    const part = sold / supply;
    const fallen = -part * D;
    const perShare = -D / supply;
    changes.fill(0);
    const untaxed = around.balance(changes, coin, fallen);
    changes[coin] = untaxed;
    around.slopes(changes, fallen, slopes);
    const untaxedGrowth = perShare / (slopes[coin] as number);
    for (let i = 0; i < count; i++) {
      const balance = balances[i] as number;
      const own = i === coin ? 1 : 0;
      const off = own === 1 ? -untaxed - part * balance : part * balance;
      const offGrowth = own === 1 ? -untaxedGrowth - balance / supply : balance / supply;
      const means = {
        ...{ u: balance + (own * untaxed) / 2, du: (own * untaxedGrowth) / 2 },
        ...{ v: (2 * D + fallen) / (2 * count), dv: perShare / (2 * count) },
      };
      const fee = feeAlong(base, multiplier, means);
      growths[i] = fee.part * offGrowth + fee.growth * off;
      changes[i] = -fee.part * off;
    }
    const taken = -(changes[coin] as number);
    const change = around.balance(changes, coin, fallen);
    changes[coin] = change;
    around.slopes(changes, fallen, slopes);
    let byOthers = 0;
    for (let i = 0; i < count; i++) if (i !== coin) byOthers += (slopes[i] as number) * (growths[i] as number);
    const changeGrowth = (perShare + byOthers) / (slopes[coin] as number);
    point[0] = -change - taken;
    point[1] = -changeGrowth - (growths[coin] as number);
  };
}
