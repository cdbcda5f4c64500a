import { describe, expect, it } from "vitest";
import { createRandom, randomOf } from "../../../fixtures/random.ts";
import { addressOf, concentratedOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { budgetOf, costAt, FREE, graphOf } from "../../../fixtures/routing/request.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import { fillsOf, SHARE_ONE } from "../../../src/domain/route.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { largestFillable } from "../../../src/quoting/search/largest-fillable.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import { evaluatePlan } from "../../../src/routing/plan/execution.ts";
import { shareOf } from "../../../src/routing/plan/plan.ts";
import type { RouteRequest, RouteResult } from "../../../src/routing/router.ts";
import { anyPool } from "../../support/trades/any-pools.ts";
import { smallUniverse } from "../../support/trades/small-universe.ts";

const [A, B, C, D, E] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4), addressOf(5)];
const E18 = 10n ** 18n;

function asked(pools: readonly Pool[], order: SwapOrder, more: Partial<RouteRequest> = {}): RouteRequest {
  return { order, graph: graphOf(pools), allows: () => true, cost: FREE, budget: budgetOf(), ...more };
}

function find(pools: readonly Pool[], order: SwapOrder, more: Partial<RouteRequest> = {}): RouteResult {
  return createRouter().findBest(asked(pools, order, more));
}

/** The amount that a refusal for want of liquidity names. */
async function mostOf(pools: readonly Pool[], order: SwapOrder): Promise<bigint> {
  const router = createRouter();
  const request = asked(pools, order);
  const refused = router.findBest(request);
  if (refused.found || refused.reason.kind !== "NOT_ENOUGH_LIQUIDITY") throw new Error("not refused");
  return (await largestFillable(router, request, refused.reason, async () => undefined)) ?? 0n;
}

function sell(sellAmount: bigint, sellToken = A, buyToken = B): SwapOrder {
  return { kind: "exactIn", sellToken, buyToken, sellAmount };
}

function buy(buyAmount: bigint, sellToken = A, buyToken = B): SwapOrder {
  return { kind: "exactOut", sellToken, buyToken, buyAmount };
}

function routeOf(result: RouteResult) {
  if (!result.found) throw new Error(`no route: ${result.reason.kind}`);
  return result.route;
}

function idsOf(result: RouteResult) {
  return fillsOf(routeOf(result)).map((fill) => fill.poolId);
}

describe("a way that is longer than a route may be", () => {
  const stops = Array.from({ length: 8 }, (_, index) => addressOf(index + 1));
  const chain = stops.slice(1).map((stop, index) => pairOf(index + 1, [stops[index] as Address, stop], [E18, E18]));
  const ends = [A, stops[7] as Address] as const;

  it("is found where the route may have as many fills, in either direction", () => {
    const budget = budgetOf({ maxHops: 7, maxFills: 7 });
    expect(idsOf(find(chain, sell(1_000_000n, ...ends), { budget }))).toHaveLength(7);
    expect(idsOf(find(chain, buy(1_000_000n, ...ends), { budget }))).toHaveLength(7);
  });

  it.each([sell(1_000_000n, ...ends), buy(1_000_000n, ...ends)])("is no route where it may not: $kind", (order) => {
    expect(find(chain, order, { budget: budgetOf({ maxHops: 7, maxFills: 6 }) }).found).toBe(false);
  });
});

