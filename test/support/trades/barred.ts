import { answerTo } from "../../../fixtures/routing/answer.ts";
import { fillsOf } from "../../../src/domain/route.ts";
import type { MediumTrade } from "./medium-trade.ts";

/** Achieved value of a trade, and of the trades with one of its pools barred. */
export function achievedWithout({ order, pools, cost }: MediumTrade): {
  readonly achieved: bigint;
  readonly others: readonly bigint[];
} {
  const answer = answerTo(order, pools, cost);
  if (!answer.found || answer.certificate === undefined) throw new Error("no route");
  const others = fillsOf(answer.route).flatMap(({ poolId }) => {
    const rest = pools.filter(({ id }) => id !== poolId);
    const other = answerTo(order, rest, cost);
    return other.found && other.certificate !== undefined ? [other.certificate.achieved] : [];
  });
  return { achieved: answer.certificate.achieved, others };
}
