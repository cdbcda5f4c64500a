import { complement, divUp, mulDown, ONE } from "../../math/fixed-point.ts";
import { MAX_UINT112 } from "../../math/full-math.ts";
import { MAX_TIMES_ALL } from "../float/most-asked.ts";
import { mathAtTime } from "../math-at-time.ts";
import type { Direction, PoolMath } from "../pool-math.ts";
import { composableStableCurve } from "./curve.ts";
import { stableInvariant } from "./invariant.ts";
import { shareCurve } from "./share-curve.ts";
import { spotOf } from "./spot.ts";
import type { ComposableStableState } from "./state.ts";
import { type ComposableStableAt, indexWithoutShare, stateAt } from "./state-at.ts";
import { supplyBefore } from "./supply.ts";
import { boughtExactly, soldExactly } from "./swap.ts";

/** Shares are not sold for more than what leaves this part of the bought token. */
const MIN_LEFT = 20n;

/**
 * Balancer's composable stable pools in its V2 vault, as `onSwap` of ComposableStablePool computes them, its own share
 * bought and sold by swap too: then the protocol is given what it is owed before and after. Amplification moves with time,
 * and so do the tokens' values where the pool's memory of them runs out. Exact-in and exact-out round on their own.
 */
export const composableStableMath: PoolMath<ComposableStableState> = mathAtTime({
  tokenCount: ({ balances }) => balances.length,
  stateAt,
  maxSell,
  soldExactly,
  boughtExactly,
  spotOf,
  curveOf: (current, direction, most) =>
    ofShare(current.state, direction)
      ? shareCurve(current, direction, most)
      : composableStableCurve(current, direction, most),
});

function ofShare({ share }: ComposableStableState, { sell, buy }: Direction): boolean {
  return sell === share || buy === share;
}

/** Base units of the sold token: what makes sense to sell, or what of it the vault can count where that is less. */
function maxSell(current: ComposableStableAt, direction: Direction): bigint {
  const room = MAX_UINT112 - (current.state.balances[direction.sell] as bigint);
  const most = mostWorthwhile(current, direction);
  return most < room ? most : room > 0n ? room : 0n;
}

/** An exact-in swap that large moves the price out of all sense, and is not worth its risk. */
function mostWorthwhile(current: ComposableStableAt, { sell, buy }: Direction): bigint {
  const { state, scaled, factors, amplification, d } = current;
  if (sell !== state.share) {
    const most = MAX_TIMES_ALL * scaled.reduce((a, b) => a + b, 0n);
    return ((most - (scaled[indexWithoutShare(state, sell)] as bigint)) * ONE) / (factors[sell] as bigint);
  }
  const out = indexWithoutShare(state, buy);
  const supply = supplyBefore(current);
  const left = stableInvariant(
    scaled.map((balance, i) => (i === out ? balance / MIN_LEFT : balance)),
    amplification,
  );
  return supply === undefined || left === undefined ? 0n : mulDown(supply.shares, complement(divUp(left, d)));
}
