import { answerTo } from "../../../fixtures/routing/answer.ts";
import { costIn } from "../../../fixtures/universes/gas-cost.ts";
import type { PeerUniverse } from "../../../fixtures/universes/priced.ts";
import { toAddress } from "../../../src/domain/address.ts";

/** Needs of a trade, its order, and the least that it pays after gas. */
export type Kept = readonly [needs: string, amount: bigint, sell: string, buy: string, gasPrice: bigint, pays: bigint];

/** Output of a trade over these pools after gas. @throws Error without a route. */
export function paidBy(universe: PeerUniverse, [, sellAmount, sell, buy, gasPrice]: Kept): bigint {
  const order = { kind: "exactIn", sellToken: toAddress(sell), buyToken: toAddress(buy), sellAmount } as const;
  const result = answerTo(order, universe.pools, costIn(universe, gasPrice));
  if (!result.found) throw new Error("no route");
  return result.certificate?.achieved ?? 0n;
}
