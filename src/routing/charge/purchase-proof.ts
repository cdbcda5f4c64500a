import { FLOAT_ERROR } from "../bound/certificate.ts";
import { type Measured, measure, type PriceProof } from "../bound/measure.ts";
import { PARCEL, type Prices, spreadPrices } from "../bound/outer-prices.ts";
import type { Session } from "../session/session.ts";
import { inParts } from "./kept-fees.ts";
import { treeProof } from "./tree-proof.ts";

/** What prices prove of purchases of `buyAmount` that take no more than `sellAmount`, which one takes. */
export function purchaseProof(
  session: Session,
  logPrices: ReadonlyMap<number, number>,
  sellAmount: number,
  buyAmount: number,
): PriceProof {
  // As they are spread where a purchase's prices are minimised: near all that pools hold what is sold is worth far less.
  const prices = spreadPrices(session, logPrices, { parcel: PARCEL * buyAmount });
  return proofInTrees(session, prices, measure(session, prices, 0, sellAmount), sellAmount, buyAmount);
}

/**
 * The same by what was measured at the prices: routes of purchases are trees, and in these a pool that keeps its fee is
 * touched in parts.
 */
export function proofInTrees(
  session: Session,
  prices: Prices,
  whole: Measured,
  sellAmount: number,
  buyAmount: number,
): PriceProof {
  const proof = treeProof(session, whole);
  const { sellPrice, earned, volume } = proof;
  const open = sellPrice * sellAmount - buyAmount + earned + FLOAT_ERROR * volume;
  const parted = inParts(session, prices, whole, open);
  return parted === whole ? proof : treeProof(session, parted);
}
