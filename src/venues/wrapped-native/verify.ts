import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { NATIVE, NOBODY, same } from "../../settlement/expectation.ts";
import { VENUE } from "../../settlement/venue-codes.ts";
import type { WrapAction } from "./action.ts";

export const wrapVerifier: ActionVerifier<WrapAction> = {
  code: VENUE.WRAPPED_NATIVE,
  delivery: "own",
  actionBy: () => "wrapped-native",
  admits: (detail) => detail === 0n,
  verify({ expected, fill, given, action, where }) {
    const pair = [fill.sellToken, fill.buyToken].sort().join();
    same(`${where} wraps`, pair, [NATIVE, expected.wrappedNative].sort().join());
    same(`${where} pool of a wrap`, given.pool, NOBODY);
    if (action !== undefined) same(`${where} wrapped token`, expected.wrappedNative, action.wrapped);
  },
};
