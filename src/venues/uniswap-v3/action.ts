import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { VENUE } from "../../settlement/venue-codes.ts";

/** A concentrated-liquidity pool that asks for its payment in a callback, which each brand names in its own way. */
export interface CallbackPoolAction<N extends string> {
  readonly action: N;
  readonly pool: Address;
}

/** A pool with `uniswapV3SwapCallback`; Slipstream's are such too. */
export type V3PoolAction = CallbackPoolAction<"v3-pool">;

/** The encoder of one brand's pools, which their address says all of. */
export function callbackPoolEncoder<N extends string>(code: number, action: N): ActionEncoder<CallbackPoolAction<N>> {
  return { code, actions: [action], delivery: "transfer", encode: ({ pool }) => ({ pool, detail: 0 }) };
}

export const v3PoolEncoder = callbackPoolEncoder(VENUE.V3_POOL, "v3-pool");
