import type { RfqFunction, RfqOrderAction } from "../../domain/maker-order.ts";
import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { restOf } from "../../settlement/venue-check.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";

/** Functions by their numbers in contracts/src/venues/RfqOrders.sol. */
const FUNCTION_OF: ReadonlyMap<bigint, RfqFunction> = new Map([
  [0n, "0x-rfq"],
  [1n, "0x-otc"],
  [2n, "bebop-single"],
  [3n, "hashflow-rfqt"],
]);

/** An order of a maker's own contract: who is called, by which function, with which arguments, and what that has to bring. */
export const rfqOrderVerifier: ActionVerifier<RfqOrderAction> = {
  code: VENUE.RFQ_ORDER,
  delivery: "own",
  actionBy: (detail) => (FUNCTION_OF.has(detail >> 16n) ? "rfq-order" : undefined),
  admits: (detail) => FUNCTION_OF.has(detail >> 16n),
  verify(check) {
    const { expected, payload, fill, given, action, where } = check;
    const [makerAmount, takerAmount] = [payload.uint(16), payload.uint(16)];
    const length = Number(payload.uint(2));
    const args = payload.hex(length);
    const entries = restOf(check, MORE_BYTES.RFQ_ORDER + length);
    same(`${where} entries of the order`, given.detail & 0xffffn, entries);
    const { gateway, executor, orders, wrappedNative } = expected;
    const never: readonly string[] = [gateway, executor, orders, wrappedNative, fill.sellToken, fill.buyToken];
    if (never.includes(given.pool))
      throw new Error(`${where} is settled by ${given.pool}, which is no maker's contract`);
    if (action === undefined) return;
    const { order, call, settlement } = action;
    same(`${where} contract that settles the order`, given.pool, settlement);
    same(`${where} function`, FUNCTION_OF.get(given.detail >> 16n), call.function);
    same(`${where} token of the maker`, order.makerToken, fill.buyToken);
    same(`${where} token of the taker`, order.takerToken, fill.sellToken);
    same(`${where} amount of the maker`, makerAmount, order.makerAmount);
    same(`${where} amount of the taker`, takerAmount, order.takerAmount);
    same(`${where} arguments`, args, call.arguments.toLowerCase());
  },
};