describe("a pool that pays more and uses more gas", () => {
  const plain = concentratedOf(1, [A, B], 0, 66n * E18);
  if (plain.curve !== "concentrated") throw new Error("another curve");
  // Ten more ticks that a swap has to cross, at next to no liquidity.
  const crossed = Array.from({ length: 10 }, (_, i) => ({
    index: -60 * (i + 1),
    liquidityNet: 1n,
    liquidityGross: 1n,
  }));
  const ticks = [...plain.state.ticks, ...crossed].sort((a, b) => a.index - b.index);
  const dear: Pool = { ...plain, state: { ...plain.state, ticks } };
  const cheap = pairOf(2, [A, B], [10n ** 24n, (10n ** 24n * 967n) / 1000n]);
  const idsAt = (gasPrice: bigint) => {
    const cost = costAt(gasPrice, () => ({ num: 1n, den: 1n }));
    return idsOf(find([dear, cheap], sell(E18), { cost }));
  };

  it("gives way to one that is cheaper to use where that is worth more", () => {
    expect(idsAt(1n)).toEqual([dear.id]);
    expect(idsAt(10n ** 12n)).toEqual([cheap.id]);
  });

  it("gives way to one that takes more than its least where a trade is worth less than its gas", () => {
    const middling: Pool = {
      ...{ id: addressOf(3, "pool"), source: "Balancer_V2", tokens: [A, B], curve: "weighted" },
      state: {
        ...{ balances: [10n ** 24n, 5n * 10n ** 23n], weights: [E18 / 2n, E18 / 2n], scales: [1n, 1n] },
        ...{ swapFee: E18 / 1000n, paused: false },
      },
    };
    const cost = costAt(10n ** 14n, () => ({ num: 1n, den: 1n }));
    expect(idsOf(find([dear, middling], sell(E18), { cost }))).toEqual([middling.id]);
  });
});

describe("a stability module", () => {
  const state = { dai: 10n ** 24n, gem: 10n ** 12n, tin: 0n, tout: 0n, to18: 10n ** 12n };
  const psm: Pool = { id: addressOf(9, "pool"), source: "PSM", tokens: [A, B], curve: "psm", state };
  const pools = [psm, pairOf(1, [A, B], [10n ** 24n, 10n ** 12n])];

  it("takes what is sold where it takes all of it, and else has no part: the taker pays what the route says", () => {
    expect(idsOf(find(pools, sell(10n ** 21n)))).toEqual([psm.id]);
    expect(idsOf(find(pools, sell(10n ** 21n + 1n)))).toEqual([addressOf(1, "pool")]);
  });
});

