import { describe, expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Address } from "../../../src/domain/address.ts";
import { type ChunkPaths, chunkPaths } from "../../../src/routing/paths/chunk-paths.ts";
import { type FilledPools, filledPools } from "../../../src/routing/paths/filled-pools.ts";
import { FRESH } from "../../../src/routing/session/scratch.ts";
import { sessionOf } from "../../support/trades/session.ts";

const TOKENS = Array.from({ length: 12 }, (_, i) => addressOf(i + 1));
const E18 = 10n ** 18n;

/** Pairs of random tokens, whose rates are off each other by up to a hundredfold. */
function poolsFor(random: () => number) {
  return Array.from({ length: 60 }, (_, i) => {
    const first = Math.floor(12 * random());
    const second = (first + 1 + Math.floor(11 * random())) % 12;
    const holds = () => BigInt(Math.round(10 ** (2 + 2 * random()))) * E18;
    return pairOf(100 + i, [TOKENS[first] as Address, TOKENS[second] as Address], [holds(), holds()]);
  });
}

/** What a path pays after the chunks before. */
function paidBy(pools: FilledPools, path: readonly number[] | undefined, amount: number): number {
  return path?.reduce((sold, slot) => pools.pays(slot, sold), amount) ?? 0;
}

describe("the path of a chunk is looked for among the slots that can lead to a better one than the last", () => {
  for (const maxHops of [1, 2, 3, 4, 5])
    it(`which leaves none out that one looked for anew would take, over at most ${maxHops} pools`, () => {
      let others = 0;
      for (let seed = 0; seed < 40; seed++) {
        const random = randomOf(seed);
        const [sellToken, buyToken] = [addressOf(1), addressOf(2)];
        const order = { kind: "exactIn", sellToken, buyToken, sellAmount: E18 } as const;
        const session = sessionOf(order, poolsFor(random), { maxHops });
        const pools = filledPools(session, false, FRESH);
        const [near, all] = [0, 1].map(() => chunkPaths(session, pools, false, FRESH)) as [ChunkPaths, ChunkPaths];
        let last: readonly number[] = [];
        let amount = Number(E18) * 10 ** (3 * random());
        for (let chunk = 0; chunk < 20; chunk++) {
          const path = near.best(amount, last);
          const best = all.best(amount, []);
          expect(paidBy(pools, path, amount), `seed ${seed}, chunk ${chunk}`).toBeGreaterThanOrEqual(
            paidBy(pools, best, amount),
          );
          if (path === undefined) break;
          if (path.join() !== last.join()) others++;
          near.take(path);
          all.take(path);
          path.reduce((sold, slot) => pools.fill(slot, sold), amount);
          last = path;
          if (chunk > 10) amount *= 1.25;
        }
      }
      expect(others).toBeGreaterThan(40);
    });
});
