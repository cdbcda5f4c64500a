import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";

/**
 * The buffer that Balancer V3's vault keeps of an ERC-4626 vault's shares (`wrapped`) and their asset, paid before it
 * pays, exact-in or exact-out; whether it wraps or unwraps follows from the fill's tokens.
 */
export interface BufferAction {
  readonly action: "balancer-v3-buffer";
  readonly vault: Address;
  readonly wrapped: Address;
}

export const bufferEncoder: ActionEncoder<BufferAction> = {
  code: VENUE.BALANCER_V3_BUFFER,
  actions: ["balancer-v3-buffer"],
  delivery: "own",
  encode: ({ vault, wrapped }) => ({ pool: vault, detail: 0, more: wrapped }),
  usualMoreBytes: ({ curve }) => (curve === "balancer-v3-buffer" ? MORE_BYTES.BALANCER_V3_BUFFER : 0),
};
