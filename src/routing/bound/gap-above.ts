import { amountOf, netOf } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import type { Search } from "../session/search.ts";
import type { PriceProof } from "./measure.ts";

/** Gap that a proof leaves above a flow net of its gas, as a part of the trade's value. */
export function gapAbove(search: Search, proof: PriceProof, flow: Split): number {
  const { sellPrice, earned, unavoidable } = proof;
  const most =
    search.side === "exactIn"
      ? sellPrice * search.amount + earned - unavoidable
      : -(search.amount - earned + unavoidable) / sellPrice;
  const amount = amountOf(search, flow);
  return amount > 0 ? (most - netOf(search, flow)) / amount : Number.POSITIVE_INFINITY;
}
