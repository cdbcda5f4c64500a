import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressOf } from "../../../fixtures/routing/pools.ts";
import { budgetOf, graphOf } from "../../../fixtures/routing/request.ts";
import type { Address } from "../../../src/domain/address.ts";
import { fillsOf } from "../../../src/domain/route.ts";
import { ALL_ON } from "../../../src/domain/switches.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { exclusionOf, limitsKey, type RouteLimits } from "../../../src/quoting/answer/route-limits.ts";
import { allowedBy } from "../../../src/quoting/search/pool-filter.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import { costOfGas } from "../../../src/routing/network-cost.ts";
import type { RouteRequest } from "../../../src/routing/router.ts";
import { allPaths, exhaustiveBest } from "../../support/trades/exhaustive.ts";
import { smallTrade } from "../../support/trades/small-trade.ts";

const COUNT = process.env.TRIBUTARY_LONG === "1" ? 1_500 : 150;
const NO_LIMITS: RouteLimits = { excludedPools: [], excludedTokens: [], connectorTokens: [] };

/** A trade in a seeded small universe within limits that cut into its best route, with that route as one that is known. */
function limitedTrade(seed: number) {
  const { pools, order, cost } = smallTrade(seed, seed % 2 === 0 ? "exactIn" : "exactOut");
  const router = createRouter();
  const ask = (limits: RouteLimits, more: Partial<RouteRequest> = {}) => {
    const { connectorTokens, maxHops = 4, maxFills = 128 } = limits;
    const filter = { sources: { kind: "all" }, without: new Set<string>(), off: ALL_ON, keptOut: new Map() } as const;
    return router.findBest({
      ...{ order, graph: graphOf(pools), cost, budget: budgetOf({ maxHops, maxFills }) },
      allows: allowedBy({ ...filter, limits }, order),
      ...(connectorTokens.length > 0 && { connectors: new Set(connectorTokens) }),
      ...more,
    });
  };
  const free = ask(NO_LIMITS);
  if (!free.found) return undefined;
  const ends: readonly Address[] = [order.sellToken, order.buyToken];
  const fills = fillsOf(free.route);
  const between = [...new Set(fills.flatMap(({ sellToken, buyToken }) => [sellToken, buyToken]))].filter(
    (token) => !ends.includes(token),
  );
  const kinds: readonly RouteLimits[] = [
    { ...NO_LIMITS, excludedPools: fills.slice(0, 1).map(({ poolId }) => poolId) },
    { ...NO_LIMITS, excludedTokens: between.slice(0, 1) },
    { ...NO_LIMITS, connectorTokens: [between[seed % Math.max(1, between.length)] ?? addressOf(99)] },
    { ...NO_LIMITS, connectorTokens: [addressOf(99)] },
    { ...NO_LIMITS, maxHops: 1 + (seed % 3) },
    { ...NO_LIMITS, maxFills: 1 + (seed % 3) },
    { ...NO_LIMITS, excludedPools: fills.slice(0, 1).map(({ poolId }) => poolId), maxHops: 2, maxFills: 2 },
  ];
  const limits = kinds[seed % kinds.length] as RouteLimits;
  const known = { sellAmount: free.route.sellAmount, buyAmount: free.route.buyAmount, uses: fills };
  return { order, pools, cost, ends, limits, free, cold: ask(limits), warm: ask(limits, warmWith(known)) };
}

const warmWith = (known: NonNullable<RouteRequest["warm"]>["routes"][number]): Partial<RouteRequest> => ({
  warm: { routes: [known], explores: false },
});

