import { expect, test } from "vitest";
import type { Address } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import type { StableswapState } from "../../../src/pools/stableswap/state.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import type { PoolGraph } from "../../../src/routing/router.ts";

const token = (digit: number) => `0x${String(digit).repeat(40)}` as Address;
const [SOLD, BOUGHT] = [token(1), token(2)];

/** A pool far from its peg whose fee falls on the way back to it. */
function pool(id: string, balances: readonly bigint[], offpegFeeMultiplier: bigint): Pool {
  const state: StableswapState = {
    ...{ balances, rates: [10n ** 18n, 10n ** 18n], initialA: 10_000n, futureA: 10_000n, initialATime: 0n },
    ...{ futureATime: 0n, aPrecision: 100n, fee: 4_000_000n, adminFee: 0n, generation: "ng", killed: false },
    offpegFeeMultiplier,
  };
  return { id, source: "Curve", tokens: [SOLD, BOUGHT], curve: "stableswap", state };
}

test("a pool whose fee falls with the trade has a certificate that is true, and tight for large trades", () => {
  const pools = [
    pool("far", [10n ** 23n, 9n * 10n ** 23n], 10n ** 11n),
    pool("near", [5n * 10n ** 23n, 4n * 10n ** 23n], 2n * 10n ** 10n),
  ];
  const graph: PoolGraph = {
    time: 1n,
    pool: (id) => pools.find((each) => each.id === id),
    poolsOf: (at) => (at === SOLD || at === BOUGHT ? pools : []),
    chunks: () => [pools],
  };
  for (const sellAmount of [10n ** 18n, 10n ** 22n, 3n * 10n ** 23n]) {
    const answer = createRouter().findBest({
      order: { kind: "exactIn", sellToken: SOLD, buyToken: BOUGHT, sellAmount },
      ...{ graph, allows: () => true, cost: { gasPrice: 0n, rate: () => undefined } },
      budget: { maxHops: 2, maxFills: 8, maxSteps: 1_000_000, expired: () => false },
    });
    if (!answer.found || answer.certificate === undefined) throw new Error("no route");
    const { bound, achieved } = answer.certificate;
    expect(bound).toBeGreaterThanOrEqual(achieved);
    // The fee of a small trade is not the lowest: its bound is true, and loose.
    if (sellAmount > 10n ** 18n) expect(Number(bound - achieved) / Number(achieved)).toBeLessThan(0.002);
  }
});
