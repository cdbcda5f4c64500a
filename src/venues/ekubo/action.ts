import { numberToHex } from "viem";
import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";

/** A pool inside Ekubo's Core, named by its config and the fill's tokens; paid while Core's lock is open. */
export interface EkuboAction {
  readonly action: "ekubo-pool";
  readonly core: Address;
  /** Extension, fee and kind, as the pool's key has them. */
  readonly config: bigint;
}

export const ekuboEncoder: ActionEncoder<EkuboAction> = {
  code: VENUE.EKUBO_POOL,
  actions: ["ekubo-pool"],
  delivery: "own",
  encode: ({ core, config }) => ({
    pool: core,
    detail: Number(BigInt.asUintN(24, config)),
    more: numberToHex(config >> 24n, { size: MORE_BYTES.EKUBO_POOL }),
  }),
  usualMoreBytes: ({ curve }) => (curve === "ekubo" ? MORE_BYTES.EKUBO_POOL : 0),
};