describe("routes within the limits of a request", () => {
  const trades = Array.from({ length: COUNT }, (_, seed) => ({ seed, trade: limitedTrade(seed) })).flatMap(
    ({ seed, trade }) => (trade === undefined ? [] : [{ seed, ...trade }]),
  );

  it("keep to them, whatever route is known from before", () => {
    expect(trades.length).toBeGreaterThan(COUNT / 2);
    let cut = 0;
    for (const { seed, ends, limits, pools, free, cold, warm } of trades) {
      const byId = new Map(pools.map((pool) => [pool.id, pool]));
      const isExcluded = exclusionOf(limits);
      for (const result of [cold, warm]) {
        if (!result.found) continue;
        const fills = fillsOf(result.route);
        expect(
          fills.filter(({ poolId }) => isExcluded(byId.get(poolId) as Pool)),
          `seed ${seed}`,
        ).toEqual([]);
        expect(fills.length, `seed ${seed}`).toBeLessThanOrEqual(limits.maxFills ?? 128);
        const { connectorTokens, maxHops = 4 } = limits;
        const tokens = fills.flatMap(({ sellToken, buyToken }) => [sellToken, buyToken]);
        if (connectorTokens.length > 0)
          expect(tokens.filter((token) => !ends.includes(token) && !connectorTokens.includes(token))).toEqual([]);
        if (maxHops === 1) expect(tokens.filter((token) => !ends.includes(token))).toEqual([]);
      }
      if (
        JSON.stringify(fillsOf(free.route).map(({ poolId }) => poolId)) !==
        JSON.stringify(cold.found && fillsOf(cold.route).map(({ poolId }) => poolId))
      )
        cut++;
    }
    expect(cut).toBeGreaterThan(trades.length / 4);
  });

  it("are never beaten by exhaustive search above their bound", () => {
    let compared = 0;
    for (const { seed, order, pools, cost, ends, limits, cold, warm } of trades) {
      if (order.kind !== "exactIn") continue;
      const isExcluded = exclusionOf(limits);
      const { connectorTokens, maxHops = 4, maxFills } = limits;
      const mayLeadOver = (token: Address) =>
        ends.includes(token) || connectorTokens.length === 0 || connectorTokens.includes(token);
      const paths = allPaths(
        pools.filter((pool) => !isExcluded(pool)),
        order.sellToken,
        order.buyToken,
        maxHops,
      ).filter((path) =>
        path.every(({ pool, sell, buy }) => [sell, buy].every((at) => mayLeadOver(pool.tokens[at] as Address))),
      );
      const costOf = (gas: bigint) => costOfGas(cost, order.buyToken, gas);
      const best = exhaustiveBest(paths, order.sellAmount, graphOf(pools).time, costOf, maxFills);
      if (best === undefined) continue;
      for (const result of [cold, warm]) {
        expect(result.found, `seed ${seed} has a route`).toBe(true);
        if (!result.found || result.certificate === undefined) continue;
        expect(best <= result.certificate.bound, `seed ${seed}`).toBe(true);
        expect(result.certificate.achieved <= result.certificate.bound, `seed ${seed}`).toBe(true);
      }
      compared++;
    }
    expect(compared).toBeGreaterThan(COUNT / 5);
  });
});

describe("pools that a request leaves out", () => {
  const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];
  const pool = (id: string, tokens: readonly Address[] = [A, B]): Pool => ({
    ...{ id, source: "Any", tokens, curve: "constant-product" },
    state: { reserves: [1n, 1n], feeNum: 3n, feeDen: 1_000n },
  });
  const order = (id: string): Pool => ({ ...pool(id), curve: "levels", state: { bids: [], asks: [] } as never });
  const without = (...excludedPools: string[]) => exclusionOf({ ...NO_LIMITS, excludedPools });

  it("are those with an id, or with an address that the id begins with", () => {
    expect(without(A)(pool(A))).toBe(true);
    expect(without(A)(pool(`${A}000200000000000000000001`))).toBe(true);
    expect(without(`${A}000200000000000000000001`)(pool(A))).toBe(false);
    expect(without(B)(pool(A))).toBe(false);
  });

  it("are a maker's pair in either direction", () => {
    const id = `maker:desk:${A}:${B}`;
    for (const one of [id, `maker:desk:${B}:${A}`]) expect(without(id)(order(one))).toBe(true);
    expect(without(id)(order(`maker:other:${A}:${B}`))).toBe(false);
  });

  it("are those that hold a token", () => {
    const excluded = exclusionOf({ ...NO_LIMITS, excludedTokens: [C] });
    expect(excluded(pool(A, [A, B, C]))).toBe(true);
    expect(excluded(pool(A, [A, B]))).toBe(false);
  });
});

it("tells limits apart that allow other routes", () => {
  const list = fc.uniqueArray(fc.constantFrom(addressOf(1), addressOf(2), addressOf(3))).map((items) => items.sort());
  const count = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined });
  const limits = fc
    .record({ excludedPools: list, excludedTokens: list, connectorTokens: list, maxHops: count, maxFills: count })
    .map(({ maxHops, maxFills, ...lists }) => ({
      ...lists,
      ...(maxHops !== undefined && { maxHops }),
      ...(maxFills !== undefined && { maxFills }),
    }));
  fc.assert(
    fc.property(limits, limits, (one, other) => {
      expect(limitsKey(one) === limitsKey(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
  );
});
