import { expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { addressOf, concentratedOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { neededOn, pathDirectionOf } from "../../../src/routing/paths/path-direction.ts";
import { edgesIn, searchOf } from "../../support/trades/search.ts";

const TOKENS = [1, 2, 3, 4, 5, 6].map((n) => addressOf(n));
const E18 = 10n ** 18n;

/** Pools of random pairs of the tokens, a third of them concentrated. */
function poolsFor(random: () => number): readonly Pool[] {
  return Array.from({ length: 14 }, (_, n) => {
    const first = Math.floor(5 * random());
    const second = first + 1 + Math.floor((5 - first) * random());
    const pair = [TOKENS[first], TOKENS[second]] as [Pool["tokens"][0], Pool["tokens"][0]];
    const held = BigInt(Math.round(1e6 * 10 ** (3 * random()))) * 10n ** 12n;
    if (random() < 1 / 3) return concentratedOf(n, pair, Math.round(2000 * (random() - 0.5)), held);
    return pairOf(n, pair, [held, (held * BigInt(Math.round(500 + 1000 * random()))) / 1000n]);
  });
}

it("lets a purchase need no less than what any one or two pools make of the amount, and as much where one hyperbola does", () => {
  let paths = 0;
  let exact = 0;
  for (let seed = 0; seed < 40; seed++) {
    const random = randomOf(seed);
    const pools = poolsFor(random);
    const [sellToken, buyToken] = [pools[0]?.tokens[0] as Pool["tokens"][0], pools[1]?.tokens[1] as Pool["tokens"][0]];
    if (sellToken === buyToken) continue;
    const search = searchOf({ kind: "exactOut", sellToken, buyToken, buyAmount: E18 }, pools);
    const amount = 1e18 * 10 ** (4 * random() - 2);
    const neededAt = neededOn(search, pathDirectionOf(search, "exactOut"), amount);
    const edges = edgesIn(search.graph);
    for (const first of edges.filter(({ from }) => from === search.source)) {
      const between = first.curve.buyAmountFor(amount);
      // No route passes on from a dead end.
      if (search.graph.dead[first.to] === 1) continue;
      paths++;
      expect(between).toBeLessThanOrEqual(neededAt(first.to, 2) * (1 + 1e-12));
      if (first.depth > 0 && Math.abs(between / neededAt(first.to, 2) - 1) < 1e-9) exact++;
      if (first.to === search.sink) continue;
      for (const second of edges.filter(({ from, to }) => from === first.to && to !== search.source)) {
        if (search.graph.dead[second.to] === 1) continue;
        paths++;
        expect(second.curve.buyAmountFor(between)).toBeLessThanOrEqual(neededAt(second.to, 2) * (1 + 1e-12));
      }
    }
  }
  expect(paths).toBeGreaterThan(300);
  expect(exact).toBeGreaterThan(20);
});
