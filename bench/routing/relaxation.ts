/**
 * Gap that a bound leaves open if it knows no order of tokens: gains over the router's deep answer of flows whose paths need
 * not agree on one, as those of a route do. No bound that allows such flows can be closer to the answer than they are.
 *
 *   node bench/routing/relaxation.ts [--only v2-ftm] [--trades 20] [--gas 100] [--seed 1]
 *
 * Local search from the answer finds the flows, so that such a bound leaves at least each figure open. In the last row all
 * paths have one order, as in a route: it shows what that search gains by itself. Only pools that keep a product constant
 * take part. Requests sell exact amounts among the best-connected tokens.
 */
import { parseArgs } from "node:util";
import { graphOf } from "../../fixtures/routing/request.ts";
import { costIn } from "../../fixtures/universes/gas-cost.ts";
import type { SwapOrder } from "../../src/domain/order.ts";
import { fillsOf, type Route } from "../../src/domain/route.ts";
import { createRouter } from "../../src/routing/create-router.ts";
import { costPerGas } from "../../src/routing/network-cost.ts";
import type { NetworkCost, PoolGraph, RouteResult, Router, WarmStart } from "../../src/routing/router.ts";
import { quantile } from "../quantile.ts";
import { ask } from "./ask.ts";
import { Climb, type Relaxation, type Trade } from "./relaxation/climb.ts";
import { Network } from "./relaxation/network.ts";
import { netOf } from "./restarts/plan.ts";
import { type BenchSet, chosenSets } from "./sets/bench-sets.ts";
import { requestsIn, scaled } from "./sets/requests.ts";
import { shown } from "./table.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "v2-ftm" },
    trades: { type: "string", default: "20" },
    gas: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
  },
});
/** Wei per gwei. */
const GWEI = 1e9;
/** The goal for `gapBps` in the median of v2-ftm as it is with gas. */
const GOAL_BPS = 20;
const RELAXATIONS: readonly Relaxation[] = [
  { name: "walks of up to 12 pools", mostPools: 12, revisits: true, isOrdered: false },
  { name: "simple paths of up to 16 pools, any order", mostPools: 16, revisits: false, isOrdered: false },
  { name: "one common order (control)", mostPools: 16, revisits: false, isOrdered: true },
];

/** The answer of a deep search where half and twice the amount were searched deeply before. */
function deepAnswer(router: Router, graph: PoolGraph, cost: NetworkCost, order: SwapOrder): Route | undefined {
  const deep = (one: SwapOrder, warm?: WarmStart): RouteResult =>
    ask(router, { graph, cost, order: one, isDeep: true, warm });
  const others = [deep(scaled(order, [1n, 2n])), deep(scaled(order, [2n, 1n]))];
  const routes = others.flatMap((result) => {
    if (!result.found) return [];
    const { sellAmount, buyAmount } = result.route;
    return [{ sellAmount, buyAmount, uses: fillsOf(result.route) }];
  });
  const result = deep(order, { routes, explores: true });
  return result.found ? result.route : undefined;
}

function tradeOf(network: Network, { values }: BenchSet, cost: NetworkCost, route: Route): Trade {
  const boughtValue = values.get(route.buyToken) as number;
  return {
    network,
    sell: network.numberOf(route.sellToken),
    buy: network.numberOf(route.buyToken),
    amount: Number(route.sellAmount),
    perGas: costPerGas(cost, route.buyToken),
    prices: network.tokens.map((token) => (values.get(token) ?? 0) / boughtValue),
  };
}

/** Basis points that flows pay more than each route, net of network cost, by relaxation. */
function gainsOn(set: BenchSet): ReadonlyMap<Relaxation, readonly number[]> {
  const network = new Network(set.pools);
  const graph = graphOf(set.pools, set.time);
  const cost = costIn(set, BigInt(Math.round(Number(options.gas) * GWEI)));
  const [count, seed] = [Number(options.trades), Number(options.seed)];
  const router = createRouter();
  const gains = new Map(RELAXATIONS.map((relaxation): [Relaxation, number[]] => [relaxation, []]));
  for (const order of requestsIn(set, { pairs: "best-connected", kind: "exactIn", count, seed })) {
    const route = deepAnswer(router, graph, cost, order);
    const paths = route && network.pathsOf(route);
    if (route === undefined || paths === undefined) continue;
    const [trade, net] = [tradeOf(network, set, cost, route), Number(netOf(route, cost))];
    for (const [relaxation, bps] of gains) {
      const most = new Climb(trade, relaxation).from(paths);
      if (most !== undefined) bps.push(((most - net) / Math.abs(net)) * 1e4);
    }
  }
  return gains;
}

console.log(`| pools | relaxation | bp p10 / p50 / p90 | above ${GOAL_BPS} bp |`);
console.log(`|${"---|".repeat(4)}`);
for (const [key, set] of chosenSets(options.only)) {
  if (set === undefined) {
    console.log(`${key} is skipped: ../shared/data is not there`);
    continue;
  }
  for (const [{ name }, bps] of gainsOn(set)) {
    const spread = [0.1, 0.5, 0.9].map((part) => shown(quantile(bps, part))).join(" / ");
    console.log(
      `| ${set.name} | ${name} | ${spread} | ${bps.filter((one) => one > GOAL_BPS).length} of ${bps.length} |`,
    );
  }
}
