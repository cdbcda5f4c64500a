/**
 * Exact-out trades near and beyond the most that odd pools pay: which of them another checkout's router answers and this one
 * refuses, or the other way round, and which sell more. Pools are those of test/routing/search/near-the-room.test.ts.
 *
 *   node bench/routing/near-the-room.ts OTHER [--from 50000] [--count 500]
 *
 * The room of a seed's pools is the most that the other router buys for any amount, over pools that are used once.
 */
import { parseArgs } from "node:util";
import { addressOf } from "../../fixtures/routing/pools.ts";
import { budgetOf, FREE, graphOf } from "../../fixtures/routing/request.ts";
import { oddTrade } from "../../fixtures/universes/odd-pools.ts";
import { fillsOf } from "../../src/domain/route.ts";
import type { NetworkCost, PoolGraph, Router } from "../../src/routing/router.ts";
import { ask } from "./ask.ts";
import { netOf } from "./restarts/plan.ts";
import { routerOf } from "./router-of.ts";

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { from: { type: "string", default: "50000" }, count: { type: "string", default: "500" } },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error("say the other checkout's folder: node bench/routing/near-the-room.ts OTHER");
  process.exit(2);
}
const [sellToken, buyToken] = [addressOf(1), addressOf(2)];
/** Amounts to sell, as powers of ten, of which the one that buys most tells the room. */
const SOLD = [3, 6, 12, 18, 24, 30, 36, 50, 70];
/** Amounts to buy, in thousandths of the room. */
const PARTS = [500n, 900n, 970n, 999n, 1000n, 1005n, 1100n, 3000n];
/** Least room: of less, a thousandth is no base unit. */
const LEAST = 1000n;
const other = (await routerOf(folder))();
const own = (await routerOf(undefined))();

function roomOf(graph: PoolGraph): bigint {
  const bought = SOLD.map((digits) => {
    const order = { kind: "exactIn", sellToken, buyToken, sellAmount: 10n ** BigInt(digits) } as const;
    const result = other.findBest({ order, graph, allows: () => true, cost: FREE, budget: budgetOf({}) });
    if (!result.found) return 0n;
    const ids = fillsOf(result.route).map(({ poolId }) => poolId);
    return new Set(ids).size === ids.length ? result.route.buyAmount : 0n;
  });
  return bought.reduce((most, amount) => (amount > most ? amount : most));
}

/** Basis points that this checkout's answer is worth more than the other one's, or which of them there is. */
function compared(graph: PoolGraph, cost: NetworkCost, buyAmount: bigint): number | string {
  const order = { kind: "exactOut", sellToken, buyToken, buyAmount } as const;
  const answer = (router: Router) => ask(router, { graph, cost, order });
  const [before, now] = [answer(other), answer(own)];
  if (!before.found || !now.found) return before.found ? "only the other" : now.found ? "only this" : "neither";
  const [one, two] = [netOf(before.route, cost), netOf(now.route, cost)].map(Number) as [number, number];
  const bps = ((two - one) / Math.abs(one)) * 1e4;
  return Math.abs(bps) > 1 ? bps : "the same";
}

const counts = new Map<string, number>();
for (let seed = Number(options.from); seed < Number(options.from) + Number(options.count); seed++) {
  const { pools, cost } = oddTrade(seed);
  const graph = graphOf(pools);
  const room = roomOf(graph);
  if (room < LEAST) continue;
  for (const part of PARTS) {
    const outcome = compared(graph, cost, (room * part) / 1000n);
    const kind = typeof outcome === "string" ? outcome : outcome > 0 ? "better" : "worse";
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const isTold = typeof outcome === "number" || outcome.startsWith("only");
    if (isTold)
      console.log(`pools ${seed}, ${part} ‰: ${typeof outcome === "number" ? `${outcome.toFixed(1)} bp` : outcome}`);
  }
}
console.log([...counts].map(([kind, count]) => `${kind}: ${count}`).join(", "));
