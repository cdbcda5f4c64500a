import { pointCurve } from "../float/point-curve.ts";
import type { Direction, PoolCurve } from "../pool-math.ts";
import { changesAround } from "../stableswap/changes.ts";
import { composableStableGas } from "./gas.ts";
import { A_PRECISION } from "./invariant.ts";
import { type ComposableStableAt, indexWithoutShare } from "./state-at.ts";
import { supplyBefore } from "./supply.ts";

/** The float view of one token against the pool's share: the invariant grows and falls with one balance alone. */
export function shareCurve(
  current: ComposableStableAt,
  { sell, buy }: Direction,
  maxSell: number,
): PoolCurve | undefined {
  const { state, factors, scaled, amplification } = current;
  const supply = supplyBefore(current);
  if (supply === undefined) return undefined;
  const joins = buy === state.share;
  const token = indexWithoutShare(state, joins ? sell : buy);
  const count = scaled.length;
  const balances = scaled.map(Number);
  const D = Number(current.d);
  const around = changesAround(balances, D, (Number(amplification) * count) / Number(A_PRECISION));
  const sum = balances.reduce((a, b) => a + b, 0);
  const keep = 1 - (Number(state.swapFee) / 1e18) * (1 - (balances[token] as number) / sum);
  const perShare = D / Number(supply.shares);
  const scale = Number(factors[joins ? sell : buy]) / 1e18;
  const changes = new Float64Array(count);
  const slopes = new Float64Array(count);
  const curve = pointCurve({
    at(sellAmount, point) {
      if (joins) {
        changes[token] = sellAmount * scale * keep;
        const grown = around.invariant(changes);
        around.slopes(changes, grown, slopes);
        point[0] = grown / perShare;
        point[1] = ((slopes[token] as number) * scale * keep) / perShare;
      } else {
        const fallen = -sellAmount * perShare;
        const change = around.balance(changes, token, fallen);
        changes[token] = change;
        around.slopes(changes, fallen, slopes);
        point[0] = (-change * keep) / scale;
        point[1] = (perShare * keep) / ((slopes[token] as number) * scale);
      }
    },
    maxSell,
    gas: Number(composableStableGas(count, true, false)),
    concave: true,
  });
  return { ...curve, gasToBuy: Number(composableStableGas(count, true, true)) };
}
