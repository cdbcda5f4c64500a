import { describe, expect, it } from "vitest";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { costAt } from "../../../fixtures/routing/request.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { oddTrade } from "../../support/trades/odd-pools.ts";

const E18 = 10n ** 18n;
const [A, B, C, D] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)];

/** Gap of a bound, in basis points of the route's worth. */
function openBps(order: SwapOrder, pools: Parameters<typeof answerTo>[1], gasPrice = 0n): number {
  const result = answerTo(
    order,
    pools,
    costAt(gasPrice, () => ({ num: 1n, den: 1n })),
  );
  if (!result.found || result.certificate === undefined) throw new Error("no route");
  const { bound, achieved } = result.certificate;
  const open = order.kind === "exactIn" ? bound - achieved : achieved - bound;
  expect(open).toBeGreaterThanOrEqual(0n);
  return (Number(open) / Number(achieved)) * 1e4;
}

describe("the bound of a trade far smaller than an arbitrage that it can reach", () => {
  const pools = [
    pairOf(1, [A, B], [10n ** 6n * E18, 10n ** 6n * E18]),
    pairOf(2, [A, C], [10n ** 6n * E18, 10n ** 6n * E18]),
    pairOf(3, [B, C], [10n ** 6n * E18, 10n ** 6n * E18]),
    // Between C and D one pool pays a twentieth more than the other: thousands of times the trades below.
    pairOf(4, [C, D], [10n ** 6n * E18, 105n * 10n ** 4n * E18]),
    pairOf(5, [C, D], [10n ** 6n * E18, 10n ** 6n * E18]),
  ];
  const orders: readonly SwapOrder[] = [
    { kind: "exactIn", sellToken: A, buyToken: B, sellAmount: E18 },
    { kind: "exactOut", sellToken: A, buyToken: B, buyAmount: E18 },
  ];

  it.each(orders)("does not count what no path of the trade earns: $kind", (order) => {
    expect(openBps(order, pools)).toBeLessThan(1);
  });

  it.each(orders)("takes off the gas of the path, of which a pool use is a tenth of the trade: $kind", (order) => {
    expect(openBps(order, pools, E18 / 600_000n)).toBeLessThan(1);
  });

  it.each(orders)("counts what a path of the trade does earn: $kind", (order) => {
    const through = [...pools, pairOf(6, [D, B], [10n ** 6n * E18, 10n ** 6n * E18])];
    const route = answerTo(order, through);
    expect(route.found && route.route.fills.length).toBe(3);
    expect(openBps(order, through)).toBeLessThan(1);
  });
});

describe("the bound of a trade that more than maxHops pools in a row would serve", () => {
  const [E, F] = [addressOf(5), addressOf(6)];
  const deep = 10n ** 6n * E18;
  // Every pool of the chain A, C, D, E, F, B pays 0.5 % more than its token is worth; each is on a path of four pools too.
  const chain = [A, C, D, E, F, B];
  const pools = [
    ...chain.slice(1).map((token, i) => pairOf(i + 1, [chain[i] as Address, token], [deep, (deep * 1_005n) / 1_000n])),
    pairOf(11, [A, E], [deep, deep]),
    pairOf(12, [C, B], [deep, deep]),
    pairOf(13, [D, B], [deep, deep]),
  ];
  const longest = 1.005 ** 5 * 0.997 ** 5;

  it("is no lower than what they pay", () => {
    const order: SwapOrder = { kind: "exactIn", sellToken: A, buyToken: B, sellAmount: E18 };
    const result = answerTo(order, pools);
    const bound = Number((result.found && result.certificate?.bound) || 0n) / Number(E18);
    expect(bound).toBeGreaterThan(longest * (1 - 1e-5));
    expect(bound).toBeLessThan(longest * (1 + 1e-5));
  });
});

describe("the bound of a trade in the native token, which pools hold in two forms", () => {
  const NATIVE = toAddress("0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee");
  const WRAPPED = addressOf(9);
  const wrapper: Pool = {
    id: WRAPPED,
    source: "Wrapped_Native",
    tokens: [NATIVE, WRAPPED],
    curve: "fixed-rate",
    state: { gas: 18_500n },
  };
  // The wrapped form pays more by half the cost of wrapping.
  const pools = [
    wrapper,
    pairOf(1, [NATIVE, B], [10n ** 6n * E18, 10n ** 6n * E18]),
    pairOf(2, [WRAPPED, B], [10n ** 6n * E18, (10n ** 6n * E18 * 1_015n) / 1_000n]),
  ];

  it("counts the gas of changing its form for the pools that hold the other one", () => {
    const order: SwapOrder = { kind: "exactIn", sellToken: NATIVE, buyToken: B, sellAmount: E18 };
    expect(openBps(order, pools, E18 / 600_000n)).toBeLessThan(1);
  });
});

describe("the bound of a route that uses a pool up to a tick", () => {
  it("counts what the pool pays behind it", () => {
    const { order, pools, cost } = oddTrade(51_234);
    const result = answerTo(order, pools, cost);
    if (!result.found || result.certificate === undefined) throw new Error("no route");
    expect(result.certificate.bound).toBeGreaterThanOrEqual(result.certificate.achieved);
  });
});
