import { describe, expect, it } from "vitest";
import { randomOf } from "../../fixtures/random.ts";
import { answerTo } from "../../fixtures/routing/answer.ts";
import { addressOf } from "../../fixtures/routing/pools.ts";
import { costAt } from "../../fixtures/routing/request.ts";
import type { Address } from "../../src/domain/address.ts";
import { fillsOf } from "../../src/domain/route.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { certifiedTrade } from "../support/trades/certified-trade.ts";

const TIME = 1_700_000_000n;
/** Gas of a stable pool that writes its price down. */
const DEAREST = 195_000n;
const E18 = 10n ** 18n;
const [sellToken, buyToken, middle] = [1, 2, 3].map((n) => addressOf(n)) as [Address, Address, Address];

/** A pool of Solidly's kind: quiet for longer than half an hour, so that the next pool use writes its price down, or not. */
function solidlyOf(
  n: number,
  tokens: readonly [Address, Address],
  held: bigint,
  { quiet, stable = false }: { readonly quiet: boolean; readonly stable?: boolean },
): Pool {
  const lastObservation = TIME - (quiet ? 1_801n : 1_800n);
  return {
    ...{ id: addressOf(n, "pool"), source: "Velodrome_V2", tokens, curve: "solidly" },
    state: { stable, reserves: [held, held], units: [E18, E18], feeBps: 5n, paused: false, lastObservation },
  };
}

describe("the bound of a trade over pools whose first pool use writes down their price", () => {
  const trades = Array.from({ length: 200 }, (_, seed) => {
    const random = randomOf(seed);
    const size = (least: number, most: number) => BigInt(Math.round(10 ** (least + (most - least) * random())));
    const pairs = [
      [sellToken, buyToken],
      [sellToken, buyToken],
      [sellToken, middle],
      [middle, buyToken],
    ] as const;
    const pools = pairs.map((pair, n) =>
      solidlyOf(n, pair, size(19, 21), { quiet: random() < 0.5, stable: random() < 0.5 }),
    );
    const sellAmount = size(17, 19);
    const use = sellAmount / size(1.7, 2.7);
    return { seed, use, ...certifiedTrade([sellToken, buyToken], pools, { sellAmount, use, time: TIME }) };
  });

  it("is never beaten by exhaustive search", () => {
    expect(trades.filter(({ best, bound }) => best > bound).map(({ seed }) => seed)).toEqual([]);
  });

  it("is within one pool use of the dearest pool of the route, which pays as much as any", () => {
    const open = trades.filter(({ bound, achieved, use }) => bound - achieved > (use * DEAREST) / 60_000n);
    expect(open.map(({ seed }) => seed)).toEqual([]);
    const less = trades.filter(({ best, achieved, use }) => best - achieved > use / 100n);
    expect(less.map(({ seed }) => seed)).toEqual([]);
  });
});

it("sells to a pool that was just traded with rather than to one that writes its price down for it", () => {
  const pools = [true, false].map((quiet, n) => solidlyOf(n, [sellToken, buyToken], 1_000n * E18, { quiet }));
  const order = { kind: "exactIn", sellToken, buyToken, sellAmount: E18 } as const;
  const result = answerTo(
    order,
    pools,
    costAt(1n, () => ({ num: 10n ** 10n, den: 1n })),
  );
  if (!result.found) throw new Error("no route");
  expect(fillsOf(result.route).map(({ poolId, gas }) => [poolId, gas])).toEqual([[pools[1]!.id, 112_000n]]);
});
