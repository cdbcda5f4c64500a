import { MAX_UINT112 } from "../../math/full-math.ts";
import { hyperbolaCurve } from "../hyperbola-curve.ts";
import type { Hyperbola, PoolCurve } from "../pool-math.ts";
import { CONSTANT_PRODUCT_GAS } from "./gas.ts";
import type { ConstantProductState } from "./state.ts";

const MOST_HELD = Number(MAX_UINT112);
const GAS = Number(CONSTANT_PRODUCT_GAS);
/** Part of what a pool can still take that must be deep enough for the limit not to be met by usual trades. */
const ROOMY = 512;

/** What the curve is where it is far from its limit; undefined near it, and when nothing can be sold. */
export function constantProductHyperbola(
  state: ConstantProductState,
  soldReserve: bigint,
  boughtReserve: bigint,
): Hyperbola | undefined {
  const sold = Number(soldReserve);
  const bought = Number(boughtReserve);
  const keep = Number(state.feeDen - state.feeNum) / Number(state.feeDen);
  const depth = sold / keep;
  if (!(sold > 0 && bought > 0 && keep > 0) || depth * ROOMY > MOST_HELD - sold) return undefined;
  return { spot: (keep * bought) / sold, depth, gas: GAS };
}

/** The float view of one direction; undefined when nothing can be sold. */
export function constantProductCurve(
  state: ConstantProductState,
  soldReserve: bigint,
  boughtReserve: bigint,
): PoolCurve | undefined {
  const maxSell = Number(MAX_UINT112 - soldReserve);
  if (soldReserve === 0n || boughtReserve === 0n || maxSell === 0) return undefined;
  const keep = Number(state.feeDen - state.feeNum) / Number(state.feeDen);
  return hyperbolaCurve({ sold: Number(soldReserve), bought: Number(boughtReserve), keep, maxSell }, GAS);
}
