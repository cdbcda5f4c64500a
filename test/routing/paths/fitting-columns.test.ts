import { expect, test } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { solveSplit } from "../../../src/routing/flow/solve-split.ts";
import { columnsThatFit } from "../../../src/routing/search/add-columns.ts";
import { edgesOf, searchOf } from "../../support/trades/search.ts";

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];

test("no more ways are taken than there is room for, one at least", () => {
  const deep = 10n ** 18n;
  const pools = [
    pairOf(1, [A, C], [deep, deep]),
    pairOf(2, [C, B], [deep, deep]),
    pairOf(3, [C, B], [deep, deep]),
    pairOf(4, [C, B], [deep, deep]),
    pairOf(5, [C, B], [deep, deep]),
  ];
  const search = searchOf({ kind: "exactOut", sellToken: A, buyToken: B, buyAmount: 10n ** 12n }, pools);
  const edges = edgesOf(search);
  const inPool = (n: number) => edges.filter(({ pool }) => pool.id === addressOf(n, "pool"));
  const flow = solveSplit(search, [...inPool(1), ...inPool(2)], { side: "exactIn", amount: 1e12 }, new Map());
  if (flow === undefined) throw new Error("no flow");
  const columns = [3, 4, 5].map((n) => ({ edges: inPool(n), profit: 1, gain: 1, logPrices: () => new Map() }));
  const fitting = (room: number) => columnsThatFit(search, flow, columns, 40, room).length;
  expect([0, 1, 2, 3, 6].map(fitting)).toEqual([1, 1, 2, 3, 3]);
});
