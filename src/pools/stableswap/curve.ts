import { hullOf, turnOf } from "../float/hull.ts";
import { type PointAt, pointCurve } from "../float/point-curve.ts";
import type { Direction, PoolCurve } from "../pool-math.ts";
import { FEE_ONE, feeAlong } from "./fee.ts";
import { stableswapGas } from "./gas.ts";
import type { StableswapAt } from "./state-at.ts";

/** Error of a difference of balances, as a part of the pool's holdings. */
const ERROR = 4e-15;

/**
 * The float view of one direction. With the other balances fixed, y² + q y = c for q = x + S - D + D / Ann, S all others,
 * c = D^(n+1) / (n^n Ann times all balances but y): what is paid is worked out as a difference, so that small trades lose
 * no digits. A fee that depends on the distance from the peg makes the curve other than concave: its ceiling is the hull.
 */
export function stableswapCurve(
  { state, scaled, amplification, d }: StableswapAt,
  { sell, buy }: Direction,
  maxSell: number,
): PoolCurve {
  const n = scaled.length;
  const balances = scaled.map(Number);
  const [x0, y0] = [balances[sell] as number, balances[buy] as number];
  const D = Number(d);
  const ann = (Number(amplification) * n) / Number(state.aPrecision);
  let c0 = (D * D) / (ann * n);
  let others = 0;
  balances.forEach((balance, i) => {
    if (i === buy) return;
    c0 *= D / (balance * n);
    if (i !== sell) others += balance;
  });
  const q0 = x0 + others - D + D / ann;
  const r0 = Math.sqrt(q0 * q0 + 4 * c0);
  const sellScale = Number(state.rates[sell]) / 1e18;
  const buyScale = Number(state.rates[buy]) / 1e18;
  const fee = Number(state.fee) / Number(FEE_ONE);
  const multiplier = Number(state.offpegFeeMultiplier ?? 0n) / Number(FEE_ONE);

  const at = (net: number) => {
    const x = x0 + net;
    const q = q0 + net;
    const c = (c0 * x0) / x;
    const r = Math.sqrt(q * q + 4 * c);
    const paid = (net / 2) * (1 + ((4 * c0) / x - (q0 + q)) / (r0 + r));
    const y = q > 0 ? (2 * c) / (r + q) : (r - q) / 2;
    return { paid, rate: (y + c / x) / r };
  };
  const scale = sellScale / buyScale;
  const afterFee = (sellAmount: number) => {
    const net = sellAmount * sellScale;
    const { paid, rate } = at(net);
    const means = { u: x0 + net / 2, v: y0 - paid / 2, du: 0.5, dv: -rate / 2 };
    const { part, growth } = feeAlong(fee, multiplier, means);
    return {
      paid: Math.max(0, (paid * (1 - part)) / buyScale),
      rate: (rate * (1 - part) - paid * growth) * scale,
      gross: paid / buyScale,
      grossRate: rate * scale,
      keep: 1 - part,
      growth,
    };
  };
  const gas = Number(stableswapGas(state));
  const pointAt: PointAt = (sellAmount, point) => {
    const { paid, rate } = afterFee(sellAmount);
    point[0] = paid;
    point[1] = rate;
  };
  const curve = pointCurve({ at: pointAt, maxSell, gas, concave: multiplier <= 1 });
  if (curve.concave) return curve;
  let ceiling: PoolCurve | undefined;
  return {
    ...curve,
    get ceiling() {
      ceiling ??= hullOf({
        ...{ at: afterFee, maxSell, gas, error: (ERROR * y0) / buyScale },
        turn: turnOf((sellAmount) => afterFee(sellAmount).growth < 0, maxSell),
      });
      return ceiling;
    },
  };
}
