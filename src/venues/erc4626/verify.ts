import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { VENUE } from "../../settlement/venue-codes.ts";
import type { VaultAction } from "./action.ts";

export const vaultVerifier: ActionVerifier<VaultAction> = {
  code: VENUE.ERC4626_VAULT,
  delivery: "own",
  actionBy: () => "erc4626-vault",
  admits: (detail) => detail === 0n,
  verify({ fill, given, action, where }) {
    same(`${where} pool`, given.pool, action?.vault ?? fill.poolId);
    if (action !== undefined) same(`${where} shares`, [fill.sellToken, fill.buyToken].includes(action.vault), true);
  },
};
