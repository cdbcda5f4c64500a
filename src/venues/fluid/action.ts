import type { Address } from "../../domain/address.ts";
import type { Pool } from "../../pools/pool.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";

/**
 * A pool of Fluid's DEX T1, drawing what is sold by an approval or sent native token; the Liquidity layer pays. An exact output
 * is rounded up to twelve decimals, or is one base unit more where a pool may pay one less. What that brings beyond it goes to
 * the taker.
 */
export interface FluidAction {
  readonly action: "fluid-pool";
  readonly liquidity: Address;
  readonly pool: Address;
  readonly token0: Address;
  /** Decimals beyond twelve of token 0 and token 1, or ONE_MORE. */
  readonly digits: readonly [number, number];
}

/** In the place of digits: of this token one base unit more is bought than is wanted. */
export const ONE_MORE = 255;

const FIRST_BYTE = 0x10000;

export const fluidEncoder: ActionEncoder<FluidAction> = {
  code: VENUE.FLUID_POOL,
  actions: ["fluid-pool"],
  delivery: "own",
  encode({ liquidity, pool, token0, digits }, { sellToken }) {
    const sells0 = sellToken === token0;
    return { pool: liquidity, detail: (sells0 ? FIRST_BYTE : 0) + digits[sells0 ? 1 : 0], more: pool };
  },
  usualMoreBytes: ({ curve }: Pool) => (curve === "fluid" ? MORE_BYTES.FLUID_POOL : 0),
};
