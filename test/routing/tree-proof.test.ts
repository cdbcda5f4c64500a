import { expect, it } from "vitest";
import { FLOAT_ERROR } from "../../src/routing/bound/certificate.ts";
import { sumOf } from "../../src/routing/bound/measure.ts";
import { relax } from "../../src/routing/bound/relax.ts";
import { treeProof } from "../../src/routing/charge/tree-proof.ts";
import { startingFlow } from "../../src/routing/paths/starting-flow.ts";
import { allPaths, exhaustiveBest, treeTouchesOf } from "../support/exhaustive.ts";
import { sessionOf } from "../support/session.ts";
import { smallTrade } from "../support/small-trade.ts";
import { graphOf } from "../support/universe.ts";

const COUNT = process.env.TRIBUTARY_LONG === "1" ? 400 : 100;
/** Amounts in which a base unit does not count. */
const FINE = 1_000_000n;

interface Outcome {
  readonly seed: number;
  /** What exhaustive search finds among trees, and what prices prove of all routes, and of trees. */
  readonly best: number;
  readonly before: number;
  readonly proven: number;
}

/** A trade in a seeded small universe by trees of two to four touches. */
function outcomeOf(seed: number): Outcome | undefined {
  const { pools, order } = smallTrade(seed, "exactIn");
  if (order.kind !== "exactIn") throw new Error("not an amount to sell");
  const maxFills = 2 + (seed % 3);
  const paths = allPaths(pools, order.sellToken, order.buyToken, maxFills);
  const best = exhaustiveBest(paths, order.sellAmount, graphOf(pools).time, () => 0n, maxFills, treeTouchesOf);
  const session = sessionOf(order, pools, { maxFills });
  const amount = Number(order.sellAmount);
  const first = startingFlow(session, { kind: "sell", amount, costPerGas: 0, maxFills });
  if (best === undefined || best < FINE || first === undefined) return undefined;
  const { measured } = relax(session, first.logPrices, amount);
  const [before, proven] = [measured.proof, treeProof(session, measured)].map(
    (one) => sumOf(one, amount) * (1 + FLOAT_ERROR),
  );
  return { seed, best: Number(best), before: before as number, proven: proven as number };
}

it("touches that need one of their own below prove no less than exhaustive search finds among trees, and more than prices alone", () => {
  const outcomes = Array.from({ length: COUNT }, (_, seed) => outcomeOf(seed)).filter((o) => o !== undefined);
  expect(outcomes.length).toBeGreaterThan(COUNT / 2);
  expect(outcomes.filter(({ best, proven }) => best > proven).map(({ seed }) => seed)).toEqual([]);
  const tighter = outcomes.filter(({ best, before, proven }) => before - proven > 0.2 * (before - best));
  expect(tighter.length).toBeGreaterThan(COUNT / 10);
});
