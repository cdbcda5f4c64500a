import { expect, test } from "vitest";
import { addressOf, concentratedOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Address } from "../../../src/domain/address.ts";
import { mathOf, type Pool } from "../../../src/pools/pool.ts";
import type { Edge } from "../../../src/routing/edges/edges.ts";
import { findColumns } from "../../../src/routing/paths/columns.ts";
import { startingFlow } from "../../../src/routing/paths/starting-flow.ts";
import { makerOf } from "../../support/trades/maker-trade.ts";
import { searchOf } from "../../support/trades/search.ts";
import { stableOf } from "../../support/trades/stable-pool.ts";

const [A, B, C, D, E, F] = [1, 2, 3, 4, 5, 6].map((n) => addressOf(n)) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];

/** The columns of the best single path for 10^14 of A into B over these pools, for a parcel worth 10^11. */
function columnsOver(pools: readonly Pool[], maxHops: number) {
  const order = { kind: "exactIn", sellToken: A, buyToken: B, sellAmount: 10n ** 14n } as const;
  const search = searchOf(order, pools, { maxHops });
  const flow = startingFlow(search);
  if (flow === undefined) throw new Error("no path");
  return findColumns(search, flow, 1e11);
}

test("a way over a pool that is deeper than the trade by far is worth what the narrow pool behind it gives", () => {
  const pools = [
    pairOf(1, [A, B], [10n ** 15n, 10n ** 15n]),
    pairOf(2, [A, C], [10n ** 30n, 10n ** 30n]),
    pairOf(3, [B, C], [10n ** 12n, 10n ** 12n]),
  ];
  const [column] = columnsOver(pools, 4);
  // The price in the first pool has moved by a sixth: the narrow pool is moved as far, and half of that is earned on average.
  expect(column?.edges.map(({ pool }) => pool.id)).toEqual([addressOf(2, "pool"), addressOf(3, "pool")]);
  expect(column?.profit).toBeGreaterThan(5e9);
});

test("a way is worth what its last pool gives where that has no room for more", () => {
  const deep = pairOf(2, [A, C], [10n ** 30n, 10n ** 30n]);
  // Pays a hundred times too much for what it has room for.
  const full = concentratedOf(3, [B, C], -46_054, 10n ** 15n, { width: 1 });
  const [column] = columnsOver([pairOf(1, [A, B], [10n ** 15n, 10n ** 15n]), deep, full], 4);
  expect(column?.edges.map(({ pool }) => pool.id)).toEqual([deep.id, full.id]);
  expect(column?.profit).toBeGreaterThan(0);
  expect(column?.profit).toBeGreaterThanOrEqual(column?.gain ?? Number.POSITIVE_INFINITY);
});

test("a way off the flow may be as long as a path over other pools allows it to be", () => {
  const pools = [
    pairOf(1, [A, C], [10n ** 16n, 10n ** 16n]),
    pairOf(2, [C, D], [10n ** 16n, 10n ** 16n]),
    pairOf(3, [D, B], [10n ** 16n, 10n ** 16n]),
    pairOf(4, [D, E], [10n ** 15n, 10n ** 15n]),
    pairOf(5, [E, B], [10n ** 15n, 11n * 10n ** 14n]),
    // Too narrow for the trade, but a path of three pools by D.
    pairOf(6, [A, D], [10n ** 6n, 10n ** 6n]),
  ];
  const chains = (columns: ReturnType<typeof columnsOver>) =>
    columns.map(({ edges }) => edges.map(({ pool }) => pool.id).join());
  const further = [addressOf(4, "pool"), addressOf(5, "pool")].join();
  expect(chains(columnsOver(pools, 3))).toContain(further);
  expect(chains(columnsOver(pools.slice(0, 5), 3))).not.toContain(further);
});

