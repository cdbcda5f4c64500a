import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { VENUE } from "../../settlement/venue-codes.ts";

/**
 * A pair of Liquidity Book, paid before its `swap`. An exact output is paid what the pair's `getSwapIn` says; what that
 * brings beyond it, less than one base unit sold is worth, goes to the taker.
 */
export interface LbPairAction {
  readonly action: "lb-pair";
  readonly pair: Address;
  readonly tokenX: Address;
}

export const lbPairEncoder: ActionEncoder<LbPairAction> = {
  code: VENUE.LB_PAIR,
  actions: ["lb-pair"],
  delivery: "own",
  encode: ({ pair, tokenX }, { sellToken }) => ({ pool: pair, detail: sellToken === tokenX ? 1 : 0 }),
};
