import { makerPairId } from "../domain/maker-order.ts";
import type { SourceId } from "../domain/source.ts";
import type { Pool } from "../pools/pool.ts";
import type { SignedOrderState } from "../pools/signed-order/state.ts";
import type { FirmOrderRequest } from "../quoting/maker-ports.ts";

/** A firm order as a pool that nothing was taken of. */
export function orderPool(
  source: SourceId,
  level: FirmOrderRequest["level"],
  state: Omit<SignedOrderState, "spot" | "filled">,
): Pool {
  const { takerToken, makerToken, takerAmount, makerAmount } = state.order;
  const own = { num: makerAmount, den: takerAmount };
  const better = level !== undefined && level.spot.num * own.den > own.num * level.spot.den;
  return {
    id: makerPairId(source, takerToken, makerToken),
    source,
    tokens: [takerToken, makerToken],
    curve: "signed-order",
    state: { ...state, spot: better ? level.spot : own, filled: false },
  };
}
