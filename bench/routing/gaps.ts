/**
 * Lists the trades of the bench without gas, on v2-ftm made free of arbitrage, that are above 5 bp from their bound or refused:
 *
 *   node bench/routing/gaps.ts [SEED]
 */

import { openBps } from "../../fixtures/routing/certificate-gap.ts";
import { FREE, graphOf } from "../../fixtures/routing/request.ts";
import { fillsOf } from "../../src/domain/route.ts";
import { createRouter } from "../../src/routing/create-router.ts";
import { fantomSettings } from "./fantom.ts";
import { ask } from "./figures.ts";
import { FINE_ENOUGH, tradesIn } from "./trades.ts";

const TRADES = 400;
const MOST_BPS = 5;
const seed = process.argv[2] === undefined ? undefined : Number(process.argv[2]);

const [flat] = fantomSettings();
const graph = graphOf(flat.pools);
const router = createRouter();
for (const kind of ["exactIn", "exactOut"] as const) {
  let above = 0;
  for (const trade of tradesIn(flat, TRADES, kind, seed)) {
    const { group, order } = trade;
    const [token, amount] =
      order.kind === "exactIn" ? [order.sellToken, order.sellAmount] : [order.buyToken, order.buyAmount];
    const worth = (Number(amount) * (flat.values.get(token) ?? 0)) / 1e18;
    const about = `${kind} ${group} ${amount} of ${token}, worth ${worth.toPrecision(2)} FTM`;
    const result = ask(router, graph, FREE, trade);
    if (!result.found || result.certificate === undefined) {
      console.log(`${about}: refused`);
      continue;
    }
    const gap = openBps(result.certificate);
    if (result.certificate.achieved < FINE_ENOUGH || gap <= MOST_BPS) continue;
    above++;
    console.log(`${about}: ${gap.toFixed(1)} bp, ${fillsOf(result.route).length} fills`);
  }
  console.log(`${kind}: ${above} of ${TRADES} above ${MOST_BPS} bp`);
}