describe("amounts at the ends of the scale", () => {
  it("sells one wei where that buys something", () => {
    const pools = [pairOf(1, [A, B], [1000n, 2_000_000n]), pairOf(2, [A, B], [E18, E18])];
    expect(routeOf(find(pools, sell(1n))).buyAmount).toBe((997n * 2_000_000n) / (1000n * 1000n + 997n));
  });

  it("sells a few base units where a fee that is rounded up takes least of them", () => {
    const dear = concentratedOf(1, [A, B], 138_162, 10n ** 15n);
    const plain = pairOf(2, [A, B], [10n ** 12n, 99n * 10n ** 16n]);
    expect(routeOf(find([dear, plain], sell(5n))).buyAmount).toBe(
      (5n * 997n * 99n * 10n ** 16n) / (10n ** 15n + 4985n),
    );
  });

  it("sells what buys nothing on the way that is cheapest to use, and less than its gas on another", () => {
    const pools = [
      pairOf(1, [A, C], [555_000n, 2_000n]),
      pairOf(2, [A, D], [E18, E18]),
      pairOf(3, [D, C], [E18, E18 / 10n]),
      pairOf(4, [C, B], [E18, E18 / 2n]),
    ];
    const cost = costAt(10n ** 10n, () => ({ num: 1n, den: 1n }));
    expect(routeOf(find(pools, sell(555n), { cost })).buyAmount).toBe(27n);
    // A longer way pays more, but not its gas.
    const longer = [pairOf(5, [D, E], [E18, E18]), pairOf(6, [E, C], [E18, E18 / 2n])];
    expect(routeOf(find([...pools, ...longer], sell(555n))).buyAmount).toBeGreaterThan(27n);
    expect(routeOf(find([...pools, ...longer], sell(555n), { cost })).buyAmount).toBe(27n);
  });

  it("gives pools that pay coarse units no more than these take", () => {
    // A base unit of C is worth 45 bp of this trade.
    const coarse = [1n, 3n, 7n].map((part, i) => pairOf(i + 1, [A, C], [part * 10n ** 20n, part * 10_000n]));
    const pools = [...coarse, pairOf(4, [C, B], [10n ** 5n, 10n ** 21n]), pairOf(5, [A, B], [10n ** 20n, 10n ** 20n])];
    const result = find(pools, sell((22n * E18) / 10n));
    if (!result.found || result.certificate === undefined) throw new Error("no route");
    const { bound, achieved } = result.certificate;
    expect(Number(bound) / Number(achieved) - 1).toBeLessThan(1e-5);
  });

  it("leaves out a pool whose fee, rounded up, takes more than the pool brings", () => {
    // A base unit of C is worth 5 bp of this trade: where two pools take C, both of them round their fee up by one.
    const pools = [
      pairOf(1, [A, C], [10n ** 20n, 100_000n]),
      concentratedOf(2, [C, B], 345_405, 10n ** 22n),
      pairOf(4, [A, B], [10n ** 20n, 10n ** 20n]),
    ];
    const other = concentratedOf(3, [C, B], 345_405, 10n ** 22n);
    const few = routeOf(find(pools, sell(2n * E18)));
    expect(fillsOf(few)).toHaveLength(3);
    expect(routeOf(find([...pools, other], sell(2n * E18))).buyAmount).toBeGreaterThanOrEqual(few.buyAmount);
  });

  it("says that an amount is too small to buy anything", () => {
    expect(find([pairOf(1, [A, B], [2_000_000n, 1000n])], sell(1n))).toEqual({
      found: false,
      reason: {
        kind: "TOO_SMALL",
        at: { poolId: expect.any(String), source: "Uniswap_V2", sellToken: A, buyToken: B },
      },
    });
  });

  it("refuses an amount beyond all liquidity and names the most, which then can be filled", async () => {
    const pools = [
      concentratedOf(1, [A, B], 0, 10n ** 21n),
      concentratedOf(2, [A, C], 0, 10n ** 21n),
      concentratedOf(3, [C, B], 0, 10n ** 20n),
    ];
    const most = await mostOf(pools, sell(10n ** 24n));
    expect(most).toBeGreaterThan(6n * 10n ** 19n);
    expect(find(pools, sell(most)).found).toBe(true);
  });

  it("sells what needs many pools to find room, whatever gas these take", () => {
    const pools = [
      [1, 4, 0, 15, 3],
      [1, 2, -27, 13, 1],
      [1, 8, 162, 26, 3],
      [2, 8, -199, 28, 1],
      [2, 6, 0, 33, 2],
      [2, 9, -200, 16, 3],
      [4, 5, 162, 13, 2],
      [5, 6, 0, 39, 2],
      [6, 7, -104, 11, 1],
      [6, 9, 0, 4, 3],
      [7, 8, 0, 21, 1],
      [8, 9, 0, 23, 3],
    ].map(([a = 0, b = 0, tick = 0, liquidity = 0, width = 0], n) =>
      concentratedOf(n, [addressOf(a), addressOf(b)], tick, BigInt(liquidity) * E18, { width }),
    );
    const order = sell(400_000_000_000_000_000n, A, addressOf(9));
    const dear = { cost: costAt(10n ** 14n, () => ({ num: 1n, den: 1n })) };
    expect(idsOf(find(pools, order)).length).toBeGreaterThan(5);
    expect(idsOf(find(pools, order, dear)).length).toBeGreaterThan(5);
  });

  it("refuses to buy more than pools hold", () => {
    const refused = find([pairOf(1, [A, B], [1000n * E18, 1000n * E18])], buy(1001n * E18));
    expect(refused.found ? "found" : refused.reason.kind).toBe("NOT_ENOUGH_LIQUIDITY");
  });

  it("trades tokens of 0 to 24 decimals against each other, both ways round", () => {
    for (let decimals = 0; decimals <= 24; decimals += 4) {
      const unit = 10n ** BigInt(decimals);
      const pools = [pairOf(1, [A, C], [10n ** 8n * unit, 10n ** 26n]), pairOf(2, [C, B], [10n ** 26n, 10n ** 8n])];
      const sold = routeOf(find(pools, sell(1000n * unit)));
      expect(Number(sold.buyAmount)).toBeGreaterThan(990);
      expect(Number(sold.buyAmount)).toBeLessThanOrEqual(1000);
      const bought = routeOf(find(pools, buy(500n)));
      expect(bought.buyAmount).toBe(500n);
      expect(Number(bought.sellAmount) / Number(unit)).toBeCloseTo(500, -1);
    }
  });
});

