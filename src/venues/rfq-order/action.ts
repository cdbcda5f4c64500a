import { concat, numberToHex, size } from "viem";
import { RFQ_FUNCTIONS, type RfqOrderAction } from "../../domain/maker-order.ts";
import { type ActionEncoder, ENTRY_BYTES } from "../../settlement/action-codec.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";

/** Bytes of a function's arguments as a rule: those of Bebop, the longest, with a signature of 65 bytes. */
const USUAL_ARGUMENTS_BYTES = 18 * 32;
/** Largest count in the detail's two bytes. */
const MAX_ENTRIES = 0xffff;

export const rfqOrderEncoder: ActionEncoder<RfqOrderAction> = {
  code: VENUE.RFQ_ORDER,
  actions: ["rfq-order"],
  delivery: "own",
  encode({ settlement, order, call }) {
    const more = concat([
      numberToHex(order.makerAmount, { size: 16 }),
      numberToHex(order.takerAmount, { size: 16 }),
      numberToHex(size(call.arguments), { size: 2 }),
      call.arguments,
    ]);
    const entries = Math.ceil(size(more) / ENTRY_BYTES);
    if (entries > MAX_ENTRIES) throw new RangeError("a maker's arguments are too long to encode");
    return { pool: settlement, detail: (RFQ_FUNCTIONS.indexOf(call.function) << 16) | entries, more };
  },
  usualMoreBytes: (pool) =>
    (pool.curve === "levels" && pool.state.settles === "elsewhere") ||
    (pool.curve === "signed-order" && pool.state.call !== undefined)
      ? MORE_BYTES.RFQ_ORDER + USUAL_ARGUMENTS_BYTES
      : 0,
};
