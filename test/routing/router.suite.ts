import { describe, expect, it } from "vitest";
import { addressOf, pairOf } from "../../fixtures/routing/pools.ts";
import { budgetOf, FREE, graphOf } from "../../fixtures/routing/request.ts";
import type { SwapOrder } from "../../src/domain/order.ts";
import { fillsOf, SHARE_ONE } from "../../src/domain/route.ts";
import type { Pool } from "../../src/pools/pool.ts";
import type { RouteRequest, RouteResult, Router } from "../../src/routing/router.ts";

const [A, B, NOWHERE] = [addressOf(1), addressOf(2), addressOf(3)] as const;
const E18 = 10n ** 18n;
const POOLS = [pairOf(1, [A, B], [1_000n * E18, 2_000n * E18]), pairOf(2, [A, B], [500n * E18, 999n * E18])] as const;
const AMOUNTS = [1_000n, E18, 50n * E18, 3_000n * E18];

type Found = Extract<RouteResult, { found: true }>;

/** Holds every implementation of Router to the same: over `POOLS` and for what `sides` says, which routers of tests narrow. */
export function describeRouter(
  name: string,
  create: (pools: readonly Pool[]) => Router,
  sides: readonly SwapOrder["kind"][],
): void {
  const orderOf = (kind: SwapOrder["kind"], amount: bigint, [sellToken, buyToken] = [A, B]): SwapOrder =>
    kind === "exactIn"
      ? { kind, sellToken, buyToken, sellAmount: amount }
      : { kind, sellToken, buyToken, buyAmount: amount };
  const requestOf = (order: SwapOrder, more: Partial<RouteRequest> = {}): RouteRequest => {
    return { order, graph: graphOf(POOLS), allows: () => true, cost: FREE, budget: budgetOf(), ...more };
  };
  const found = (result: RouteResult): Found => {
    if (!result.found) throw new Error(result.reason.kind);
    return result;
  };

  describe.each(sides)(`a router ${name}, %s`, (kind) => {
    const find = (amount: bigint, more: Partial<RouteRequest> = {}) =>
      create(POOLS).findBest(requestOf(orderOf(kind, amount), more));
    const asked = kind === "exactIn" ? "sellAmount" : "buyAmount";
    const answered = kind === "exactIn" ? "buyAmount" : "sellAmount";
    const amounts = kind === "exactIn" ? AMOUNTS : AMOUNTS.map((amount) => amount / 4n);

    it("does the whole amount over fills that add up", () => {
      for (const amount of amounts) {
        const { route } = found(find(amount));
        expect([route.kind, route.sellToken, route.buyToken, route[asked]]).toEqual([kind, A, B, amount]);
        const fills = fillsOf(route);
        for (const side of ["sellAmount", "buyAmount"] as const) {
          expect(fills.reduce((sum, fill) => sum + fill[side], 0n)).toBe(route[side]);
        }
        for (const fill of fills) {
          expect([fill.sellToken, fill.buyToken]).toEqual([A, B]);
          expect(POOLS.map(({ id }) => id)).toContain(fill.poolId);
          expect(fill.share).toBeLessThanOrEqual(SHARE_ONE);
        }
      }
    });

    it("answers more for more", () => {
      const answers = amounts.map((amount) => found(find(amount)).route[answered]);
      expect(answers[0]).toBeGreaterThan(0n);
      for (let i = 1; i < answers.length; i++) expect(answers[i]).toBeGreaterThan(answers[i - 1]!);
    });

    it("proves no bound that its own route is beyond", () => {
      for (const amount of amounts) {
        const { route, certificate } = found(find(amount));
        expect(certificate?.achieved).toBe(route[answered]);
        const { bound, achieved } = certificate!;
        expect(kind === "exactIn" ? bound >= achieved : bound <= achieved).toBe(true);
      }
    });

    it("uses only what the request allows", () => {
      for (const [index, pool] of POOLS.entries()) {
        const { route } = found(find(E18, { allows: ({ id }) => id === pool.id }));
        expect(fillsOf(route).map(({ poolId }) => poolId)).toEqual([POOLS[index]!.id]);
      }
      expect(find(E18, { allows: () => false })).toEqual({ found: false, reason: { kind: "NO_PATH" } });
    });

    it("finds no path to a token that no pool holds", () => {
      const result = create(POOLS).findBest(requestOf(orderOf(kind, E18, [A, NOWHERE])));
      expect(result).toEqual({ found: false, reason: { kind: "NO_PATH" } });
    });

    it("gives the same route for the same request, whatever it was asked between, and changes no pool", () => {
      const before = structuredClone(POOLS);
      const router = create(POOLS);
      const first = router.findBest(requestOf(orderOf(kind, E18)));
      for (const amount of amounts) router.findBest(requestOf(orderOf(kind, amount)));
      router.findBest(requestOf(orderOf(kind, E18), { allows: () => false }));
      expect(router.findBest(requestOf(orderOf(kind, E18)))).toEqual(first);
      expect(find(E18)).toEqual(first);
      expect(POOLS).toEqual(before);
    });
  });
}
