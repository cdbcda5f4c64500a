import { keccak256 } from "viem";
import type { VenueAction } from "../../domain/venue-action.ts";
import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { NATIVE, same } from "../../settlement/expectation.ts";
import { restOf, type VenueCheck } from "../../settlement/venue-check.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";
import type { InfinityClAction } from "./action.ts";

/** The rest of a pool's key: with the PoolManager and the fill's tokens it has to hash to the pool's id. */
export const infinityClVerifier: ActionVerifier<InfinityClAction> = {
  code: VENUE.INFINITY_CL_POOL,
  delivery: "own",
  actionBy: () => "infinity-cl-pool",
  admits: () => true,
  verify(check) {
    const { action, where } = check;
    const { spacing } = verifyKey(check, MORE_BYTES.INFINITY_CL_POOL);
    if (action !== undefined) same(`${where} tick spacing`, spacing, BigInt(action.tickSpacing));
  },
};

/** Reads a key back that ends `bytes` into the fill, and compares all but its spacing with the action. */
export function verifyKey(
  check: VenueCheck<VenueAction & Pick<InfinityClAction, "manager" | "fee" | "hooks" | "registration">>,
  bytes: number,
): { readonly spacing: bigint } {
  const { payload, fill, given, action, where } = check;
  const parameters = payload.uint(5);
  const hooks = payload.hex(20);
  restOf(check, bytes);
  const currencies = [fill.sellToken, fill.buyToken].map((token) => (token === NATIVE ? 0n : BigInt(token)));
  const [low, high] = currencies.sort((a, b) => (a < b ? -1 : 1)) as [bigint, bigint];
  const words = [low, high, BigInt(hooks), BigInt(given.pool), given.detail, parameters];
  const key = `0x${words.map((word) => word.toString(16).padStart(64, "0")).join("")}` as const;
  same(`${where} pool of this key`, keccak256(key), fill.poolId);
  if (action !== undefined) {
    same(`${where} manager`, given.pool, action.manager);
    same(`${where} fee`, given.detail, BigInt(action.fee));
    same(`${where} registration of hooks`, parameters & 0xffffn, BigInt(action.registration));
    same(`${where} hooks`, hooks, action.hooks);
  }
  return { spacing: parameters >> 16n };
}
