/**
 * One table of what the router's answers cost, prove and leave, with the goals in brackets.
 *
 *   npm run bench:routing -- [--router CHECKOUT] [--only v2-ftm,mixed] [--trades 50] [--regrets 20] [--warm 30] [--seed 1]
 *     [--order exactIn] [--pairs random] [--gas 0] [--list] [--json FILE] [--save]
 *
 * --router takes the router of another checkout. Restarts (restarts/restarts.ts) are tried for the first `--regrets` requests of
 * a row. --list shows every request that a restart answers better. --save puts the table into the documentation.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { graphOf } from "../../fixtures/routing/request.ts";
import { costIn } from "../../fixtures/universes/gas-cost.ts";
import { SEARCH_BUDGET } from "../../src/quoting/search/search-budget.ts";
import { intoDocs } from "../into-docs.ts";
import { createKeptLines } from "../kept-lines.ts";
import { type Answer, measure } from "./cell.ts";
import { Restarts } from "./restarts/restarts.ts";
import { routerOf } from "./router-of.ts";
import { BENCH_SETS, type BenchSet, chosenSets } from "./sets/bench-sets.ts";
import { requestsIn } from "./sets/requests.ts";
import { HEAD, lineOf, type Row, VISIBLE_REGRET } from "./table.ts";

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
    list: { type: "boolean", default: false },
    json: { type: "string" },
    save: { type: "boolean", default: false },
  },
});
const trades = Number(options.trades);
const seed = Number(options.seed);
const KINDS = (["exactIn", "exactOut"] as const).filter((kind) => options.order.split(",").includes(kind));
const PAIRS = (["best-connected", "random"] as const).filter((pairs) => options.pairs.split(",").includes(pairs));
/** Wei per gwei. */
const GWEI = 1e9;
/** Added to the seed of requests that only warm up. */
const OTHER_SEED = 1_000_003;
/** Chunks of greedy fills. On a large set they are fewer, since each looks at every pool. */
const CHUNKS = [1000, 100, 10];
/** Pools from which on a set is large. */
const LARGE = 10_000;
/** Requests of a row for which restarts are tried on a large set. */
const LARGE_REGRETS = 10;
const RESULTS = new URL("../results/", import.meta.url);

const create = await routerOf(options.router);
const { lines, print } = createKeptLines();
const rows: Row[] = [];

function run(key: string, set: BenchSet): void {
  const graph = graphOf(set.pools, set.time);
  const isLarge = set.pools.length > LARGE;
  const chunks = isLarge ? CHUNKS.slice(1) : CHUNKS;
  const restarts = new Restarts(graph, { chunks, maxFills: SEARCH_BUDGET.maxFills });
  const regrets = Number(options.regrets ?? (isLarge ? LARGE_REGRETS : trades));
  for (const kind of KINDS)
    for (const gwei of options.gas.split(",").map(Number))
      for (const pairs of PAIRS) {
        const answers = measure({
          ...{ create, graph, restarts, regrets },
          cost: costIn(set, BigInt(Math.round(gwei * GWEI))),
          warmUp: requestsIn(set, { pairs, kind, count: Number(options.warm), seed: seed + OTHER_SEED }),
          orders: requestsIn(set, { pairs, kind, count: trades, seed }),
        });
        const row: Row = { key, set: set.name, kind, gwei, pairs, answers };
        rows.push(row);
        print(lineOf(row));
        if (options.list) answers.forEach(list);
        if (options.json !== undefined) writeFileSync(options.json, textOf(rows));
      }
}

/** Shows a request that a restart answers better. */
function list({ order, regret }: Answer, number: number): void {
  if (regret?.by === undefined || regret.bps <= VISIBLE_REGRET) return;
  const asked = order.kind === "exactIn" ? order.sellAmount : order.buyAmount;
  const bps = regret.bps === Number.POSITIVE_INFINITY ? "no route" : `${regret.bps.toFixed(1)} bp`;
  console.log(`  #${number} ${order.kind} ${asked}, ${order.sellToken} → ${order.buyToken}: ${bps}, ${regret.by}`);
}

function textOf(value: unknown): string {
  return `${JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part))}\n`;
}

const load = () => `load ${loadavg()[0]?.toFixed(1)}`;
const began = load();
for (const line of HEAD) print(line);
for (const [key, set] of chosenSets(options.only)) {
  if (set === undefined) console.log(`${key} is skipped: ../shared/data is not there`);
  else run(key, set);
}
print("");
print(
  `node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, ` +
    `${began} at the start, ${load()} at the end. Goals in brackets, "!" where one is missed. ` +
    `Times are processor time with the bound included; each request is asked once, after ${options.warm} others. Seed ${seed}.`,
);
if (options.save) {
  const text = `${lines.join("\n")}\n`;
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(new URL("routing.md", RESULTS), text);
  intoDocs("routing-figures.md", "bench/routing", text);
}
