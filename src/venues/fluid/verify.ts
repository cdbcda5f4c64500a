import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { restOf } from "../../settlement/venue-check.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";
import type { FluidAction } from "./action.ts";

/** The highest byte of the detail tells the direction, the two below it the digits of what is bought. */
const DIRECTION_BITS = 16n;
const DIGITS = (1n << DIRECTION_BITS) - 1n;
/** One base unit more is bought than is wanted. */
const ONE_MORE = 255n;
/** Ten to the power of more is no number of the contract's. */
const MAX_DIGITS = 77n;
const isDigits = (digits: bigint) => digits <= MAX_DIGITS || digits === ONE_MORE;

/** The pool follows the fill, where the Liquidity layer stands in its place. */
export const fluidVerifier: ActionVerifier<FluidAction> = {
  code: VENUE.FLUID_POOL,
  delivery: "own",
  actionBy: () => "fluid-pool",
  admits: (detail) => detail >> DIRECTION_BITS <= 1n && isDigits(detail & DIGITS),
  verify(check) {
    const { payload, fill, given, action, where } = check;
    const pool = payload.hex(20);
    restOf(check, MORE_BYTES.FLUID_POOL);
    same(`${where} pool`, pool, action?.pool ?? fill.poolId);
    if (action === undefined) return;
    const sells0 = fill.sellToken === action.token0;
    same(`${where} liquidity layer`, given.pool, action.liquidity);
    same(`${where} sells token 0`, given.detail >> DIRECTION_BITS, sells0 ? 1n : 0n);
    same(`${where} digits`, given.detail & DIGITS, BigInt(action.digits[sells0 ? 1 : 0]));
    same(`${where} token 0`, [fill.sellToken, fill.buyToken].includes(action.token0), true);
  },
};