describe("a pool of few base units", () => {
  it("is asked for no more of them than it has: other pools pay the rest of what an amount to buy takes", () => {
    const pools = [
      pairOf(1, [A, C], [162_255_818_902_381n, 9n]),
      pairOf(2, [C, B], [162n, 32_454_105_573_916n]),
      pairOf(3, [A, C], [155_782_027_731_405n, 7n]),
    ];
    expect(new Set(idsOf(find(pools, buy(2_537_551_095_205n))))).toEqual(new Set(pools.map(({ id }) => id)));
  });

  it("is told beside all others that are asked for too much, with the part that it has", () => {
    const leaf = (pool: Pool) => ({ pool, direction: { sell: 0, buy: 1 }, share: SHARE_ONE / 2n });
    const [few, some, many] = [
      pairOf(1, [A, B], [E18, 41n]),
      pairOf(2, [A, B], [E18, 21n]),
      pairOf(3, [A, B], [E18, E18]),
    ];
    const [first, second, third] = [leaf(few), leaf(some), leaf(many)];
    const order = { kind: "exactOut", sellToken: A, buyToken: B, buyAmount: 100n } as const;
    expect(evaluatePlan([first, second, { ...third, share: SHARE_ONE }], order, 0n)).toMatchObject({
      broken: [
        { use: first, part: 0.8 },
        { use: second, part: 0.8 },
      ],
    });
  });
});

describe("pools that take no more than they have room for", () => {
  const FULL = 2n ** 112n - 1n;
  const roomFor = (n: number, room: bigint) => pairOf(n, [A, B], [FULL - room, FULL]);

  it("are all told where they are asked to take too much, with the part that they take", () => {
    const use = (pool: Pool) => ({ pool, direction: { sell: 0, buy: 1 }, share: SHARE_ONE / 2n });
    const [first, second] = [use(roomFor(1, 40n)), use(roomFor(2, 20n))];
    const third = { ...use(pairOf(3, [A, B], [E18, E18])), share: SHARE_ONE };
    const order = { kind: "exactIn", sellToken: A, buyToken: B, sellAmount: 100n } as const;
    expect(evaluatePlan([first, second, third], order, 0n)).toMatchObject({
      broken: [
        { use: first, part: 0.8 },
        { use: second, part: 0.8 },
      ],
    });
  });

  it("are filled up beside one that takes all the rest, though shares of that are coarse", () => {
    const rooms = Array.from({ length: 40 }, (_, i) => 10n ** 15n + 37n * 10n ** 9n * BigInt(i));
    const pools = [pairOf(99, [A, B], [10n ** 24n, 5n * 10n ** 23n]), ...rooms.map((room, i) => roomFor(i, room))];
    const sold = new Map(
      fillsOf(routeOf(find(pools, sell(10n ** 20n)))).map(({ poolId, sellAmount }) => [poolId, sellAmount]),
    );
    for (const [i, room] of rooms.entries()) {
      const amount = sold.get(addressOf(i, "pool")) ?? 0n;
      expect(Number(amount) / Number(room)).toBeGreaterThan(0.9998);
    }
  });
});

describe("a pool of more than two tokens", () => {
  const D = addressOf(4);
  const shared: Pool = {
    id: addressOf(1, "pool"),
    source: "Balancer_V2",
    tokens: [A, C, D, B],
    curve: "weighted",
    state: {
      balances: Array.from({ length: 4 }, () => 1000n * E18),
      weights: Array.from({ length: 4 }, () => E18 / 4n),
      scales: Array.from({ length: 4 }, () => 1n),
      swapFee: E18 / 1000n,
      paused: false,
    },
  };
  const generous = pairOf(2, [C, D], [1000n * E18, 1400n * E18]);

  it("is used once in an exact-out route: what it takes is told before, and traded after others", () => {
    const order: Extract<SwapOrder, { kind: "exactOut" }> = {
      kind: "exactOut",
      sellToken: A,
      buyToken: B,
      buyAmount: E18,
    };
    const first = { pool: shared, direction: { sell: 0, buy: 1 }, share: SHARE_ONE };
    const middle = { pool: generous, direction: { sell: 0, buy: 1 }, share: SHARE_ONE };
    const last = { pool: shared, direction: { sell: 2, buy: 3 }, share: SHARE_ONE };
    expect(evaluatePlan([last, middle, first], order, 0n)).toEqual({
      broken: [{ use: first, why: undefined, part: 1 }],
    });

    const other = { ...first, pool: { ...shared, id: addressOf(3, "pool") } };
    expect(evaluatePlan([last, middle, other], order, 0n)).toHaveProperty("fills");
  });
});

