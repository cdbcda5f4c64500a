import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { VENUE } from "../../settlement/venue-codes.ts";
import type { CurveAction } from "./action.ts";

/** Actions by the high byte of the detail. */
const ACTIONS = [
  ...(["curve-pool", "curve-crypto-pool", "curve-underlying"] as const),
  ...(["curve-add", "curve-add", "curve-remove"] as const),
] as const;

export const curveVerifier: ActionVerifier<CurveAction> = {
  code: VENUE.CURVE_POOL,
  delivery: "own",
  actionBy: (detail) => ACTIONS[Number(detail >> 16n)],
  admits: () => true,
  verify({ fill, given, action, where }) {
    same(`${where} pool`, given.pool, action?.pool ?? fill.poolId);
    if (action === undefined) return;
    const numbers = given.detail % 65_536n;
    switch (action.action) {
      case "curve-add":
        same(`${where} list`, given.detail >> 16n, action.amounts === "list" ? 4n : 3n);
        same(`${where} coins`, numbers, BigInt(action.coin * 256 + action.coins));
        break;
      case "curve-remove":
        same(`${where} coin`, numbers, BigInt(action.coin));
        break;
      default:
        same(`${where} coins`, numbers, BigInt(action.sell * 256 + action.buy));
    }
  },
};