test("a way is found where more of a token on it comes from another one that it cannot go on from", () => {
  const pools = [
    pairOf(1, [A, C], [10n ** 16n, 10n ** 16n]),
    pairOf(2, [C, B], [10n ** 16n, 10n ** 16n]),
    // From C most of D comes, but the only pool that D leads on to goes back to C.
    pairOf(3, [C, D], [10n ** 14n, 12n * 10n ** 13n]),
    pairOf(4, [A, D], [10n ** 14n, 11n * 10n ** 13n]),
    pairOf(5, [D, C], [10n ** 14n, 10n ** 14n]),
  ];
  const chains = columnsOver(pools, 4).map(({ edges }) => edges.map(({ pool }) => pool.id).join());
  expect(chains).toContain([addressOf(4, "pool"), addressOf(5, "pool")].join());
});

test("ways come in the order of what they earn on what the flow has, not on more than the whole trade", () => {
  const pools = [
    // The best path: a parcel more is worth three quarters.
    pairOf(1, [A, B], [10n ** 14n, 3n * 10n ** 14n]),
    // A third more than that for any amount.
    pairOf(2, [A, B], [10n ** 30n, 101n * 10n ** 28n]),
    // Four times as much at first.
    pairOf(3, [A, B], [5n * 10n ** 13n, 15n * 10n ** 13n]),
  ];
  const columns = columnsOver(pools, 4);
  expect(columns.map(({ edges }) => edges[0]?.pool.id)).toEqual([addressOf(3, "pool"), addressOf(2, "pool")]);
  expect(columns[1]?.profit).toBeGreaterThan(1e6 * (columns[0]?.profit as number));
});

test("a way over fewer pools is followed on where a larger amount has come over too many to go on", () => {
  const deep = 10n ** 18n;
  const pools = [
    pairOf(1, [A, B], [10n ** 15n, 10n ** 15n]),
    // More of C comes by D, but from there it is three more pools.
    pairOf(2, [A, D], [deep, deep]),
    pairOf(3, [A, C], [deep, deep]),
    pairOf(4, [D, C], [deep, (12n * deep) / 10n]),
    pairOf(5, [C, E], [deep, deep]),
    pairOf(6, [E, F], [deep, deep]),
    pairOf(7, [F, B], [deep, (9n * deep) / 10n]),
  ];
  const further = [3, 5, 6, 7].map((n) => addressOf(n, "pool")).join();
  const chains = columnsOver(pools, 4).map(({ edges }) => edges.map(({ pool }) => pool.id).join());
  expect(chains).toContain(further);
});

test("the best amount of a way over pools that keep a product leaves it no better and no worse than the flow", () => {
  const pools = [
    pairOf(1, [A, B], [10n ** 15n, 10n ** 15n]),
    pairOf(2, [A, C], [10n ** 13n, 10n ** 14n]),
    pairOf(3, [B, C], [3n * 10n ** 13n, 10n ** 14n]),
  ];
  const [column] = columnsOver(pools, 4);
  const [first, second] = column?.edges ?? [];
  const logPrice = column?.logPrices().get((second as Edge).from) ?? Number.NaN;
  const direct = pools[0] as Pool;
  const flowRate = mathOf(direct).curve(direct.state, { sell: 0, buy: 1 }, 0n)?.marginalRate(1e14) as number;
  const between = second?.curve.sellAmountAtRate(Math.exp(logPrice)) as number;
  const { curve, spot, depth } = first as Edge;
  const rate = curve.marginalRate(between / (spot - between / depth)) * Math.exp(logPrice);
  expect(Math.abs(rate / flowRate - 1)).toBeLessThan(1e-9);
});

test("a way over a pool that the flow uses for another pair does not hide one beside it that pays less", () => {
  const held = 10n ** 16n;
  const pools = [
    stableOf(1, [A, C, D], [held, held, held]),
    pairOf(2, [C, B], [held, held]),
    pairOf(3, [D, B], [held / 2n, held / 2n]),
    makerOf(4, [A, D], held, { best: 9_950n }),
  ];
  const ways = columnsOver(pools, 4).map(({ edges }) => edges.map(({ pool }) => Number(pool.id.slice(-4))));
  expect(ways).toEqual([[4, 3]]);
});
