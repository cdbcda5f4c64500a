import { expect, test } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { startingFlow } from "../../../src/routing/paths/starting-flow.ts";
import { addColumns } from "../../../src/routing/search/add-columns.ts";
import type { Search } from "../../../src/routing/session/search.ts";
import { searchOf } from "../../support/trades/search.ts";

const [A, B, C, D] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)];

test("ways that look better than they are do not end the search for those that others hide", () => {
  const pools = [
    pairOf(1, [A, C], [10n ** 16n, 10n ** 16n]),
    pairOf(2, [C, B], [10n ** 16n, 10n ** 16n]),
    // From C most of D comes, but the only pool that D leads on to goes back to C.
    pairOf(3, [C, D], [10n ** 15n, 12n * 10n ** 14n]),
    pairOf(4, [A, D], [10n ** 15n, 11n * 10n ** 14n]),
    pairOf(5, [D, C], [10n ** 15n, 10n ** 15n]),
    // Earns more than its gas at the prices of the path, but not what it earns as these move.
    pairOf(6, [A, B], [10n ** 16n, 98n * 10n ** 14n]),
  ];
  const order = { kind: "exactIn", sellToken: A, buyToken: B, sellAmount: 10n ** 14n } as const;
  const base = searchOf(order, pools);
  const search: Search = { ...base, side: "exactIn", amount: 1e14, costPerGas: 9e6, maxFills: 128 };
  const path = startingFlow({ ...search, costPerGas: 0 });
  if (path === undefined) throw new Error("no path");
  const used = addColumns(search, path).support.edges.map(({ pool }) => pool.id);
  expect(used).toEqual([1, 2, 4, 5].map((n) => addressOf(n, "pool")));
});

test("a climb ends where a purchase costs no more than a base unit, which no other one can better", () => {
  const pools = [1, 2].map((n) => pairOf(n, [A, B], [10n ** 6n, 10n ** 16n]));
  const base = searchOf({ kind: "exactOut", sellToken: A, buyToken: B, buyAmount: 10n ** 9n }, pools);
  const search: Search = { ...base, side: "exactOut", amount: 1e9, costPerGas: 0, maxFills: 128 };
  const path = startingFlow(search);
  if (path === undefined) throw new Error("no path");
  expect(path.sellAmount).toBe(1);
  const { steps } = base.work;
  expect(addColumns(search, path)).toBe(path);
  expect(base.work.steps).toBe(steps);
});
