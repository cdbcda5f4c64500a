import { expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { relax } from "../../../src/routing/bound/relax.ts";
import type { Split } from "../../../src/routing/flow/solve-split.ts";
import { startingFlow } from "../../../src/routing/paths/starting-flow.ts";
import { flowOver } from "../../../src/routing/search/prune.ts";
import type { Search } from "../../../src/routing/session/search.ts";
import { searchOf } from "../../support/trades/search.ts";

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];

/** Pools in line of A and B, and of a third token with both. */
function poolsOf(seed: number): Pool[] {
  const random = randomOf(seed);
  return [A, A, A, A, C, C].flatMap((sell, i) => {
    const held = () => BigInt(Math.round(10 ** (20 + random())));
    const [own, other] = [held(), held()];
    const direct = pairOf(10 * i + 1, [sell, B], [own, own]);
    return sell === A ? [direct] : [direct, pairOf(10 * i + 2, [A, C], [other, other])];
  });
}

it("prices of a purchase prove what it takes, whether a path pays it or not and whatever is said to be sold for it", () => {
  for (let seed = 0; seed < 20; seed++) {
    // Each of the last ones is more than any path pays.
    for (const buyAmount of [10n ** 18n, 10n ** 20n, 3n * 10n ** 20n]) {
      const base = searchOf({ kind: "exactOut", sellToken: A, buyToken: B, buyAmount }, poolsOf(seed));
      const amount = Number(buyAmount);
      const search: Search = { ...base, side: "exactOut", amount, costPerGas: 0, maxFills: 128 };
      const first = startingFlow(search) as Split;
      const about = (first.sellAmount * amount) / first.buyAmount;
      for (const sellAmount of [about, 3 * about]) {
        const mostSold = 3 * about;
        const { measured, edges, logPrices } = relax(base, first.logPrices, sellAmount, mostSold);
        const { sellPrice, earned } = measured.proof;
        const flow = flowOver(search, sellAmount, edges(), logPrices) as Split;
        expect(((amount - earned) / sellPrice / flow.sellAmount - 1) * 1e4).toBeCloseTo(0, 2);
      }
    }
  }
});
