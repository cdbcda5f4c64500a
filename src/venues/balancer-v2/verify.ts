import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { restOf } from "../../settlement/venue-check.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";
import type { BalancerV2Action } from "./action.ts";

/** Vault and the end of the pool's id follow the fill. */
export const balancerV2Verifier: ActionVerifier<BalancerV2Action> = {
  code: VENUE.BALANCER_V2_POOL,
  delivery: "own",
  actionBy: () => "balancer-v2-pool",
  admits: () => true,
  verify(check) {
    const { payload, fill, given, action, where } = check;
    const vault = payload.hex(20);
    const end = payload.hex(9).slice(2);
    restOf(check, MORE_BYTES.BALANCER_V2_POOL);
    const id = `${given.pool}${given.detail.toString(16).padStart(6, "0")}${end}`;
    if (action === undefined) {
      same(`${where} pool id`, [id, given.pool].includes(fill.poolId), true);
      return;
    }
    same(`${where} pool id`, id, action.poolId);
    same(`${where} vault`, vault, action.vault);
  },
};
