import { MAX_UINT112 } from "../../math/full-math.ts";
import type { PoolCurve } from "../pool-math.ts";
import { CONSTANT_PRODUCT_GAS } from "./gas.ts";
import type { ConstantProductState } from "./state.ts";

/** The float view of one direction; undefined when nothing can be sold. */
export function constantProductCurve(
  state: ConstantProductState,
  soldReserve: bigint,
  boughtReserve: bigint,
): PoolCurve | undefined {
  const maxSell = Number(MAX_UINT112 - soldReserve);
  if (soldReserve === 0n || boughtReserve === 0n || maxSell === 0) return undefined;
  const sold = Number(soldReserve);
  const bought = Number(boughtReserve);
  const keep = Number(state.feeDen - state.feeNum) / Number(state.feeDen);
  const clamp = (amount: number) => Math.min(maxSell, Math.max(0, amount));
  return {
    marginalRate(sellAmount) {
      const after = sold + keep * clamp(sellAmount);
      return (keep * bought * sold) / (after * after);
    },
    buyAmountFor(sellAmount) {
      const net = keep * clamp(sellAmount);
      return (bought * net) / (sold + net);
    },
    sellAmountAtRate: (rate) => (rate <= 0 ? maxSell : clamp((Math.sqrt((keep * bought * sold) / rate) - sold) / keep)),
    maxSell,
    gas: Number(CONSTANT_PRODUCT_GAS),
    concave: true,
  };
}
