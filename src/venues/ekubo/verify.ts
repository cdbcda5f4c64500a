import { keccak256 } from "viem";
import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { NATIVE, same } from "../../settlement/expectation.ts";
import { restOf } from "../../settlement/venue-check.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";
import type { EkuboAction } from "./action.ts";

/** The rest of a pool's key: with the fill's tokens it has to hash to the pool's id. */
export const ekuboVerifier: ActionVerifier<EkuboAction> = {
  code: VENUE.EKUBO_POOL,
  delivery: "own",
  actionBy: () => "ekubo-pool",
  admits: () => true,
  verify(check) {
    const { payload, fill, given, action, where } = check;
    const config = (BigInt(payload.hex(29)) << 24n) | given.detail;
    restOf(check, MORE_BYTES.EKUBO_POOL);
    const tokens = [fill.sellToken, fill.buyToken].map((token) => (token === NATIVE ? 0n : BigInt(token)));
    const [low, high] = tokens.sort((a, b) => (a < b ? -1 : 1)) as [bigint, bigint];
    const key = `0x${[low, high, config].map((word) => word.toString(16).padStart(64, "0")).join("")}` as const;
    same(`${where} pool of this key`, keccak256(key), fill.poolId);
    if (action === undefined) return;
    same(`${where} core`, given.pool, action.core);
    same(`${where} config`, config, action.config);
  },
};
