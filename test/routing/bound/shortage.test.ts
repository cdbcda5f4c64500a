import fc from "fast-check";
import { expect, test } from "vitest";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { costAt, FREE } from "../../../fixtures/routing/request.ts";
import { oddTrade } from "../../../fixtures/universes/odd-pools.ts";
import { type Fill, fillsOf } from "../../../src/domain/route.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { isHopeless } from "../../../src/routing/bound/relax.ts";
import { shortage } from "../../../src/routing/bound/shortage.ts";
import { searchFlow } from "../../../src/routing/search/search.ts";
import type { Search } from "../../../src/routing/session/search.ts";
import { searchOf } from "../../support/trades/search.ts";

const [A, B, C, D] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)];
const E18 = 10n ** 18n;

/** Any sale brings no more than 100 C and 100 D: some 90 B for each of them, 181 together. */
const pools = [
  pairOf(1, [A, C], [10n * E18, 100n * E18], 0n),
  pairOf(2, [A, D], [1000n * E18, 100n * E18], 0n),
  pairOf(3, [C, B], [1000n * E18, 1000n * E18], 0n),
  pairOf(4, [D, B], [1000n * E18, 1000n * E18], 0n),
];

function searchFor(buyAmount: bigint, among: readonly Pool[] = pools): Search {
  return searchOf({ kind: "exactOut", sellToken: A, buyToken: B, buyAmount }, among, { maxFills: 128 });
}

function isShort(buyAmount: bigint, among?: readonly Pool[]): boolean {
  return shortage(searchFor(buyAmount, among)) !== undefined;
}

test("prices prove that an amount is more than all that the sold token brings, though pools hold it", () => {
  expect(isShort(185n * E18)).toBe(true);
  expect(isShort(182n * E18)).toBe(true);
});

test("what takes all paths together, and far more than a part of it, is not taken for a shortage", () => {
  for (const amount of [100n, 150n, 180n]) {
    expect(isShort(amount * E18)).toBe(false);
    expect(answerTo({ kind: "exactOut", sellToken: A, buyToken: B, buyAmount: amount * E18 }, pools).found).toBe(true);
  }
});

test("an amount that takes 10^15 times what its first part would is not taken for a shortage, and all that a pool holds is", () => {
  const one = [pairOf(1, [A, B], [E18, E18], 0n)];
  const most = E18 - 1000n;
  expect(isShort(most, one)).toBe(false);
  expect(answerTo({ kind: "exactOut", sellToken: A, buyToken: B, buyAmount: most }, one).found).toBe(true);
  expect(isShort((101n * E18) / 100n, one)).toBe(true);
});

test("where it is proven that no route pays an amount nothing is looked for that gas might change", () => {
  const looksFor = (cost: typeof FREE): number => {
    let looks = 0;
    const expired = () => {
      looks++;
      return false;
    };
    const answer = answerTo({ kind: "exactOut", sellToken: A, buyToken: B, buyAmount: 185n * E18 }, pools, cost, {
      expired,
    });
    expect(answer).toMatchObject({ found: false, reason: { kind: "NOT_ENOUGH_LIQUIDITY" } });
    return looks;
  };
  expect(looksFor(costAt(10n ** 11n, () => ({ num: 1n, den: 1n })))).toBe(looksFor(FREE));
});

test("an amount beyond all paths is refused without restarts where pools earn more without any trade", () => {
  const [E, F, G] = [addressOf(5), addressOf(6), addressOf(7)];
  const deep = 10n ** 6n * E18;
  const arbitrage = [
    pairOf(5, [A, E], [E18, E18]),
    pairOf(6, [E, F], [deep, deep]),
    pairOf(7, [F, G], [deep, deep]),
    pairOf(8, [E, G], [deep, 2n * deep]),
  ];
  const search = searchFor(185n * E18, [...pools, ...arbitrage]);
  expect(isHopeless(search, search.amount)).toBe(true);
  expect(searchFlow(search)).toHaveProperty("isImpossible", true);
  const order = { kind: "exactOut", sellToken: A, buyToken: B, buyAmount: 180n * E18 } as const;
  expect(answerTo(order, [...pools, ...arbitrage]).found).toBe(true);
});

test("an amount whose last part costs far more than its first is not taken for a shortage", () => {
  const { pools: some } = oddTrade(693);
  for (const buyAmount of [24_015_135_638_673_081_565_429n, 27_017_027_593_507_216_761_108n]) {
    expect(isShort(buyAmount, some)).toBe(false);
    expect(answerTo({ kind: "exactOut", sellToken: A, buyToken: B, buyAmount }, some).found).toBe(true);
  }
});

/** Whether a weighted pool gives as much at once to who asks for it: three tenths of what it holds. */
function isAskedFor({ poolId, buyToken, buyAmount }: Fill, among: readonly Pool[]): boolean {
  const pool = among.find(({ id }) => id === poolId);
  if (pool?.curve !== "weighted") return true;
  const held = pool.state.balances[pool.tokens.indexOf(buyToken)];
  return held === undefined || 10n * buyAmount <= 3n * held;
}

const RUNS = process.env.TRIBUTARY_LONG === "1" ? 20_000 : 150;

test(`what a route pays is never taken for a shortage, in ${RUNS} trades over pools that stand off by far`, () => {
  const proven = { hopeless: 0, else: 0 };
  const run = fc.property(fc.nat(), fc.integer({ min: 4, max: 30 }), (seed, digits) => {
    const { pools: some } = oddTrade(seed);
    const held = new Set(some.flatMap(({ tokens }) => tokens));
    fc.pre(held.has(A) && held.has(B));
    const result = answerTo({ kind: "exactIn", sellToken: A, buyToken: B, sellAmount: 10n ** BigInt(digits) }, some);
    if (!result.found || result.route.buyAmount === 0n) return;
    const { buyAmount } = result.route;
    const fills = fillsOf(result.route);
    // An exact-out route uses no pool twice, and asks a weighted one for less than it may give for an amount to sell.
    if (new Set(fills.map(({ poolId }) => poolId)).size < fills.length) return;
    if (!fills.every((fill) => isAskedFor(fill, some))) return;
    expect(isShort(buyAmount, some)).toBe(false);
    const more = searchFor(1000n * buyAmount, some);
    if (isShort(1000n * buyAmount, some)) proven[isHopeless(more, more.amount) ? "hopeless" : "else"]++;
  });
  fc.assert(run, { numRuns: RUNS, seed: 7 });
  expect(proven.hopeless).toBeGreaterThan(RUNS / 30);
  expect(proven.else).toBeGreaterThan(RUNS / 30);
}, 600_000);
