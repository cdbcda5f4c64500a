import { concat, numberToHex, size } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { MakerOrder } from "../../domain/maker-order.ts";
import { type ActionEncoder, ENTRY_BYTES } from "../../settlement/action-codec.ts";
import { VENUE_CODES } from "../codes.ts";

/**
 * A market maker's signed order, filled in `settlement` (OrderSettlement). The fill sells `order.takerToken` and buys
 * `order.makerToken`. Exact-in takes at most `order.takerAmount`: what is above stays for later fills of the same token,
 * or goes back to the taker when this fill takes the rest; it gives floor(makerAmount * sold / takerAmount). Exact-out
 * sells ceil(bought * takerAmount / makerAmount).
 */
export interface MakerOrderAction {
  readonly action: "maker-order";
  readonly settlement: Address;
  readonly order: MakerOrder;
  /** Of `makerOrderDigest`, by the maker; see OrderSettlement for its forms. At most 4,096 bytes. */
  readonly signature: Hex;
}

/** Bytes of an order before its signature, and of the signature that most makers give. */
const ORDER_BYTES = 111;
const USUAL_SIGNATURE_BYTES = 65;
/** What the detail can count. */
const MOST_ENTRIES = 255;

export const makerOrderEncoder: ActionEncoder<MakerOrderAction> = {
  code: VENUE_CODES["maker-order"],
  actions: ["maker-order"],
  payment: "transfer",
  encode({ settlement, order, signature }) {
    const more = orderBytes(order, signature);
    const entries = Math.ceil(size(more) / ENTRY_BYTES);
    if (entries > MOST_ENTRIES) throw new RangeError("a maker's signature is too long to encode");
    return { pool: settlement, detail: entries, more };
  },
  usualMoreBytes: ({ curve }) =>
    curve === "levels" || curve === "signed-order" ? ORDER_BYTES + USUAL_SIGNATURE_BYTES : 0,
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
