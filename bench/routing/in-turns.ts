/**
 * The router of another checkout and this one's, asked in turns in one process: what each answer is worth, costs and proves.
 * A machine changes its speed from minute to minute; two answers that follow one another do not see that.
 *
 *   node bench/routing/in-turns.ts OTHER [--only v2-ftm,100k] [--trades 100] [--turns 3] [--seed 1] [--order exactIn,exactOut]
 *     [--pairs best-connected] [--gas 0,100] [--at 3,17] [--known] [--quiet]
 *
 * OTHER is the folder of the other checkout; what is said of it comes first. Each turn takes new routers, warms them up with
 * other requests and asks every request once; the quickest answer of all turns counts. --at asks these requests alone. --known
 * tells both routers the other one's routes for a third and three times the amount. --quiet lists no single answers.
 */
import { parseArgs } from "node:util";
import { openBps } from "../../fixtures/routing/certificate-gap.ts";
import { graphOf } from "../../fixtures/routing/request.ts";
import { costIn } from "../../fixtures/universes/gas-cost.ts";
import type { SwapOrder } from "../../src/domain/order.ts";
import { fillsOf } from "../../src/domain/route.ts";
import { createRouter } from "../../src/routing/create-router.ts";
import type { NetworkCost, RouteResult, WarmStart } from "../../src/routing/router.ts";
import { quantile } from "../quantile.ts";
import { ask, processorMs } from "./ask.ts";
import { netOf } from "./restarts/plan.ts";
import { routerOf } from "./router-of.ts";
import { type BenchSet, chosenSets } from "./sets/bench-sets.ts";
import { requestsIn, scaled } from "./sets/requests.ts";

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "v2-ftm" },
    trades: { type: "string", default: "100" },
    turns: { type: "string", default: "3" },
    seed: { type: "string", default: "1" },
    order: { type: "string", default: "exactIn" },
    pairs: { type: "string", default: "best-connected" },
    gas: { type: "string", default: "100" },
    at: { type: "string" },
    known: { type: "boolean", default: false },
    quiet: { type: "boolean", default: false },
  },
});
const [other] = positionals;
if (other === undefined) {
  console.error("say the other checkout's folder: node bench/routing/in-turns.ts OTHER");
  process.exit(2);
}
const pairs = options.pairs === "random" ? "random" : "best-connected";
const seed = Number(options.seed);
/** Wei per gwei. */
const GWEI = 1e9;
/** Added to the seed of requests that only warm up. */
const OTHER_SEED = 1_000_003;
const WARM_UP = 30;
/** Basis points below which answers are not listed. */
const VISIBLE = 1e-3;
/** Amounts that routes are known for with --known, as parts of the request's. */
const KNOWN_AMOUNTS = [
  [1n, 3n],
  [3n, 1n],
] as const;
/** Basis points from which on a gain or a loss is summed. */
const LARGE = 1;
const makers = [await routerOf(other), createRouter] as const;

/** An answer as far as it can be compared; without a route it is worth nothing. */
interface Told {
  readonly ms: number;
  readonly net: number | undefined;
  /** Basis points that the proof leaves open. */
  readonly gap: number;
  readonly fills: number;
}

type Both = readonly [before: Told, after: Told];

function inTurns(set: BenchSet, orders: readonly SwapOrder[], cost: NetworkCost): readonly Both[] {
  const kind = orders[0]?.kind ?? "exactIn";
  const warmUp = requestsIn(set, { pairs, kind, count: WARM_UP, seed: seed + OTHER_SEED });
  const warms = orders.map((order) => (options.known ? knownOf(set, cost, order) : undefined));
  const told = (ms: number, result: RouteResult): Told => {
    if (!result.found) return { ms, net: undefined, gap: 0, fills: 0 };
    const gap = result.certificate === undefined ? 0 : openBps(result.certificate);
    return { ms, net: Number(netOf(result.route, cost)), gap, fills: fillsOf(result.route).length };
  };
  const best: [Told?, Told?][] = orders.map(() => []);
  for (let turn = 0; turn < Number(options.turns); turn++) {
    const sides = makers.map((create) => ({ router: create(), graph: graphOf(set.pools, set.time) }));
    for (const { router, graph } of sides) for (const order of warmUp) ask(router, { graph, cost, order });
    for (const [i, order] of orders.entries())
      for (const side of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const { router, graph } = sides[side] as (typeof sides)[number];
        const { ms, result } = processorMs(() => ask(router, { graph, cost, order, warm: warms[i] }));
        const answer = best[i] as [Told?, Told?];
        if (ms < (answer[side]?.ms ?? Number.POSITIVE_INFINITY)) answer[side] = told(ms, result);
      }
  }
  return best as [Told, Told][];
}

