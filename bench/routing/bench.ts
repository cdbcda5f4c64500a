import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { FREE, graphOf } from "../../fixtures/routing/request.ts";
import { intoDocs } from "../into-docs.ts";
import { createKeptLines } from "../kept-lines.ts";
import { quantile } from "../quantile.ts";
import { blockCosts } from "./blocks.ts";
import { fantomSettings } from "./fantom.ts";
import { type Figures, figuresOf } from "./figures.ts";
import { largePools } from "./large.ts";
import { priced, type Setting, type Trade, tradesIn } from "./trades.ts";
import { worstCases } from "./worst.ts";

const REQUESTS = Number(process.argv[2] ?? 400);
const LARGE_REQUESTS = Number(process.argv[3] ?? 80);
const LARGE = [20_000, 100_000];
const RESULTS = new URL("../results/", import.meta.url);

setFlagsFromString("--expose-gc");
/** Collects garbage. */
const collect = runInNewContext("gc") as () => void;

/** Memory that is not garbage. */
function heldMiB(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

const { lines, print } = createKeptLines();

function spread(values: readonly number[], digits: number): string {
  if (values.length === 0) return "–";
  return [0.5, 0.9, 0.99].map((part) => quantile(values, part).toFixed(digits)).join(" / ");
}

function row(
  { name, inLine }: Setting,
  kind: string,
  gas: string,
  { group, ms, gaps, gapsAfterTouch, fills, refused }: Figures,
) {
  // Where pools stand off each other, the bound counts what no route may take: it says nothing.
  const afterTouch = gas === "nothing" ? "" : `, after a touch ${spread(gapsAfterTouch, 1)}`;
  const gapsShown = inLine ? `${spread(gaps, gas === "nothing" ? 2 : 1)}${afterTouch}` : "–";
  const done = refused === 0 ? "" : `, ${refused} refused`;
  print(
    `| ${name} | ${kind} | ${group} | ${gas} | ${spread(ms, 1)} | ${gapsShown} | ${quantile(fills, 0.5)}${done} | ${ms.length} |`,
  );
}

const KINDS = { exactIn: "exact in", exactOut: "exact out" } as const;

function run(setting: Setting, count: number): void {
  const graph = graphOf(setting.pools);
  for (const kind of ["exactIn", "exactOut"] as const) {
    const trades = tradesIn(setting, count, kind);
    for (const figures of figuresOf(graph, FREE, trades)) row(setting, KINDS[kind], "nothing", figures);
    for (const figures of figuresOf(graph, priced(setting), trades)) row(setting, KINDS[kind], "100 gwei", figures);
  }
}

const [flat, asItIs] = fantomSettings();
const load = () => `load ${loadavg()[0]?.toFixed(1)}`;
const began = load();
const settings: [Setting, number][] = [
  [flat, REQUESTS],
  [asItIs, REQUESTS],
];
for (const count of LARGE) {
  const large = largePools(flat.pools, flat.values, count);
  settings.push([{ name: `made from it, ${count} pools`, ...large, inLine: true }, LARGE_REQUESTS]);
}
print(
  "| pools, free of arbitrage unless it says otherwise | order | pairs | gas | ms p50 / p90 / p99 | gap to the bound, bp p50 / p90 / p99 | fills | trades |",
);
print("|---|---|---|---|---|---|---|---|");
for (const [setting, count] of settings) run(setting, count);
print("");
print("| pools | a block in which 1 % trade, ms more p50 / p90 | memory held after it, MiB |");
print("|---|---|---|");
for (const [setting] of settings) {
  const [, random] = tradesIn(setting, 2, "exactIn");
  const { ms: costs, held: used } = blockCosts(setting.pools, random as Trade, heldMiB);
  print(
    `| ${setting.name} | ${quantile(costs, 0.5).toFixed(1)} / ${quantile(costs, 0.9).toFixed(1)} | ${used.toFixed(0)} |`,
  );
}
print("");
print("| worst cases | pools | most ms of all amounts, with gas and without | most fills | refused |");
print("|---|---|---|---|---|");
for (const { name, pools, ms, mostFills, refused, asked } of worstCases())
  print(`| ${name} | ${pools} | ${ms.toFixed(0)} | ${mostFills} | ${refused} of ${asked} |`);
print("");
print(
  `node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, ` +
    `${began} at the start, ${load()} at the end. Times are processor time with the bound included.`,
);
const text = `${lines.join("\n")}\n`;
mkdirSync(RESULTS, { recursive: true });
writeFileSync(new URL("routing.md", RESULTS), text);
intoDocs("routing.md", "bench/routing", text);
