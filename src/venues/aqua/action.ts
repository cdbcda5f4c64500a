import { concat, numberToHex, size } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import { type ActionEncoder, ENTRY_BYTES } from "../../settlement/action-codec.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";

/** A strategy of Aqua's, traded through its router, which draws what is sold by an approval. */
export interface AquaAction {
  readonly action: "aqua-order";
  readonly router: Address;
  readonly maker: Address;
  readonly traits: bigint;
  readonly data: Hex;
}

export const aquaEncoder: ActionEncoder<AquaAction> = {
  code: VENUE.AQUA_ORDER,
  actions: ["aqua-order"],
  delivery: "own",
  encode({ router, maker, traits, data }) {
    const more = concat([maker, numberToHex(traits, { size: 32 }), numberToHex(size(data), { size: 2 }), data]);
    return { pool: router, detail: Math.ceil(size(more) / ENTRY_BYTES), more };
  },
  usualMoreBytes: (pool) => (pool.curve === "aqua" ? MORE_BYTES.AQUA_ORDER + size(pool.state.program) : 0),
};
