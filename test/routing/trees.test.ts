import { expect, test } from "vitest";
import { USUAL_FEE } from "../../bench/peers/contestants.ts";
import { fantomUniverse } from "../../bench/peers/universe.ts";
import { toAddress } from "../../src/domain/address.ts";
import { fillsOf, SHARE_ONE } from "../../src/domain/route.ts";
import { mathOf } from "../../src/pools/pool.ts";
import { isRejection } from "../../src/pools/pool-math.ts";
import { dealOut } from "../../src/routing/flow/deal-out.ts";
import { invertPositive } from "../../src/routing/flow/linear.ts";
import { evaluateExactOut } from "../../src/routing/plan/evaluate-exact-out.ts";
import { answerTo } from "../support/answer.ts";
import { addressOf, concentratedOf, FREE, graphOf, pairOf, randomOf } from "../support/universe.ts";

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];
const DIRECTION = { sell: 0, buy: 1 };

test("a token is dealt out in full, in no more pieces than producers and wants, and far producers whole where they fit", () => {
  const random = randomOf(11);
  for (let round = 0; round < 200; round++) {
    const producers = Array.from({ length: 1 + Math.floor(8 * random()) }, () => {
      return { buys: 10 ** (3 * random()), play: 0, dear: Math.floor(3 * random()) };
    });
    const all = producers.reduce((sum, { buys }) => sum + buys, 0);
    const parts = Array.from({ length: 1 + Math.floor(8 * random()) }, () => random() + 0.01);
    const sum = parts.reduce((one, other) => one + other, 0);
    const wants = parts.map((part) => ({ amount: (all * part) / sum }));
    const pieces = dealOut(wants, producers);
    expect(pieces.length).toBeLessThan(producers.length + wants.length);
    for (const want of wants) {
      const got = pieces.reduce((sum, piece) => (piece.want === want ? sum + piece.gives : sum), 0);
      expect(got / want.amount).toBeCloseTo(1, 6);
    }
    const dearest = Math.max(...producers.map(({ dear }) => dear));
    const first = producers.filter(({ dear }) => dear === dearest).sort((a, b) => b.buys - a.buys)[0];
    const isAlone = producers.every(({ dear }) => dear === dearest);
    if (first === undefined || isAlone || first.buys > Math.max(...wants.map(({ amount }) => amount))) continue;
    expect(pieces.filter(({ producer }) => producer === first).length).toBe(1);
  }
});

test("producers and wants that are about as large are left to each other", () => {
  const wants = [500, 30, 21, 9, 4].map((amount) => ({ amount }));
  const producers = [31, 504, 29].map((buys) => ({ buys, play: 0.05 * buys, dear: 0 }));
  const pieces = dealOut(wants, producers);
  const madeFor = (amount: number) =>
    pieces.filter(({ want }) => want.amount === amount).map(({ producer }) => producer.buys);
  expect(pieces.length).toBe(5);
  expect(madeFor(500)).toEqual([504]);
  expect(madeFor(21)).toEqual(madeFor(9));
  for (const want of wants) {
    const got = pieces.reduce((sum, piece) => (piece.want === want ? sum + piece.gives : sum), 0);
    expect(got / want.amount).toBeCloseTo(1, 9);
  }
});

test("what producers make too much or too little for a want is left to those that have play", () => {
  const wants = [1_000, 100].map((amount) => ({ amount }));
  const full = { buys: 40, play: 0, dear: 0 };
  const ready = { buys: 62, play: 6, dear: 0 };
  const pieces = dealOut(wants, [{ buys: 998, play: 10, dear: 0 }, full, ready]);
  const givenBy = (one: object) => pieces.flatMap(({ producer, gives }) => (producer === one ? [gives] : []));
  expect([givenBy(full), givenBy(ready)]).toEqual([[40], [60]]);
});

test("a producer is not left to a want where those beside it would have to make more than they can", () => {
  const wants = [1_010, 98].map((amount) => ({ amount }));
  const full = { buys: 1_000, play: 0, dear: 0 };
  const pieces = dealOut(wants, [full, { buys: 108, play: 12, dear: 0 }]);
  expect(pieces.filter(({ producer }) => producer === full).reduce((sum, { gives }) => sum + gives, 0)).toBe(1_000);
  for (const want of wants)
    expect(pieces.reduce((sum, piece) => (piece.want === want ? sum + piece.gives : sum), 0)).toBe(want.amount);
});

test("dealing out ends where an amount is no number, of what is wanted or of what is made", () => {
  const producers = [2, 1].map((dear) => ({ buys: 1, play: 0, dear }));
  expect(dealOut([{ amount: Number.NaN }], producers)).toEqual([]);
  expect(dealOut([{ amount: 1 }], [{ buys: Number.NaN, play: 0, dear: 2 }, ...producers]).length).toBeLessThan(4);
});

