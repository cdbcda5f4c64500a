import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { VENUE_CODES } from "../codes.ts";

/**
 * The buffer that Balancer V3's vault keeps of an ERC-4626 vault's shares (`wrapped`) and their asset, paid before it
 * pays, exact-in or exact-out; whether it wraps or unwraps follows from the fill's tokens.
 */
export interface BufferAction {
  readonly action: "balancer-v3-buffer";
  readonly vault: Address;
  readonly wrapped: Address;
}

/** The ERC-4626 vault, where Balancer's stands in the pool's place. */
const MORE_BYTES = 20;

export const bufferEncoder: ActionEncoder<BufferAction> = {
  code: VENUE_CODES["balancer-v3-buffer"],
  actions: ["balancer-v3-buffer"],
  payment: "own",
  encode: ({ vault, wrapped }) => ({ pool: vault, detail: 0, more: wrapped }),
  usualMoreBytes: ({ curve }) => (curve === "balancer-v3-buffer" ? MORE_BYTES : 0),
};
