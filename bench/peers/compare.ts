/**
 * Our router beside other projects' routers and plain references, on the same pools and requests and in one run: what the
 * taker gets after network cost, what it takes to find out, how many pools are used, and what the certificate says.
 * Every router answers in a process of its own, two at a time where there are two cores; plans of others are run again on
 * our integer maths and gas model (meeting/replay.ts).
 *
 *   (cd bench/peers && npm ci --ignore-scripts --legacy-peer-deps)       once; 235 MB
 *   node bench/peers/compare.ts [requests per universe] [seconds]        seconds: of a processor, per router and universe
 *
 * Writes what it prints, and plots, to bench/results/, and tables to docs/routing-figures.md.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import type { PeerUniverse } from "../../fixtures/universes/priced.ts";
import { intoDocs } from "../into-docs.ts";
import { createKeptLines } from "../kept-lines.ts";
import { CONTESTANTS, type Contestant } from "./meeting/contestants.ts";
import { createLanes } from "./meeting/lanes.ts";
import { meet } from "./meeting/meeting.ts";
import { answersOf } from "./meeting/ours.ts";
import { requestsFor } from "./meeting/requests.ts";
import { UNIVERSES, type UniverseKind } from "./meeting/universes.ts";
import { distributionPlot, type Series } from "./report/plot.ts";
import { type Comparison, gapOf, linesOf } from "./report/report.ts";
import { summaryOf } from "./report/summary.ts";

const REQUESTS = Number(process.argv[2] ?? 150);
const SECONDS = Number(process.argv[3] ?? 75);
const CAP_MS = 10_000;
const GAS_PRICE = 50_000_000_000n;
const SEED = 20_261_121;
const WARM_UP = 20;
const WARM_UP_SEED = 7;
const LANES = Math.min(2, availableParallelism());
const RESULTS = new URL("../results/", import.meta.url);
const PACKAGES = new URL("node_modules/", import.meta.url);

const inLane = createLanes(LANES);

async function compareOn(kind: UniverseKind): Promise<Comparison | undefined> {
  const universe = kind.make();
  if (universe === undefined) return undefined;
  const asked = {
    warmUp: requestsFor(universe, WARM_UP, GAS_PRICE, WARM_UP_SEED),
    requests: requestsFor(universe, REQUESTS, GAS_PRICE, SEED),
  };
  const invited = CONTESTANTS.filter(({ fee }) => fee === undefined || kind.fee === undefined || fee === kind.fee);
  const absent = invited.flatMap((one): [Contestant, string][] => {
    const why = absence(one, universe);
    return why === undefined ? [] : [[one, why]];
  });
  const ours = await inLane(() => answersOf(universe, asked));
  const tallies = await Promise.all(
    invited
      .filter((one) => !absent.some(([other]) => other === one))
      .map((one) =>
        inLane(async () => {
          const seen = one.sees?.(universe);
          const same = seen === undefined ? undefined : await answersOf(universe, asked, seen);
          return meet(one, universe, asked, { all: ours, same }, { capMs: CAP_MS, budgetMs: 1000 * SECONDS });
        }),
      ),
  );
  return { kind, universe, requests: asked.requests, ours, tallies, absent };
}

/** Why a contestant does not take part. */
function absence({ package: needed, curves, sees }: Contestant, universe: PeerUniverse): string | undefined {
  if (needed !== undefined && !existsSync(new URL(`${needed}/`, PACKAGES))) return "bench/peers is not installed";
  const unknown = new Set(
    universe.pools.map(({ curve }) => curve).filter((curve) => curves?.includes(curve) === false),
  );
  if (unknown.size > 0 && sees === undefined) return `it has no ${[...unknown].join(" and ")} pools`;
  return sees?.(universe).size === 0 ? "it can see none of these pools" : undefined;
}

/** One plot of latencies and one of what others bring less, for all comparisons on pools of one name. */
function plot(name: string, comparisons: readonly Comparison[]): void {
  const [latency, behind] = [new Map<string, Series>(), new Map<string, Series>()];
  const add = (to: Map<string, Series>, one: Series) => to.set(one.name, to.get(one.name) ?? one);
  for (const { ours, tallies } of comparisons) {
    add(latency, { name: "Tributary", values: ours.map(({ spent }) => spent.cpu) });
    add(behind, { name: "our certified gap", values: ours.flatMap((answer) => gapOf(answer) ?? []) });
    for (const { contestant, spent, onAll } of tallies) {
      add(latency, { name: contestant.name, values: spent.map(({ cpu }) => cpu) });
      add(behind, { name: contestant.name, values: onAll.behind });
    }
  }
  const file = name.replaceAll(" ", "-").toLowerCase();
  const plots = [
    ["latency", distributionPlot(`Processor time per answer, ${name}`, "ms", [...latency.values()], 0.1)],
    ["gap", distributionPlot(`Behind our answer, ${name}`, "basis points", [...behind.values()], 0.001)],
  ] as const;
  for (const [what, text] of plots) writeFileSync(new URL(`${what}-${file}.svg`, RESULTS), text);
}

const began = Date.now();
const { lines, print } = createKeptLines();
const load = () => `load ${loadavg()[0]?.toFixed(1)}`;
print(
  `node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, ${load()} at the start`,
);
print(
  `${LANES} routers at a time; ${WARM_UP} requests to warm up, the same for all; per router and set of pools ${SECONDS} s`,
);
print(
  `of a processor, ${CAP_MS / 1000} s for a request; gas price ${GAS_PRICE} wei on half of the requests, 0 on the others`,
);
print("three numbers in a row: median, 90th and 99th percentile; amounts are net of gas");
mkdirSync(RESULTS, { recursive: true });
const running = UNIVERSES.map((kind) => ({ kind, comparison: compareOn(kind) }));
const done: Comparison[] = [];
for (const { kind, comparison } of running) {
  const found = await comparison;
  if (found === undefined) print(`\n${kind.key} is skipped: ../shared/data is not there`);
  else {
    for (const line of linesOf(found)) print(line);
    done.push(found);
  }
}
for (const [name, comparisons] of Map.groupBy(done, ({ universe }) => universe.name)) plot(name, comparisons);
print(`\n${((Date.now() - began) / 60_000).toFixed(1)} minutes, ${load()} at the end`);
if (done.length > 0) {
  writeFileSync(new URL("peers.txt", RESULTS), `${lines.join("\n")}\n`);
  intoDocs("routing-figures.md", "bench/peers", summaryOf(done, CONTESTANTS));
}
