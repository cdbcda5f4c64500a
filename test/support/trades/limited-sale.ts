import { graphOf } from "../../../fixtures/routing/request.ts";
import type { Goal } from "../../../src/routing/flow/goal.ts";
import { startingFlow } from "../../../src/routing/paths/starting-flow.ts";
import { allPaths, exhaustiveBest } from "./exhaustive.ts";
import { sessionOf } from "./session.ts";
import { smallTrade } from "./small-trade.ts";

/** Amounts in which a base unit does not count. */
const FINE = 1_000_000n;

/**
 * A sale in a seeded small universe by two to four touches: what exhaustive search finds, and a first flow. Undefined where
 * there is none, or a base unit counts.
 */
export function limitedSale(seed: number) {
  const { pools, order } = smallTrade(seed, "exactIn");
  if (order.kind !== "exactIn") throw new Error("not an amount to sell");
  const maxFills = 2 + (seed % 3);
  const paths = allPaths(pools, order.sellToken, order.buyToken, maxFills);
  const best = exhaustiveBest(paths, order.sellAmount, graphOf(pools).time, () => 0n, maxFills);
  const session = sessionOf(order, pools, { maxFills });
  const amount = Number(order.sellAmount);
  const goal = { kind: "sell", amount, costPerGas: 0, maxFills } as const satisfies Goal;
  const first = startingFlow(session, goal);
  if (best === undefined || best < FINE || first === undefined) return undefined;
  return { best: Number(best), session, amount, goal, first };
}
