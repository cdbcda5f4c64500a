import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { VENUE } from "../../settlement/venue-codes.ts";

/** A pool of Maverick V2, paid before its `swap`, which comes to one tick at the furthest. */
export interface MaverickAction {
  readonly action: "maverick-pool";
  readonly pool: Address;
  readonly tokenA: Address;
  readonly tickLimit: number;
}

/** Detail of a fill that sells token A. */
const SELLS_A = 1n << 23n;
const LOWEST_TICK = -(1 << 22);

export const maverickEncoder: ActionEncoder<MaverickAction> = {
  code: VENUE.MAVERICK_POOL,
  actions: ["maverick-pool"],
  delivery: "own",
  encode: ({ pool, tokenA, tickLimit }, { sellToken }) => ({
    pool,
    detail: Number((sellToken === tokenA ? SELLS_A : 0n) + BigInt(tickLimit - LOWEST_TICK)),
  }),
};
