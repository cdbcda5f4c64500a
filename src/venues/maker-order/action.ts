import { concat, numberToHex, size } from "viem";
import type { Hex } from "../../domain/address.ts";
import type { MakerOrder, MakerOrderAction } from "../../domain/maker-order.ts";
import { type ActionEncoder, ENTRY_BYTES } from "../../settlement/action-codec.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";

const USUAL_SIGNATURE_BYTES = 65;
/** Largest count in the detail. */
const MAX_ENTRIES = 255;

export const makerOrderEncoder: ActionEncoder<MakerOrderAction> = {
  code: VENUE.MAKER_ORDER,
  actions: ["maker-order"],
  delivery: "transfer",
  encode({ settlement, order, signature }) {
    const more = orderBytes(order, signature);
    const entries = Math.ceil(size(more) / ENTRY_BYTES);
    if (entries > MAX_ENTRIES) throw new RangeError("a maker's signature is too long to encode");
    return { pool: settlement, detail: entries, more };
  },
  usualMoreBytes: ({ curve }) =>
    curve === "levels" || curve === "signed-order" ? MORE_BYTES.MAKER_ORDER + USUAL_SIGNATURE_BYTES : 0,
};

/** An order without what the executor knows of itself (taker, trader, tokens); then its signature, length first. */
function orderBytes(order: MakerOrder, signature: Hex): Hex {
  return concat([
    order.maker,
    numberToHex(order.makerAmount, { size: 16 }),
    numberToHex(order.takerAmount, { size: 16 }),
    numberToHex(order.minTakerAmount, { size: 16 }),
    numberToHex(order.expiry, { size: 8 }),
    numberToHex(order.nonce, { size: 32 }),
    numberToHex(order.refillable ? 1 : 0, { size: 1 }),
    numberToHex(size(signature), { size: 2 }),
    signature,
  ]);
}
