import type { MakerOrderAction } from "../../domain/maker-order.ts";
import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { restOf } from "../../settlement/venue-check.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";

/** An order with its signature: every field that the payload gives, and those that the executor will fill in. */
export const makerOrderVerifier: ActionVerifier<MakerOrderAction> = {
  code: VENUE.MAKER_ORDER,
  delivery: "transfer",
  actionBy: () => "maker-order",
  admits: () => true,
  verify(check) {
    const { expected, payload, fill, given, action, where } = check;
    const maker = payload.hex(20);
    const [makerAmount, takerAmount, minTakerAmount] = [payload.uint(16), payload.uint(16), payload.uint(16)];
    const [expiry, nonce, refillable] = [payload.uint(8), payload.uint(32), payload.uint(1)];
    const length = Number(payload.uint(2));
    const signature = payload.hex(length);
    const entries = restOf(check, MORE_BYTES.MAKER_ORDER + length);
    same(`${where} entries of the order`, given.detail, entries);
    same(`${where} contract that fills orders`, given.pool, expected.orders);
    if (action === undefined) return;
    const { order } = action;
    same(`${where} contract that the order is for`, given.pool, action.settlement);
    same(`${where} maker`, maker, order.maker);
    same(`${where} taker of the order`, order.taker, expected.executor);
    same(`${where} token of the maker`, order.makerToken, fill.buyToken);
    same(`${where} token of the taker`, order.takerToken, fill.sellToken);
    same(`${where} amount of the maker`, makerAmount, order.makerAmount);
    same(`${where} amount of the taker`, takerAmount, order.takerAmount);
    same(`${where} least amount of the taker`, minTakerAmount, order.minTakerAmount);
    same(`${where} expiry`, expiry, order.expiry);
    same(`${where} nonce`, nonce, order.nonce);
    same(`${where} refillable`, refillable, order.refillable ? 1n : 0n);
    same(`${where} signature`, signature, action.signature.toLowerCase());
  },
};