/** The routes that the other checkout's router finds for other amounts. */
function knownOf(set: BenchSet, cost: NetworkCost, order: SwapOrder): WarmStart {
  const asking = { router: makers[0](), graph: graphOf(set.pools, set.time), cost };
  const routes = KNOWN_AMOUNTS.flatMap((part) => {
    const result = ask(asking.router, { ...asking, order: scaled(order, part) });
    if (!result.found) return [];
    const { sellAmount, buyAmount } = result.route;
    return [{ sellAmount, buyAmount, uses: fillsOf(result.route) }];
  });
  return { routes, explores: false };
}

/** By how many basis points ours is better. */
function gainOf([before, after]: Both): number {
  if (before.net === after.net) return 0;
  if (before.net === undefined) return Number.POSITIVE_INFINITY;
  if (after.net === undefined) return Number.NEGATIVE_INFINITY;
  return ((after.net - before.net) / Math.abs(before.net)) * 1e4;
}

function tell(name: string, numbers: readonly number[], answers: readonly Both[]): void {
  const gains = answers.map(gainOf);
  for (const [i, both] of answers.entries()) {
    const gain = gains[i] as number;
    if (options.quiet) continue;
    if (Math.abs(gain) < VISIBLE && Math.abs(both[0].gap - both[1].gap) < VISIBLE) continue;
    const pair = (of: (one: Told) => string) => `${of(both[0])} → ${of(both[1])}`;
    console.log(
      `#${numbers[i]} ${gain.toPrecision(3)} bp more, gap ${pair(({ gap }) => gap.toPrecision(3))}, ` +
        `fills ${pair(({ fills }) => `${fills}`)}, ms ${pair(({ ms }) => ms.toFixed(1))}`,
    );
  }
  const spread = (side: 0 | 1, of: (one: Told) => number, digits: number) => {
    const all = answers.map((both) => of(both[side]));
    return [0.5, 0.9, 0.99].map((part) => quantile(all, part).toFixed(digits)).join(" / ");
  };
  const pairOf = (of: (one: Told) => number, digits: number) => `${spread(0, of, digits)} → ${spread(1, of, digits)}`;
  const spent = (side: 0 | 1) => answers.reduce((sum, both) => sum + both[side].ms, 0);
  const ratios = answers.map(([before, after]) => after.ms / before.ms);
  const [more, less] = [gains.filter((gain) => gain > 0).length, gains.filter((gain) => gain < 0).length];
  console.log(`${name}: ${more} more, ${less} less of ${gains.length}`);
  const refused = ([0, 1] as const).map((side) => answers.filter((both) => both[side].net === undefined).length);
  const finite = gains.filter((gain) => Number.isFinite(gain));
  const sumOf = (some: readonly number[]) => some.reduce((sum, gain) => sum + gain, 0).toFixed(0);
  const parts = [0.01, 0.1, 0.5, 0.9, 0.99].map((part) => quantile(finite, part).toFixed(2)).join(" / ");
  const mean = finite.reduce((sum, gain) => sum + gain, 0) / finite.length;
  const [won, lost] = [finite.filter((gain) => gain > LARGE), finite.filter((gain) => gain < -LARGE)];
  console.log(`gain, bp p1 / p10 / p50 / p90 / p99: ${parts}, mean ${mean.toFixed(2)}`);
  console.log(
    `beyond 1 bp: ${won.length} gain ${sumOf(won)}, ${lost.length} lose ${sumOf(lost)}; refused ${refused.join(" → ")}`,
  );
  console.log(`gap, bp p50 / p90 / p99: ${pairOf(({ gap }) => gap, 2)}`);
  console.log(`ms p50 / p90 / p99: ${pairOf(({ ms }) => ms, 1)}`);
  console.log(
    `time: ${(spent(1) / spent(0)).toFixed(3)} of the sum, ${quantile(ratios, 0.5).toFixed(3)} in the median trade`,
  );
}

for (const [key, set] of chosenSets(options.only)) {
  if (set === undefined) {
    console.log(`${key} is skipped: ../shared/data is not there`);
    continue;
  }
  for (const order of options.order.split(","))
    for (const gwei of options.gas.split(",")) {
      const kind = order === "exactOut" ? "exactOut" : "exactIn";
      const orders = requestsIn(set, { pairs, kind, count: Number(options.trades), seed });
      const numbers = options.at?.split(",").map(Number) ?? [...orders.keys()];
      const chosen = numbers.flatMap((number) => orders[number] ?? []);
      const answers = inTurns(set, chosen, costIn(set, BigInt(Math.round(Number(gwei) * GWEI))));
      tell(`${set.name}, ${kind}, ${gwei} gwei`, numbers, answers);
    }
}
