import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { VENUE } from "../../settlement/venue-codes.ts";

/** An ERC-4626 vault; whether its shares are bought or sold follows from the fill's tokens. */
export interface VaultAction {
  readonly action: "erc4626-vault";
  readonly vault: Address;
}

export const vaultEncoder: ActionEncoder<VaultAction> = {
  code: VENUE.ERC4626_VAULT,
  actions: ["erc4626-vault"],
  delivery: "own",
  encode: ({ vault }) => ({ pool: vault, detail: 0 }),
};