describe("a share", () => {
  it("is the least where a flow that found no room has nothing left to give", () => {
    expect(shareOf(0, 0)).toBe(1n);
  });
});

describe("what a request may ask for", () => {
  const pools = [
    pairOf(1, [A, B], [1000n * E18, 1000n * E18]),
    pairOf(2, [A, B], [1000n * E18, 1010n * E18]),
    pairOf(3, [A, C], [1000n * E18, 1000n * E18]),
    pairOf(4, [C, B], [1000n * E18, 1000n * E18]),
  ];

  it("uses no pool that it does not allow", () => {
    expect(idsOf(find(pools, sell(100n * E18)))).toContain(addressOf(2, "pool"));
    const allows = (pool: Pool) => pool.id !== addressOf(2, "pool");
    expect(idsOf(find(pools, sell(100n * E18), { allows }))).not.toContain(addressOf(2, "pool"));
  });

  it("uses fewer pools the dearer gas is", () => {
    const at = (gasPrice: bigint) =>
      idsOf(find(pools, sell(100n * E18), { cost: costAt(gasPrice, () => ({ num: 1n, den: 1n })) })).length;
    expect(at(0n)).toBe(4);
    expect(at(10n ** 13n)).toBeLessThanOrEqual(3);
    expect(at(10n ** 20n)).toBe(1);
  });

  it("keeps to the limits of hops and fills", () => {
    expect(idsOf(find(pools, sell(100n * E18), { budget: budgetOf({ maxHops: 1 }) }))).toHaveLength(2);
    expect(idsOf(find(pools, sell(100n * E18), { budget: budgetOf({ maxFills: 1 }) }))).toEqual([addressOf(2, "pool")]);
  });

  it("takes no token in between over one hop, though pools hold more than two", () => {
    let found = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const random = createRandom(seed);
      const tokens = [A, C, D, B];
      const pools = Array.from({ length: 12 }, (_, n) =>
        anyPool(n, random.chance(0.5) ? tokens : [B, D, C, A], random, false),
      );
      for (const order of [sell(10n ** BigInt(random.below(20))), buy(10n ** BigInt(random.below(20)))]) {
        const result = find(pools, order, { budget: budgetOf({ maxHops: 1 }) });
        if (!result.found) continue;
        found++;
        for (const { sellToken, buyToken } of fillsOf(result.route)) expect([sellToken, buyToken]).toEqual([A, B]);
      }
    }
    expect(found).toBeGreaterThan(20);
  });

  it("gives what it has, with its honest gap, when the deadline has passed", () => {
    const late = find(pools, sell(100n * E18), { budget: budgetOf({ expired: () => true }) });
    const free = find(pools, sell(100n * E18));
    if (!late.found || !free.found) throw new Error("no route");
    expect(late.route.buyAmount).toBeLessThanOrEqual(free.route.buyAmount);
    expect(late.certificate?.bound).toBeGreaterThanOrEqual(free.route.buyAmount);
  });
});

