import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { VENUE } from "../../settlement/venue-codes.ts";
import type { MaverickAction } from "./action.ts";

/** Bits of a fill's detail below its highest, which hold the last tick, 2^22 added to it. */
const TICK_BITS = 23n;

export const maverickVerifier: ActionVerifier<MaverickAction> = {
  code: VENUE.MAVERICK_POOL,
  delivery: "own",
  actionBy: () => "maverick-pool",
  admits: (detail) => detail >> TICK_BITS <= 1n,
  verify({ fill, given, action, where }) {
    same(`${where} pool`, given.pool, action?.pool ?? fill.poolId);
    if (action === undefined) return;
    same(`${where} sells A`, given.detail >> TICK_BITS, fill.sellToken === action.tokenA ? 1n : 0n);
    same(`${where} A`, [fill.sellToken, fill.buyToken].includes(action.tokenA), true);
    const tick = BigInt.asUintN(Number(TICK_BITS), given.detail) - (1n << (TICK_BITS - 1n));
    same(`${where} last tick`, tick, BigInt(action.tickLimit));
  },
};
