import { it } from "vitest";
import { FLOAT_ERROR } from "../../../src/routing/bound/certificate.ts";
import { sumOf } from "../../../src/routing/bound/measure.ts";
import { relax } from "../../../src/routing/bound/relax.ts";
import { crowdedFlow } from "../../../src/routing/search/crowd.ts";
import { limitedSale } from "../../support/trades/limited-sale.ts";
import { expectTighter, type Proofs } from "../../support/trades/tighter-proofs.ts";

const COUNT = process.env.TRIBUTARY_LONG === "1" ? 2_000 : 400;

/** Proofs without a charge for touches, and with charge and ties, of a trade as one that wants more pools. */
function proofsOf(seed: number): Proofs | undefined {
  const sale = limitedSale(seed);
  if (sale === undefined) return undefined;
  const { best, session, amount, goal, first } = sale;
  const relaxed = relax(session, first.logPrices, amount);
  const { proof } = relaxed.measured;
  const crowded = crowdedFlow(session, goal, { relaxed, proof }, first, 0);
  const [before, proven] = [proof, crowded.proof].map((one) => sumOf(one, amount) * (1 + FLOAT_ERROR));
  return { seed, best, before: before as number, proven: proven as number };
}

it("a charge for touches that are tied proves no less than exhaustive search finds, and more than prices alone", () => {
  expectTighter(COUNT, 0.5, proofsOf);
});
