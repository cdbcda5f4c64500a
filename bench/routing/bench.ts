/**
 * One table of what the router's answers cost, prove and leave, with the goals in brackets.
 *
 *   node bench/routing/bench.ts [--router CHECKOUT] [--only v2-ftm,mixed] [--trades 50] [--regrets 20] [--warm 30]
 *     [--seed 1] [--order exactIn] [--pairs random] [--gas 0] [--json FILE]
 *
 * --router takes the router of another checkout. Restarts (restarts/regret.ts) are tried for the first `--regrets` requests of
 * a row.
 */
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { graphOf } from "../../fixtures/routing/request.ts";
import { costIn } from "../../fixtures/universes/gas-cost.ts";
import { SEARCH_BUDGET } from "../../src/quoting/search/search-budget.ts";
import { quantile } from "../quantile.ts";
import { BENCH_SETS, type BenchSet } from "./bench-sets.ts";
import { type Cell, measure, VISIBLE_REGRET } from "./cell.ts";
import { type Goal, goalsOf } from "./goals.ts";
import { requestsIn } from "./requests.ts";
import { Restarts } from "./restarts/regret.ts";
import { routerOf } from "./router-of.ts";

const { values: options } = parseArgs({
  options: {
    router: { type: "string" },
    only: { type: "string", default: Object.keys(BENCH_SETS).join() },
    trades: { type: "string", default: "100" },
    regrets: { type: "string" },
    warm: { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
    order: { type: "string", default: "exactIn,exactOut" },
    pairs: { type: "string", default: "best-connected,random" },
    gas: { type: "string", default: "0,100" },
    json: { type: "string" },
  },
});
const trades = Number(options.trades);
const seed = Number(options.seed);
const KINDS = (["exactIn", "exactOut"] as const).filter((kind) => options.order.split(",").includes(kind));
const GROUPS = (["best-connected", "random"] as const).filter((group) => options.pairs.split(",").includes(group));
const GWEI = options.gas.split(",").map(Number);
/** Chunks of greedy fills; large sets take fewer, for a chunk looks at every pool. */
const CHUNKS = [1000, 100, 10];
const LARGE = 10_000;
const LARGE_REGRETS = 10;

interface Row extends Cell {
  readonly set: string;
  readonly order: string;
  readonly gwei: number;
  readonly pairs: string;
}

const create = await routerOf(options.router);
const rows: Row[] = [];

function figures(cell: Cell): Readonly<Record<Goal, number>> {
  const { ms, gaps, regrets } = cell;
  return {
    "ms p50": quantile(ms, 0.5),
    "ms p99": quantile(ms, 0.99),
    "gap p50": quantile(gaps, 0.5),
    "gap p99": quantile(gaps, 0.99),
    "gap max": Math.max(...gaps),
    "regret p50": quantile(regrets, 0.5),
    "regret p90": quantile(regrets, 0.9),
    "regret p99": quantile(regrets, 0.99),
    "regret max": Math.max(...regrets),
    "% > 1 bp": (100 * regrets.filter((bps) => bps > VISIBLE_REGRET).length) / regrets.length,
  };
}

function shown(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 1e5) return value.toExponential(0);
  return value === 0 ? "0" : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

function line(row: Row, goals: Partial<Record<Goal, number>>): string {
  const found = figures(row);
  const with_ = (goal: Goal) => {
    const wanted = goals[goal];
    const value = found[goal];
    const mark = wanted !== undefined && value > wanted ? "!" : "";
    return `${shown(value)}${wanted === undefined ? "" : ` (${wanted})`}${mark}`;
  };
  const joined = (of: readonly Goal[]) => of.map(with_).join(" / ");
  return `| ${[
    row.set,
    row.order,
    row.gwei,
    row.pairs,
    joined(["ms p50", "ms p99"]),
    joined(["gap p50", "gap p99", "gap max"]),
    row.unproven,
    `${quantile(row.fills, 0.5)} / ${Math.max(0, ...row.fills)}`,
    row.refused,
    joined(["regret p50", "regret p90", "regret p99", "regret max"]),
    with_("% > 1 bp"),
    row.missed,
    `${row.regrets.length} of ${row.ms.length}`,
  ].join(" | ")} |`;
}

function run(key: string, set: BenchSet): void {
  const graph = graphOf(set.pools, set.time);
  const isLarge = set.pools.length > LARGE;
  const restarts = new Restarts(graph, {
    chunks: isLarge ? CHUNKS.slice(1) : CHUNKS,
    maxFills: SEARCH_BUDGET.maxFills,
  });
  const regrets = options.regrets === undefined ? (isLarge ? LARGE_REGRETS : trades) : Number(options.regrets);
  for (const order of KINDS)
    for (const gwei of GWEI)
      for (const pairs of GROUPS) {
        const asking = { group: pairs, kind: order };
        const cell = measure({
          ...{ create, graph, restarts, regrets },
          cost: costIn(set, BigInt(Math.round(gwei * 1e9))),
          warmUp: requestsIn(set, { ...asking, count: Number(options.warm), seed: seed + 1_000_003 }),
          trades: requestsIn(set, { ...asking, count: trades, seed }),
        });
        const row: Row = { set: set.name, order, gwei, pairs, ...cell };
        rows.push(row);
        console.log(line(row, goalsOf(key, row)));
        if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(rows));
      }
}

const load = () => `load ${loadavg()[0]?.toFixed(1)}`;
const began = load();
console.log(
  "| pools | order | gas, gwei | pairs | ms p50 / p99 | gapBps p50 / p99 / max | null | fills p50 / max | refused | regret, bp p50 / p90 / p99 / max | % above 1 bp | missed | regrets |",
);
console.log(`|${"---|".repeat(13)}`);
for (const key of options.only.split(",")) {
  const make = BENCH_SETS[key];
  if (make === undefined) {
    console.error(`${key} is no set; send some of ${Object.keys(BENCH_SETS).join()}`);
    process.exit(2);
  }
  const set = make();
  if (set === undefined) console.log(`| ${key} | skipped: ../shared/data is not there |`);
  else run(key, set);
}
console.log(
  `\nnode ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}, ${began} at the start, ${load()} at the end. ` +
    `Goals stand in brackets, "!" where one is missed. Times are processor time, bound included; every request is asked once, after ` +
    `${options.warm} others. Seed ${seed}.`,
);
