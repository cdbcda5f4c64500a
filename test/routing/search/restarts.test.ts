import { expect, it } from "vitest";
import { createRandom } from "../../../fixtures/random.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { netOf } from "../../../src/routing/flow/goal.ts";
import { startingFlow } from "../../../src/routing/paths/starting-flow.ts";
import { addColumns } from "../../../src/routing/search/add-columns.ts";
import { deepSearch, restart } from "../../../src/routing/search/restarts.ts";
import { searchOf } from "../../support/trades/search.ts";

const E18 = 10n ** 18n;
const TOKENS = Array.from({ length: 9 }, (_, i) => addressOf(i + 1));
const [sellToken, buyToken] = [addressOf(1), addressOf(2)];

/** Pairs whose prices stand off each other by up to a tenth. */
function messyPools(seed: number) {
  const random = createRandom(seed);
  return Array.from({ length: 45 }, (_, n) => {
    const [a, b] = [random.below(9), random.below(8)];
    const size = BigInt(1 + random.below(1_000)) * E18;
    const off = BigInt(9_000 + random.below(2_000));
    return pairOf(n + 1, [TOKENS[a]!, TOKENS[b < a ? b : b + 1]!], [size, (size * off) / 10_000n]);
  });
}

it("climbs that begin with other amounts lead to flows that one climb does not find, more of them to others, and never to worse ones", () => {
  let [better, deeper] = [0, 0];
  for (let seed = 0; seed < 40; seed++) {
    const amount = 30n * E18;
    for (const kind of ["exactIn", "exactOut"] as const) {
      const order =
        kind === "exactIn"
          ? ({ kind, sellToken, buyToken, sellAmount: amount } as const)
          : ({ kind, sellToken, buyToken, buyAmount: amount } as const);
      const search = searchOf(order, messyPools(seed));
      const path = startingFlow(search);
      if (path === undefined) continue;
      const alone = addColumns(search, path);
      const best = restart(search, alone);
      if (alone.stuck > 0) continue;
      const deep = deepSearch(search, best);
      expect(netOf(search, deep), `seed ${seed}, ${kind}`).toBeGreaterThanOrEqual(netOf(search, best));
      if (Math.abs(netOf(search, deep) / netOf(search, best) - 1) > 1e-5) deeper++;
      const gained = netOf(search, best) / netOf(search, alone) - 1;
      expect(kind === "exactIn" ? gained : -gained, `seed ${seed}, ${kind}`).toBeGreaterThanOrEqual(0);
      if (Math.abs(gained) > 1e-3) better++;
    }
  }
  expect(better).toBeGreaterThan(20);
  expect(deeper).toBeGreaterThan(3);
});
