import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { restOf } from "../../settlement/venue-check.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";
import type { AquaAction } from "./action.ts";

/** An order that Aqua's router trades: which router, whose order, and its bytes. */
export const aquaVerifier: ActionVerifier<AquaAction> = {
  code: VENUE.AQUA_ORDER,
  delivery: "own",
  actionBy: () => "aqua-order",
  admits: () => true,
  verify(check) {
    const { expected, payload, fill, given, action, where } = check;
    const [maker, traits] = [payload.hex(20), payload.uint(32)];
    const length = Number(payload.uint(2));
    const data = payload.hex(length);
    const entries = restOf(check, MORE_BYTES.AQUA_ORDER + length);
    same(`${where} entries of the order`, given.detail, entries);
    const { gateway, executor, orders, wrappedNative } = expected;
    const never: readonly string[] = [gateway, executor, orders, wrappedNative, fill.sellToken, fill.buyToken];
    if (never.includes(given.pool)) throw new Error(`${where} is traded by ${given.pool}, which is no router of Aqua`);
    if (action === undefined) return;
    same(`${where} router`, given.pool, action.router);
    same(`${where} maker`, maker, action.maker);
    same(`${where} traits`, traits, action.traits);
    same(`${where} data`, data, action.data);
  },
};
