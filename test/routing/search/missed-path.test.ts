import { expect, it } from "vitest";
import { budgetOf, graphOf } from "../../../fixtures/routing/request.ts";
import { oddTrade } from "../../../fixtures/universes/odd-pools.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import { mathOf } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import { costOfGas } from "../../../src/routing/network-cost.ts";
import type { NetworkCost } from "../../../src/routing/router.ts";
import { allPaths } from "../../support/trades/exhaustive.ts";

const TRADES = process.env.TRIBUTARY_LONG === "1" ? 2_000 : 100;
/** Purchases over weighted pools: one that never ended, and one that took two million times too much. */
const KEPT = [376, 1986];
const TIME = 1_700_000_000n;

/** Worth of a path net of gas, higher is better; undefined if a pool does not do all of it. */
function worthOf(order: SwapOrder, cost: NetworkCost, path: ReturnType<typeof allPaths>[number]): bigint | undefined {
  const sells = order.kind === "exactIn";
  let [amount, gas] = [sells ? order.sellAmount : order.buyAmount, 0n];
  for (const { pool, sell, buy } of sells ? path : [...path].reverse()) {
    const direction = { sell, buy };
    const math = mathOf(pool);
    const quote = (sells ? math.quoteExactIn : math.quoteExactOut)(pool.state, direction, amount, TIME);
    if (isRejection(quote) || quote.unused !== undefined) return undefined;
    [amount, gas] = [quote.amount, gas + quote.gas];
  }
  return sells ? amount - costOfGas(cost, order.buyToken, gas) : -(amount + costOfGas(cost, order.sellToken, gas));
}

it(`pays as much as the best of all paths, and refuses none, in ${TRADES} trades over pools that stand off by far`, () => {
  const router = createRouter();
  const worse: string[] = [];
  let compared = 0;
  for (const seed of new Set([...Array(TRADES).keys(), ...KEPT])) {
    const { pools, order, cost } = oddTrade(seed);
    const result = router.findBest({ order, graph: graphOf(pools), allows: () => true, cost, budget: budgetOf() });
    const paths = allPaths(pools, order.sellToken, order.buyToken, 4);
    const worths = paths
      .filter((path) => new Set(path.map(({ pool }) => pool)).size === path.length)
      .map((path) => worthOf(order, cost, path))
      .filter((worth) => worth !== undefined);
    const best = worths.reduce<bigint | undefined>(
      (most, worth) => (most === undefined || worth > most ? worth : most),
      undefined,
    );
    if (best === undefined) continue;
    compared++;
    const achieved = result.found ? result.certificate?.achieved : undefined;
    if (achieved === undefined) worse.push(`seed ${seed}: refused, ${best}`);
    else {
      const paid = order.kind === "exactIn" ? achieved : -achieved;
      // Floats tell paths apart to a part in 10^12.
      const visible = (paid < 0n ? -paid : paid) / 10n ** 12n;
      if (best > paid + visible) worse.push(`seed ${seed}: ${paid} of ${best}`);
    }
  }
  expect(worse).toEqual([]);
  expect(compared).toBeGreaterThan(TRADES / 2);
}, 600_000);
