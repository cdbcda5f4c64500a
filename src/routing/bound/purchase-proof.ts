import type { Session } from "../session/session.ts";
import { measure, type PriceProof } from "./measure.ts";
import { PARCEL, spreadPrices } from "./outer-prices.ts";

/** What prices prove of purchases of `buyAmount` that take no more than `sellAmount`, which one takes. */
export function purchaseProof(
  session: Session,
  logPrices: ReadonlyMap<number, number>,
  sellAmount: number,
  buyAmount: number,
): PriceProof {
  // As they are spread where a purchase's prices are minimised: near all that pools hold what is sold is worth far less.
  const prices = spreadPrices(session, logPrices, { parcel: PARCEL * buyAmount });
  return measure(session, prices, 0, sellAmount).proof;
}
