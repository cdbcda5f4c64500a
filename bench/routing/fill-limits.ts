/**
 * Loss of routes of at most 2, 4, … 64 pools against 128, net of network cost: shows where more fills stop paying.
 *
 *   node bench/routing/fill-limits.ts [--router CHECKOUT] [--only v2-ftm,mixed] [--trades 50] [--seed 1] [--gas 1,50]
 *     [--order exactIn] [--pairs best-connected] [--json FILE]
 *
 * Gas is priced as where the native token costs 2,500 dollars, whatever that of the set costs.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { graphOf } from "../../fixtures/routing/request.ts";
import { costIn } from "../../fixtures/universes/gas-cost.ts";
import type { SwapOrder } from "../../src/domain/order.ts";
import { fillsOf } from "../../src/domain/route.ts";
import { quantile } from "../quantile.ts";
import { ask, processorMs } from "./ask.ts";
import { netOf } from "./restarts/plan.ts";
import { routerOf } from "./router-of.ts";
import { type BenchSet, chosenSets } from "./sets/bench-sets.ts";
import { requestsIn } from "./sets/requests.ts";
import { shown } from "./table.ts";

const { values: options } = parseArgs({
  options: {
    router: { type: "string" },
    only: { type: "string", default: "v2-ftm,v2-ftm-flat,balancer,mixed,mixed-flat" },
    trades: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    gas: { type: "string", default: "1,50" },
    order: { type: "string", default: "exactIn" },
    pairs: { type: "string", default: "best-connected" },
    json: { type: "string" },
  },
});
const kind = options.order === "exactOut" ? "exactOut" : "exactIn";
const pairs = options.pairs === "random" ? "random" : "best-connected";
const MOST = 128;
const LIMITS = [2, 4, 8, 16, 32, 64, MOST];
const DOLLARS_PER_NATIVE = 2_500;
/** Wei per gwei. */
const GWEI = 1e9;
/** Basis points above which a loss counts. */
const VISIBLE = 1;
/** Dollars up to which a trade is ordinary: the others go up to twice of what pools hold. */
const ORDINARY_DOLLARS = 100_000;

/** Cost of one limit on one set at one gas price. */
interface Row {
  readonly set: string;
  readonly gwei: number;
  readonly limit: number;
  readonly ms: readonly number[];
  readonly fills: readonly number[];
  /** Basis points of the output (exact-out: of the input) less than with most fills. */
  readonly losses: readonly number[];
  /** Those of trades that are worth no more than `ORDINARY_DOLLARS`. */
  readonly ordinary: readonly number[];
  readonly refused: number;
}

const create = await routerOf(options.router);
const rows: Row[] = [];

function run({ name, pools, time, values, dollar }: BenchSet, orders: readonly SwapOrder[], gwei: number): void {
  const graph = graphOf(pools, time);
  const cost = costIn({ values }, BigInt(Math.round((gwei * GWEI * DOLLARS_PER_NATIVE * dollar) / 1e18)));
  const dollarsOf = (order: SwapOrder) =>
    order.kind === "exactIn"
      ? (Number(order.sellAmount) * (values.get(order.sellToken) as number)) / dollar
      : (Number(order.buyAmount) * (values.get(order.buyToken) as number)) / dollar;
  const answersAt = (maxFills: number) => {
    const router = create();
    return orders.map((order) => processorMs(() => ask(router, { graph, cost, order, maxFills })));
  };
  const best = answersAt(MOST);
  for (const limit of LIMITS) {
    const answers = limit === MOST ? best : answersAt(limit);
    const lost = answers.flatMap(({ result }, i) => {
      const most = best[i]?.result;
      if (!result.found || most === undefined || !most.found) return [];
      const { sellAmount, buyAmount } = most.route;
      const whole = kind === "exactIn" ? buyAmount : sellAmount;
      const bps = (Number(netOf(most.route, cost) - netOf(result.route, cost)) / Number(whole)) * 1e4;
      return [{ bps, dollars: dollarsOf(orders[i] as SwapOrder) }];
    });
    const losses = lost.map(({ bps }) => bps);
    const ordinary = lost.flatMap(({ bps, dollars }) => (dollars <= ORDINARY_DOLLARS ? bps : []));
    const routes = answers.flatMap(({ result }) => (result.found ? [result.route] : []));
    const fills = routes.map((route) => fillsOf(route).length);
    const row: Row = {
      ...{ set: name, gwei, limit, losses, ordinary, fills },
      ms: answers.map(({ ms }) => ms),
      refused: answers.length - routes.length,
    };
    rows.push(row);
    console.log(lineOf(row));
  }
}

function lineOf({ set, gwei, limit, losses, ordinary, fills, ms, refused }: Row): string {
  const at = (of: readonly number[], ...parts: readonly number[]) =>
    parts.map((part) => shown(quantile(of, part))).join(" / ");
  const visible = (of: readonly number[]) => shown((100 * of.filter((bps) => bps > VISIBLE).length) / of.length);
  const lost = [losses, ordinary].flatMap((of) => [at(of, 0.5, 0.9, 0.99), visible(of)]);
  const cells = [set, gwei, limit, ...lost, at(fills, 0.5, 0.9), refused];
  return `| ${[...cells, at(ms, 0.5, 0.99)].join(" | ")} |`;
}

console.log(
  "| pools | gas, gwei | most fills | lost, bp p50 / p90 / p99 | % above 1 bp | up to 100,000 dollars | % above 1 bp | fills p50 / p90 | refused | ms p50 / p99 |",
);
console.log(`|${"---|".repeat(10)}`);
for (const [key, set] of chosenSets(options.only)) {
  if (set === undefined) {
    console.log(`${key} is skipped: ../shared/data is not there`);
    continue;
  }
  const orders = requestsIn(set, { pairs, kind, count: Number(options.trades), seed: Number(options.seed) });
  for (const gwei of options.gas.split(",").map(Number)) run(set, orders, gwei);
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rows)}\n`);
