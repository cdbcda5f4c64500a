import { it } from "vitest";
import { FLOAT_ERROR } from "../../src/routing/bound/certificate.ts";
import { sumOf } from "../../src/routing/bound/measure.ts";
import { relax } from "../../src/routing/bound/relax.ts";
import { treeProof } from "../../src/routing/charge/tree-proof.ts";
import { treeTouchesOf } from "../support/exhaustive.ts";
import { limitedSale } from "../support/limited-sale.ts";
import { expectTighter, type Proofs } from "../support/tighter-proofs.ts";

const COUNT = process.env.TRIBUTARY_LONG === "1" ? 400 : 100;

/** Proofs of all routes, and of trees, for a trade by trees. */
function proofsOf(seed: number): Proofs | undefined {
  const sale = limitedSale(seed, treeTouchesOf);
  if (sale === undefined) return undefined;
  const { best, session, amount, first } = sale;
  const { measured } = relax(session, first.logPrices, amount);
  const [before, proven] = [measured.proof, treeProof(session, measured)].map(
    (one) => sumOf(one, amount) * (1 + FLOAT_ERROR),
  );
  return { seed, best, before: before as number, proven: proven as number };
}

it("touches that need one of their own below prove no less than exhaustive search finds among trees, and more than prices alone", () => {
  expectTighter(COUNT, 0.2, proofsOf);
});
