import type { Address } from "../../domain/address.ts";
import type { Pool } from "../../pools/pool.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";

/** A market of Kuru, drawing what is sold into the margin account by an approval, or sent native token, and paid from there. */
export interface KuruAction {
  readonly action: "kuru-market";
  readonly marginAccount: Address;
  readonly market: Address;
  readonly baseToken: Address;
  /** Decimals of base and quote token. */
  readonly decimals: readonly [number, number];
  /** Decimals that the market counts what is sold in: sizes, and amounts of the quote token. */
  readonly digits: readonly [number, number];
}

const [FIRST_BYTE, SECOND_BYTE] = [0x10000, 0x100];

export const kuruEncoder: ActionEncoder<KuruAction> = {
  code: VENUE.KURU_MARKET,
  actions: ["kuru-market"],
  delivery: "own",
  encode({ marginAccount, market, baseToken, decimals, digits }, { sellToken }) {
    const sold = sellToken === baseToken ? 0 : 1;
    const detail = (sold === 0 ? FIRST_BYTE : 0) + decimals[sold] * SECOND_BYTE + digits[sold];
    return { pool: marginAccount, detail, more: market };
  },
  usualMoreBytes: ({ curve }: Pool) => (curve === "kuru" ? MORE_BYTES.KURU_MARKET : 0),
};
