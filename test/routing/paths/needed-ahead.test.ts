import { expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { addressOf, concentratedOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { neededAhead } from "../../../src/routing/paths/columns.ts";
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

it("lets a column need no more than what any one or two last pools take, and as much where one hyperbola does", () => {
  let paths = 0;
  let exact = 0;
  for (let seed = 0; seed < 40; seed++) {
    const random = randomOf(seed);
    const pools = poolsFor(random);
    const [sellToken, buyToken] = [pools[0]?.tokens[0] as Pool["tokens"][0], pools[1]?.tokens[1] as Pool["tokens"][0]];
    if (sellToken === buyToken) continue;
    const search = searchOf({ kind: "exactIn", sellToken, buyToken, sellAmount: E18 }, pools);
    const amount = 1e18 * 10 ** (4 * random() - 2);
    const neededAt = (node: number, enough: number) => neededAhead(search, enough, [])[node] as number;
    const edges = edgesIn(search.graph);
    for (const last of edges.filter(({ to }) => to === search.sink)) {
      // No route passes on from a dead end.
      if (search.graph.dead[last.from] === 1) continue;
      paths++;
      const bought = last.curve.buyAmountFor(amount);
      expect(amount).toBeGreaterThanOrEqual(neededAt(last.from, bought) * (1 - 1e-12));
      if (last.depth > 0 && Math.abs(amount / neededAt(last.from, bought) - 1) < 1e-9) exact++;
      if (last.from === search.source) continue;
      for (const first of edges.filter(({ from, to }) => to === last.from && from !== search.sink)) {
        if (search.graph.dead[first.from] === 1) continue;
        paths++;
        const paid = last.curve.buyAmountFor(first.curve.buyAmountFor(amount));
        expect(amount).toBeGreaterThanOrEqual(neededAt(first.from, paid) * (1 - 1e-12));
      }
    }
  }
  expect(paths).toBeGreaterThan(300);
  expect(exact).toBeGreaterThan(20);
});
