import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { restOf } from "../../settlement/venue-check.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";
import type { KuruAction } from "./action.ts";

/** The highest byte of the detail tells the side, the second the decimals of what is sold, the lowest how many are counted. */
const [SIDE_BITS, DECIMALS_BITS] = [16n, 8n];
const ONE_BYTE = 255n;
/** Ten to the power of more is no number of the contract's. */
const MAX_DIGITS = 77n;

/** The market follows the fill, where the margin account stands in its place. */
export const kuruVerifier: ActionVerifier<KuruAction> = {
  code: VENUE.KURU_MARKET,
  delivery: "own",
  actionBy: () => "kuru-market",
  admits: (detail) =>
    detail >> SIDE_BITS <= 1n && decimalsIn(detail) <= MAX_DIGITS && (detail & ONE_BYTE) <= MAX_DIGITS,
  verify(check) {
    const { payload, fill, given, action, where } = check;
    const market = payload.hex(20);
    restOf(check, MORE_BYTES.KURU_MARKET);
    same(`${where} market`, market, action?.market ?? fill.poolId);
    if (action === undefined) return;
    const sold = fill.sellToken === action.baseToken ? 0 : 1;
    same(`${where} margin account`, given.pool, action.marginAccount);
    same(`${where} sells the base token`, given.detail >> SIDE_BITS, sold === 0 ? 1n : 0n);
    same(`${where} decimals`, decimalsIn(given.detail), BigInt(action.decimals[sold]));
    same(`${where} digits`, given.detail & ONE_BYTE, BigInt(action.digits[sold]));
    same(`${where} base token`, [fill.sellToken, fill.buyToken].includes(action.baseToken), true);
  },
};

function decimalsIn(detail: bigint): bigint {
  return (detail >> DECIMALS_BITS) & ONE_BYTE;
}