describe("any small universe", () => {
  it("gives the same answer from any router, whatever was asked before", () => {
    const used = createRouter();
    for (let seed = 0; seed < 30; seed++) {
      const { pools, tokens } = smallUniverse(seed);
      const order = sell(10n ** 9n, tokens[0], tokens[1]);
      const request = { order, graph: graphOf(pools), allows: () => true, cost: FREE, budget: budgetOf() };
      expect(used.findBest(request)).toEqual(createRouter().findBest(request));
    }
  });

  it("gives the same answer whatever order its pools came in", () => {
    for (let seed = 0; seed < 30; seed++) {
      const { pools, tokens } = smallUniverse(seed);
      const random = randomOf(seed);
      const mixed = [...pools].map((pool) => ({ pool, at: random() })).sort((a, b) => a.at - b.at);
      const orders = [pools, mixed.map(({ pool }) => pool), [...pools].reverse()];
      const answers = orders.map((list) => find(list, sell(10n ** 9n, tokens[0], tokens[1])));
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    }
  });

  it("buys exactly what was asked for, for no less than the bound", () => {
    let checked = 0;
    for (let seed = 0; seed < 60; seed++) {
      const { pools, tokens, worth, depth } = smallUniverse(seed);
      const buyToken = tokens[2] as Address;
      const part = 10 ** (-4 + 3.5 * randomOf(seed)());
      const buyAmount = BigInt(Math.round((depth * part) / (worth.get(buyToken) as number)));
      const result = find(pools, buy(buyAmount, tokens[0], buyToken));
      if (!result.found || result.certificate === undefined) continue;
      expect(result.route.buyAmount).toBe(buyAmount);
      expect(result.certificate.bound).toBeLessThanOrEqual(result.certificate.achieved);
      checked++;
    }
    expect(checked).toBeGreaterThan(50);
  });
});

describe("universes made to be slow", () => {
  const pools = (count: number, pick: (i: number) => readonly [Address, Address]) =>
    Array.from({ length: count }, (_, i) => pairOf(i, pick(i), [1000n * E18 + BigInt(i), 1000n * E18]));
  const clique: (readonly [Address, Address])[] = [];
  for (let i = 1; i <= 60; i++) for (let j = i + 1; j <= 60; j++) clique.push([addressOf(i), addressOf(j)]);
  const cases: [string, readonly Pool[]][] = [
    ["a clique of 60 tokens", pools(clique.length, (i) => clique[i] as readonly [Address, Address])],
    ["3,000 pools side by side", pools(3000, () => [A, B])],
    [
      "chains of dust",
      [pairOf(9999, [A, B], [E18, E18]), ...pools(3000, (i) => [addressOf(1 + (i % 7)), addressOf(2 + (i % 7))])],
    ],
  ];

  it.each(cases)("answers within a budget of steps and asks once about a pool: %s", (_, universe) => {
    let asked = 0;
    const allows = () => ++asked > 0;
    const result = find(universe, sell(100n * E18), { budget: budgetOf({ maxSteps: 100_000 }), allows });
    expect(routeOf(result).buyAmount).toBeGreaterThan(0n);
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(universe.length);
    expect(fillsOf(routeOf(result)).length).toBeLessThanOrEqual(budgetOf().maxFills);
  });

  it.each(cases)("gets better the more of its time it may use, and is never beaten by its bound: %s", (_, universe) => {
    let before = 0n;
    for (const looks of [0, 5, 1_000_000]) {
      let asked = 0;
      const budget = budgetOf({ expired: () => ++asked > looks });
      const result = find(universe, sell(100n * E18), { budget });
      if (!result.found || result.certificate === undefined) throw new Error("no route");
      const { bound, achieved } = result.certificate;
      expect(bound).toBeGreaterThanOrEqual(achieved);
      // A search that is cut off looks at its clock a few times more, and no further.
      if (looks < 1000) expect(asked).toBeLessThan(looks + 60);
      expect(Number(achieved)).toBeGreaterThanOrEqual(Number(before) * (1 - 1e-9));
      before = achieved;
    }
  });
});

