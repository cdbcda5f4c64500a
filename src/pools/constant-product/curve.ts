import { MAX_UINT112 } from "../../math/full-math.ts";
import { hyperbolaCurve } from "../float/hyperbola-curve.ts";
import { type CurveOutline, NARROW, type PoolCurve, TRUSTED_DEPTHS } from "../pool-math.ts";
import { CONSTANT_PRODUCT_GAS } from "./gas.ts";
import type { ConstantProductState } from "./state.ts";

const MAX_HELD = Number(MAX_UINT112);
const GAS = Number(CONSTANT_PRODUCT_GAS);
/** Base units that a pool keeps of a token, whatever is sold to it: one that has no more pays nothing. */
const KEPT = 1n;
const WIDTH_OF_DEPTH = 1 / Math.sqrt(NARROW) - 1;

/** The curve's outline where it is far from its limit; undefined near it, and when nothing can be sold. */
export function constantProductOutline(
  state: ConstantProductState,
  soldReserve: bigint,
  boughtReserve: bigint,
): CurveOutline | undefined {
  const sold = Number(soldReserve);
  const bought = Number(boughtReserve);
  const keep = Number(state.feeDen - state.feeNum) / Number(state.feeDen);
  const depth = sold / keep;
  if (!(sold > 0 && bought > KEPT && keep > 0) || depth * TRUSTED_DEPTHS > MAX_HELD - sold) return undefined;
  return { spot: (keep * bought) / sold, depth, deepest: depth, width: depth * WIDTH_OF_DEPTH, gas: GAS };
}

/** The float view of one direction; undefined when nothing can be sold. */
export function constantProductCurve(
  state: ConstantProductState,
  soldReserve: bigint,
  boughtReserve: bigint,
): PoolCurve | undefined {
  const maxSell = Number(MAX_UINT112 - soldReserve);
  if (soldReserve === 0n || boughtReserve <= KEPT || maxSell === 0) return undefined;
  const keep = Number(state.feeDen - state.feeNum) / Number(state.feeDen);
  return hyperbolaCurve({ sold: Number(soldReserve), bought: Number(boughtReserve), keep, maxSell }, GAS);
}
