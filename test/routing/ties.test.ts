import { expect, it } from "vitest";
import { FLOAT_ERROR } from "../../src/routing/bound/certificate.ts";
import { sumOf } from "../../src/routing/bound/measure.ts";
import { relax } from "../../src/routing/bound/relax.ts";
import { startingFlow } from "../../src/routing/paths/starting-flow.ts";
import { crowdedFlow } from "../../src/routing/search/crowd.ts";
import { allPaths, exhaustiveBest } from "../support/exhaustive.ts";
import { sessionOf } from "../support/session.ts";
import { smallTrade } from "../support/small-trade.ts";
import { graphOf } from "../support/universe.ts";

const COUNT = process.env.TRIBUTARY_LONG === "1" ? 2_000 : 400;
/** Amounts in which a base unit does not count. */
const FINE = 1_000_000n;

interface Outcome {
  readonly seed: number;
  /** What exhaustive search finds, and what prices prove without a charge for touches and with charge and ties. */
  readonly best: number;
  readonly before: number;
  readonly proven: number;
}

/** A trade in a seeded small universe by two to four pools, as one that wants more of them. */
function outcomeOf(seed: number): Outcome | undefined {
  const { pools, order } = smallTrade(seed, "exactIn");
  if (order.kind !== "exactIn") throw new Error("not an amount to sell");
  const maxFills = 2 + (seed % 3);
  const paths = allPaths(pools, order.sellToken, order.buyToken, maxFills);
  const best = exhaustiveBest(paths, order.sellAmount, graphOf(pools).time, () => 0n, maxFills);
  const session = sessionOf(order, pools, { maxFills });
  const amount = Number(order.sellAmount);
  const goal = { kind: "sell", amount, costPerGas: 0, maxFills } as const;
  const first = startingFlow(session, goal);
  if (best === undefined || best < FINE || first === undefined) return undefined;
  const relaxed = relax(session, first.logPrices, amount);
  const { proof } = relaxed.measured;
  const crowded = crowdedFlow(session, goal, { relaxed, proof }, first, 0);
  const [before, proven] = [proof, crowded.proof].map((one) => sumOf(one, amount) * (1 + FLOAT_ERROR));
  return { seed, best: Number(best), before: before as number, proven: proven as number };
}

it("a charge for touches that are tied proves no less than exhaustive search finds, and more than prices alone", () => {
  const outcomes = Array.from({ length: COUNT }, (_, seed) => outcomeOf(seed)).filter((o) => o !== undefined);
  expect(outcomes.length).toBeGreaterThan(COUNT / 2);
  expect(outcomes.filter(({ best, proven }) => best > proven).map(({ seed }) => seed)).toEqual([]);
  const tighter = outcomes.filter(({ best, before, proven }) => before - proven > 0.5 * (before - best));
  expect(tighter.length).toBeGreaterThan(COUNT / 10);
});
