import { toAddress } from "../../domain/address.ts";
import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { restOf } from "../../settlement/venue-check.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";
import type { BufferAction } from "./action.ts";

/** The ERC-4626 vault whose shares the buffer has follows the fill: one of the fill's tokens. */
export const bufferVerifier: ActionVerifier<BufferAction> = {
  code: VENUE.BALANCER_V3_BUFFER,
  delivery: "own",
  actionBy: () => "balancer-v3-buffer",
  admits: (detail) => detail === 0n,
  verify(check) {
    const { payload, fill, given, action, where } = check;
    const wrapped = payload.hex(20);
    restOf(check, MORE_BYTES.BALANCER_V3_BUFFER);
    same(`${where} wraps into one of its tokens`, [fill.sellToken, fill.buyToken].includes(toAddress(wrapped)), true);
    if (action === undefined) {
      same(`${where} buffer`, `${given.pool}${wrapped.slice(2)}`, fill.poolId);
      return;
    }
    same(`${where} vault`, given.pool, action.vault);
    same(`${where} wrapped token`, wrapped, action.wrapped);
  },
};