describe("an amount to buy beyond all that pools hold", () => {
  const sizes = [1n, 2n, 3n, 4n].map((size) => size * E18);
  const pools = sizes.map((size, i) => pairOf(i + 1, [A, B], [size, size]));

  it("is refused with nearly all of them as the most, and that has a route", async () => {
    const most = await mostOf(pools, buy(20n * E18));
    expect(most).toBeGreaterThan((99n * E18) / 10n);
    expect(idsOf(find(pools, buy(most)))).toHaveLength(4);
  });

  it("is refused with most of what there is where floats have seen a part of it alone", async () => {
    for (let seed = 0; seed < 30; seed++) {
      const { pools: some, tokens, worth } = smallUniverse(seed);
      const [sellToken, buyToken] = [tokens[0] as Address, tokens[2] as Address];
      const all = BigInt(Math.round(1e9 / (worth.get(buyToken) as number)));
      const refused = buy(all, sellToken, buyToken);
      if (find(some, refused).found) continue;
      const most = await mostOf(some, refused);
      expect(find(some, buy(most, sellToken, buyToken)).found, `seed ${seed}`).toBe(true);
      expect(find(some, buy(2n * most, sellToken, buyToken)).found, `seed ${seed}`).toBe(false);
    }
  });

  it("has a best route wherever it has any, up to nearly all that floats see, for no less than the bound", () => {
    let found = 0;
    const seeds = process.env.TRIBUTARY_LONG === "1" ? 500 : 12;
    for (let seed = 0; seed < seeds; seed++) {
      const { pools: some, tokens, worth } = smallUniverse(seed);
      for (const [sellToken, buyToken] of [
        [tokens[0], tokens[2]],
        [tokens[2], tokens[1]],
      ] as [Address, Address][]) {
        const all = find(some, buy(BigInt(Math.round(1e9 / (worth.get(buyToken) as number))), sellToken, buyToken));
        if (all.found || all.reason.kind !== "NOT_ENOUGH_LIQUIDITY" || all.reason.estimate === undefined) continue;
        for (const part of [0.9, 0.99999, 0.999999]) {
          const order = buy(BigInt(Math.floor(Number(all.reason.estimate) * part)), sellToken, buyToken);
          const any = find(some, order, { isAnyEnough: true });
          if (!any.found) continue;
          found++;
          expect(any.certificate).toBeUndefined();
          const best = find(some, order);
          if (!best.found || best.certificate === undefined) throw new Error(`no best route, seed ${seed}, ${part}`);
          expect(best.route.buyAmount, `seed ${seed}`).toBe(order.kind === "exactOut" ? order.buyAmount : 0n);
          expect(best.certificate.bound, `seed ${seed}`).toBeLessThanOrEqual(best.certificate.achieved);
        }
      }
    }
    expect(found).toBeGreaterThan(20);
  });

  it.each([[111, 1, 0, 56_636_815_992_262_311_936n]])(
    "is bought for no less than the bound where only the search for any route fills it: seed %i",
    (seed, from, to, amount) => {
      const { pools: some, tokens } = smallUniverse(seed);
      const best = find(some, buy(amount, tokens[from] as Address, tokens[to] as Address));
      if (!best.found || best.certificate === undefined) throw new Error("no best route");
      expect(best.certificate.bound).toBeLessThanOrEqual(best.certificate.achieved);
    },
  );
});

describe("any route for an amount", () => {
  const pools = [pairOf(1, [A, B], [2_000_000n, 1000n]), pairOf(2, [C, D], [E18, E18])];
  const why = (order: SwapOrder) => {
    const result = find(pools, order, { isAnyEnough: true });
    return result.found ? "found" : result.reason.kind;
  };

  it("is none for the same reasons as the best one", () => {
    expect(why(sell(10_000n))).toBe("found");
    expect(why(sell(1n))).toBe("TOO_SMALL");
    expect(why(buy(1000n))).toBe("NOT_ENOUGH_LIQUIDITY");
    expect(why(sell(10_000n, A, C))).toBe("NO_PATH");
    expect(why(sell(10_000n, A, E))).toBe("NO_PATH");
  });

  it("is the best path alone where there are no steps for more", () => {
    const both = [pairOf(1, [A, B], [E18, E18]), pairOf(2, [A, B], [E18, E18])];
    const order = buy((3n * E18) / 2n);
    expect(idsOf(find(both, order, { isAnyEnough: true }))).toHaveLength(2);
    expect(find(both, order, { isAnyEnough: true, budget: budgetOf({ maxSteps: 0 }) }).found).toBe(false);
  });
});