test("a touch gives all that the units pay that it takes, and those behind it give less", () => {
  const pools = [pairOf(1, [A, B], [1_000n, 10n ** 12n]), pairOf(2, [A, B], [2_000n, 2n * 10n ** 12n])];
  const [first, second] = pools as [(typeof pools)[number], (typeof pools)[number]];
  const order = { kind: "exactOut", sellToken: A, buyToken: B, buyAmount: 10n ** 9n } as const;
  const plan = [
    { pool: first, direction: DIRECTION, share: SHARE_ONE / 2n, inputs: [] },
    { pool: second, direction: DIRECTION, share: SHARE_ONE, inputs: [] },
  ];
  const route = evaluateExactOut(plan, order, graphOf(pools).time);
  if ("broken" in route) throw new Error("broken");
  const [one] = fillsOf(route);
  const most = mathOf(first).quoteExactIn(first.state, DIRECTION, one?.sellAmount ?? 0n, 0n);
  if (isRejection(most)) throw new Error("rejected");
  // Half of the amount takes 1 unit, as nearly all of it does.
  expect(one?.buyAmount).toBeGreaterThan((most.amount * 99n) / 100n);
  expect(fillsOf(route).reduce((sum, { buyAmount }) => sum + buyAmount, 0n)).toBe(order.buyAmount);
  expect(fillsOf(route).at(-1)?.share).toBe(SHARE_ONE);
});

test("a positive matrix times its inverse is one", () => {
  const size = 6;
  const random = randomOf(5);
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < size; i++)
    for (let j = 0; j < i; j++) {
      const slope = random();
      matrix[i * size + j] = -slope;
      matrix[j * size + i] = -slope;
      matrix[i * size + i]! += slope + 0.1;
      matrix[j * size + j]! += slope;
    }
  matrix[0]! += 1;
  const inverse = matrix.slice();
  invertPositive(inverse, size);
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) {
      let sum = 0;
      for (let k = 0; k < size; k++) sum += (matrix[i * size + k] as number) * (inverse[k * size + j] as number);
      expect(sum).toBeCloseTo(i === j ? 1 : 0, 9);
    }
});

test("a little is not bought by way of a token whose least unit is worth far more", () => {
  const pools = [
    pairOf(1, [A, B], [10n ** 24n, 10n ** 24n], 20n),
    pairOf(2, [A, C], [10n ** 24n, 1_000n]),
    pairOf(3, [C, B], [1_000n, 10n ** 24n]),
  ];
  const result = answerTo({ kind: "exactOut", sellToken: A, buyToken: B, buyAmount: 10n ** 6n }, pools);
  if (!result.found || result.route.kind !== "exactOut") throw new Error("refused");
  expect(result.route.sellAmount).toBeLessThan(1_030_000n);
});

test("a purchase that is short of touches leaves out a full pool that earns little, and the one behind it", () => {
  const pools = [
    ...[1, 2, 3, 4].map((n) => pairOf(n, [A, B], [10n * 10n ** 18n, 10n * 10n ** 18n])),
    concentratedOf(5, [A, C], 100, 10n ** 17n),
    pairOf(6, [C, B], [10n ** 24n, 10n ** 24n]),
  ];
  const order = { kind: "exactOut", sellToken: A, buyToken: B, buyAmount: 4n * 10n ** 18n } as const;
  const poolsFor = (maxFills: number) => {
    const result = answerTo(order, pools, FREE, { maxFills });
    if (!result.found) throw new Error("refused");
    return new Set(fillsOf(result.route).map(({ poolId }) => poolId));
  };
  const idsOf = (some: typeof pools) => new Set(some.map(({ id }) => id));
  expect(poolsFor(6)).toEqual(idsOf(pools));
  expect(poolsFor(4)).toEqual(idsOf(pools.slice(0, 4)));
});

const inLine = fantomUniverse(USUAL_FEE, true);

test.skipIf(inLine === undefined)("producers make more or less where touches are worth more than that loses", () => {
  const order = {
    kind: "exactOut",
    sellToken: toAddress("0x82f0b8b456c1a451378467398982d4834b6829c1"),
    buyToken: toAddress("0x4cdf39285d7ca8eb3f090fda0c069ba5f4145b37"),
    buyAmount: 3_996_397_334_333_595_582_464n,
  } as const;
  const result = answerTo(order, inLine?.pools ?? []);
  if (!result.found || result.certificate === undefined) throw new Error("refused");
  // With as little play as where touches are no lack 85 pools fit into as many touches, and it takes 10 bp more.
  expect(result.certificate.achieved).toBeLessThan(3_003_500_000_000_000_000_000_000n);
});
