import { expect, test } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import type { Edge } from "../../../src/routing/edges/edges.ts";
import { solveSplit } from "../../../src/routing/flow/solve-split.ts";
import { fitFillLimit, prune, without } from "../../../src/routing/search/prune.ts";
import type { Search } from "../../../src/routing/session/search.ts";
import { edgesOf, searchOf } from "../../support/trades/search.ts";

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];

test("of too many pools a sale keeps the deep one that earns next to nothing and carries what the others need", () => {
  const pools = [
    pairOf(1, [A, C], [10n ** 28n, 10n ** 28n]),
    // Next to nothing at a better price: it earns more than the deep one.
    pairOf(2, [A, C], [10n ** 18n, 101n * 10n ** 16n]),
    pairOf(3, [C, B], [10n ** 20n, 10n ** 20n]),
    pairOf(4, [C, B], [10n ** 20n, 10n ** 20n]),
    pairOf(5, [C, B], [10n ** 20n, 10n ** 20n]),
  ];
  const order = { kind: "exactIn", sellToken: A, buyToken: B, sellAmount: 10n ** 20n } as const;
  const base = searchOf(order, pools);
  const flow = solveSplit(base, edgesOf(base), { side: "exactIn", amount: 1e20 }, new Map());
  if (flow === undefined) throw new Error("no flow");
  const search: Search = { ...base, side: "exactIn", amount: 1e20, costPerGas: 0, maxFills: 4 };
  const kept = fitFillLimit(search, flow).support.edges.map(({ pool }) => pool.id);
  expect(kept.sort()).toEqual([1, 3, 4, 5].map((n) => addressOf(n, "pool")));
});

test("what a sale leaves out does not depend on how large the base unit of the bought token is", () => {
  const random = randomOf(7);
  const held = () => 10 ** (21 + 3 * random());
  const reserves = Array.from({ length: 24 }, (_, i) => ({ number: i + 1, from: i % 3, sold: held(), bought: held() }));
  const amount = 1e23;
  const keptWith = (units: number): string[] => {
    const pools = reserves.map(({ number, from, sold, bought }) => {
      const [first, second] = [
        [A, C],
        [C, B],
        [A, B],
      ][from] as [Address, Address];
      const paid = second === B ? bought * units : bought;
      return pairOf(number, [first, second], [BigInt(sold), BigInt(paid)]);
    });
    const order = { kind: "exactIn", sellToken: A, buyToken: B, sellAmount: BigInt(amount) } as const;
    const base = searchOf(order, pools);
    const flow = solveSplit(base, edgesOf(base), { side: "exactIn", amount }, new Map());
    if (flow === undefined) throw new Error("no flow");
    const search: Search = { ...base, side: "exactIn", amount, costPerGas: 0, maxFills: 8 };
    return fitFillLimit(search, flow)
      .support.edges.map(({ pool }) => pool.id)
      .sort();
  };
  const kept = keptWith(1);
  expect(kept.length).toBeLessThanOrEqual(8);
  expect(keptWith(2 ** 30)).toEqual(kept);
  expect(keptWith(2 ** -10)).toEqual(kept);
});

const MIDDLE = [4, 5, 6].map((n) => addressOf(n));

/** Three ways of two pools each, and others, a flow of `amount` over them, and what each of its edges earns. */
function threeWays(amount: number, others: readonly Pool[] = []) {
  const ways = MIDDLE.flatMap((token, i) => [
    pairOf(2 * i + 1, [A, token], [10n ** 20n, 10n ** 20n]),
    pairOf(2 * i + 2, [token, B], [10n ** 20n, 10n ** 20n]),
  ]);
  const order = { kind: "exactIn", sellToken: A, buyToken: B, sellAmount: BigInt(amount) } as const;
  const base = searchOf(order, [...ways, ...others]);
  const flow = solveSplit(base, edgesOf(base), { side: "exactIn", amount }, new Map());
  if (flow === undefined) throw new Error("no flow");
  const earnedBy = (wanted: readonly Pool[]) =>
    flow.profits.reduce(
      (sum, profit, i) => sum + (wanted.includes((flow.support.edges[i] as Edge).pool) ? profit : 0),
      0,
    );
  // Two pool uses cost a quarter more than each of the ways earns, of which the others can do without none.
  const gas = (flow.support.edges[0] as Edge).gas;
  const costPerGas = (1.25 * earnedBy(ways.slice(0, 2))) / (2 * gas);
  const search: Search = { ...base, side: "exactIn", amount, costPerGas, maxFills: 8 };
  return { base, flow, search };
}

test("a way that others turn out to need is tried once, by whichever of its pools, before one that earns less than its gas", () => {
  const small = pairOf(7, [A, B], [22n * 10n ** 18n, 22n * 10n ** 18n]);
  const { flow, search } = threeWays(1e19, [small]);
  expect(flow.support.edges).toHaveLength(7);
  const kept = prune(search, flow).support.edges.map(({ pool }) => pool.id);
  expect(kept.sort()).toEqual([1, 2, 3, 4, 5, 6].map((n) => addressOf(n, "pool")));
});

test("leaving out what the others need is given up before it is worked out", () => {
  const { base, flow, search } = threeWays(1e19);
  const stepsOf = (work: () => void): number => {
    const before = base.work.steps;
    work();
    return base.work.steps - before;
  };
  const tried = stepsOf(() => expect(prune(search, flow)).toBe(flow));
  const workedOut = stepsOf(() => {
    for (const token of MIDDLE) {
      const way = flow.support.edges.filter(({ pool }) => pool.tokens.includes(token));
      expect(way).toHaveLength(2);
      expect(without(search, flow, new Set(way))?.support.edges).toHaveLength(4);
    }
  });
  expect(tried).toBeLessThan(workedOut);
});
