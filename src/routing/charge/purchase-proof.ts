import { FLOAT_ERROR } from "../bound/certificate.ts";
import { type Measured, measure, type PriceProof } from "../bound/measure.ts";
import { PARCEL, type Prices, spreadPrices } from "../bound/outer-prices.ts";
import type { Session } from "../session/session.ts";
import { inParts } from "./kept-fees.ts";
import { treeProof } from "./tree-proof.ts";

/** How often what is open is made less by what it says of pools that keep their fees. */
const ROUNDS = 2;

/** What prices prove of purchases of `buyAmount` that take no more than `sellAmount`, which one takes. */
export function purchaseProof(
  session: Session,
  logPrices: ReadonlyMap<number, number>,
  sellAmount: number,
  buyAmount: number,
): PriceProof {
  const worth = sellAmount * Math.exp(logPrices.get(session.source) as number);
  const prices = spreadPrices(session, logPrices, { parcel: PARCEL * worth });
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
  let measured = whole;
  let proof = treeProof(session, measured);
  for (let round = 0; round < ROUNDS; round++) {
    const { sellPrice, earned, volume } = proof;
    const own = inParts(session, prices, measured, sellPrice * sellAmount - buyAmount + earned + FLOAT_ERROR * volume);
    if (own === measured) break;
    measured = own;
    proof = treeProof(session, own);
  }
  return proof;
}
