import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { budgetOf } from "../../../fixtures/routing/request.ts";
import { openMarket } from "../../../src/compose/snapshot-market.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import { fillsOf } from "../../../src/domain/route.ts";
import { SEARCH_BUDGET } from "../../../src/quoting/search/search-budget.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import type { Certificate } from "../../../src/routing/router.ts";
import { readSnapshotFile } from "../../../src/snapshot/file.ts";

const saved = readSnapshotFile(fileURLToPath(new URL("../../../bench/universes/devnet.bin", import.meta.url)));
const now = openMarket(saved).market.current();
if ("unavailable" in now) throw new Error(now.unavailable);
const { graph, rates, gasPrice } = now.snapshot;
const router = createRouter();

/** Sales and purchases of so many wei's worth, where few fills once led to less than fewer fills or hops. */
const TRADES: readonly (readonly [sell: string, buy: string, kind: SwapOrder["kind"], wei: number])[] = [
  ["REED", "vUSDH", "exactIn", 100e18],
  ["REED", "vUSDH", "exactIn", 20e18],
  ["REED", "vUSDH", "exactOut", 20e18],
  ["3RIV", "OXBW", "exactIn", 0.94e18],
];

function orderOf(sell: string, buy: string, kind: SwapOrder["kind"], wei: number): SwapOrder {
  const addressOf = (symbol: string) => saved.tokens.find((token) => token.symbol === symbol)!.address;
  const pair = { sellToken: addressOf(sell), buyToken: addressOf(buy) };
  const { num, den } = rates.perNative(kind === "exactIn" ? pair.sellToken : pair.buyToken)!;
  const amount = BigInt(Math.ceil((wei * Number(num)) / Number(den)));
  return kind === "exactIn" ? { kind, ...pair, sellAmount: amount } : { kind, ...pair, buyAmount: amount };
}

function certified(order: SwapOrder, maxHops: number, maxFills: number): Certificate | undefined {
  const budget = budgetOf({ ...SEARCH_BUDGET, maxHops, maxFills });
  const cost = { gasPrice, rate: rates.perNative };
  const result = router.findBest({ order, graph, allows: () => true, cost, budget });
  if (!result.found) return undefined;
  expect(fillsOf(result.route).length).toBeLessThanOrEqual(maxFills);
  return result.certificate;
}

it.each(TRADES)("%s for %s, %s of %d wei, brings no less than within tighter limits", (...trade) => {
  const order = orderOf(...trade);
  const value = (certificate: Certificate) => (order.kind === "exactIn" ? certificate.achieved : -certificate.achieved);
  for (const fills of [3, 4, 6, 8]) {
    const wide = certified(order, 4, fills);
    for (const [hops, fewer] of [
      [2, fills],
      [3, fills],
      [4, fills - 1],
      [4, 2],
    ] as const) {
      const tight = certified(order, hops, fewer);
      if (tight === undefined) continue;
      expect(wide, `${fills} fills`).toBeDefined();
      // The least of what counts is a basis point: as much may be open where no other limits are tried.
      const lost = value(tight) - value(wide as Certificate);
      expect(lost * 10_000n <= (tight.achieved < 0n ? -tight.achieved : tight.achieved), `${hops}/${fewer}`).toBe(true);
    }
  }
});
