import { expect, it } from "vitest";
import type { Pool } from "../../src/pools/pool.ts";
import { FLOAT_ERROR } from "../../src/routing/bound/certificate.ts";
import { sumOf } from "../../src/routing/bound/measure.ts";
import { relax } from "../../src/routing/bound/relax.ts";
import { treeProof } from "../../src/routing/charge/tree-proof.ts";
import { answerTo } from "../support/answer.ts";
import { treeTouchesOf } from "../support/exhaustive.ts";
import { limitedSale } from "../support/limited-sale.ts";
import { expectTighter, type Proofs } from "../support/tighter-proofs.ts";
import { addressOf, FREE, pairOf, randomOf } from "../support/universe.ts";

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

/** A token whose one pool leads to a hub, from there one to each of six others, and from these eight to a last one. */
function poolsBehindHub(seed: number): Pool[] {
  const random = randomOf(seed);
  const [SOLD, HUB, BOUGHT] = [addressOf(1), addressOf(2), addressOf(3)];
  const pools = [pairOf(1, [SOLD, HUB], [10n ** 24n, 10n ** 24n])];
  for (let n = 10; n < 16; n++) {
    pools.push(pairOf(n, [HUB, addressOf(n)], [10n ** 23n, 10n ** 23n]));
    for (let k = 0; k < 8; k++) {
      const size = 10n ** 13n * BigInt(Math.floor(1e6 * 10 ** (2 * random())));
      const other = (size * BigInt(9_980 + Math.floor(40 * random()))) / 10_000n;
      pools.push(pairOf(100 * n + k, [addressOf(n), BOUGHT], [size, other]));
    }
  }
  return pools;
}

it("counts each pool far from the sold token for as many touches as lead there", () => {
  const order = {
    kind: "exactOut",
    sellToken: addressOf(1),
    buyToken: addressOf(3),
    buyAmount: 2n * 10n ** 21n,
  } as const;
  for (let seed = 0; seed < 10; seed++) {
    const result = answerTo(order, poolsBehindHub(seed), FREE, { maxFills: 48 });
    if (!result.found || result.certificate === undefined) throw new Error("no route");
    const { bound, achieved } = result.certificate;
    expect(bound).toBeLessThanOrEqual(achieved);
    // Counted for two touches each leave more than 300 bp open.
    expect((Number(achieved - bound) / Number(achieved)) * 1e4).toBeLessThan(150);
  }
});
