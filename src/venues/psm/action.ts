import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { VENUE } from "../../settlement/venue-codes.ts";

/**
 * A price stability module with DssLitePsm's interface, drawing from its caller: `sellGem` where the fill sells `gem`,
 * else `buyGem`. Exact-in with `buyGem` buys the most gem that `dai` pays for,
 * floor(floor(((dai + 1) * 10^18 - 1) / (10^18 + tout)) / to18ConversionFactor), and what it cannot use of `dai`, less
 * than the price of one unit of gem, stays with or goes to the taker. Exact-out with `sellGem` sells the least gem that
 * brings enough; what it brings beyond that goes to the taker.
 */
export interface PsmAction {
  readonly action: "psm";
  readonly psm: Address;
  readonly gem: Address;
}

export const psmEncoder: ActionEncoder<PsmAction> = {
  code: VENUE.PSM,
  actions: ["psm"],
  delivery: "own",
  encode: ({ psm, gem }, { sellToken }) => ({ pool: psm, detail: sellToken === gem ? 1 : 0 }),
};
