/**
 * Our router beside other projects' routers, on the same pools and requests and in one run: what the taker gets after
 * network cost, what it takes to find out, how many pools are touched, and what the certificate says. Plans of others
 * are run again on our integer maths and gas model (replay.ts).
 *
 *   (cd bench/peers && npm ci --ignore-scripts --legacy-peer-deps)       once; 235 MB
 *   node bench/peers/compare.ts [requests per universe] [seconds]        seconds: the unit of the peers' budgets
 *
 * Writes what it prints, and plots, to bench/results/.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { fillsOf } from "../../src/domain/route.ts";
import { intoDocs } from "../into-docs.ts";
import { createKeptLines } from "../kept-lines.ts";
import { quantile } from "../quantile.ts";
import { CONTESTANTS, type Contestant, PANCAKE_FEE, USUAL_FEE } from "./contestants.ts";
import { FINE_ENOUGH, type Loss, meet, type Score, type Tally } from "./meeting.ts";
import { answers, deepestOfPairs, type Ours } from "./ours.ts";
import { distributionPlot, type Series } from "./plot.ts";
import { type PeerRequest, requestsFor } from "./requests.ts";
import type { Spent } from "./serve.ts";
import { summaryOf } from "./summary.ts";
import { type BuiltInFee, fantomUniverse, mixedUniverse, type PeerUniverse } from "./universe.ts";

const REQUESTS = Number(process.argv[2] ?? 70);
const SECONDS = Number(process.argv[3] ?? 30);
const CAP_MS = 10_000;
const GAS_PRICE = 50_000_000_000n;
const SEED = 20_261_121;
const MOST_LOSSES = 12;
const RESULTS = new URL("../results/", import.meta.url);
const PACKAGES = new URL("node_modules/", import.meta.url);

const KINDS: readonly {
  readonly name: string;
  readonly make: (fee: BuiltInFee) => PeerUniverse | undefined;
  readonly mixed?: true;
}[] = [
  { name: "v2-ftm made free of arbitrage", make: (fee) => fantomUniverse(fee, true) },
  { name: "v2-ftm as it is", make: (fee) => fantomUniverse(fee, false) },
  { name: "mixed V2 and V3 on real tick maps", make: mixedUniverse, mixed: true },
];

/** Sizes, as parts of all that pools hold of the sold token. */
const BANDS: readonly { readonly name: string; readonly has: (part: number) => boolean }[] = [
  { name: "1 to 1,000 units", has: (part) => part === 0 },
  { name: "up to 1 % of all", has: (part) => part > 0 && part <= 0.01 },
  { name: "1 % to all", has: (part) => part > 0.01 && part <= 1 },
  { name: "beyond", has: (part) => part > 1 },
];

const { lines, print } = createKeptLines();

function spread(values: readonly number[], digits: number): string {
  if (values.length === 0) return "none".padStart(26);
  return [0.5, 0.9, 0.99]
    .map((part) => quantile(values, part))
    .map((value) => (Math.abs(value) < 1e6 ? value.toFixed(digits) : value.toExponential(1)).padStart(8))
    .join(" ");
}

function times(spent: readonly Spent[]): string {
  const [wall, cpu] = [spent.map((one) => one.wall), spent.map((one) => one.cpu)];
  return `ms ${spread(wall, 1)} | of a processor ${spread(cpu, 1)}`;
}

/** The gap that the certificate leaves, in basis points of the answer; undefined where that says nothing. */
function gapOf({ result }: Ours): number | undefined {
  if (!result.found || result.certificate === undefined || result.certificate.achieved < FINE_ENOUGH) return undefined;
  const { bound, achieved } = result.certificate;
  return (Number(bound - achieved) / Number(achieved)) * 1e4;
}

function describe(universe: PeerUniverse, requests: readonly PeerRequest[], ours: readonly Ours[]): void {
  const refused = ours.filter(({ result }) => !result.found).length;
  const fills = ours.flatMap(({ result }) => (result.found ? [fillsOf(result.route).length] : []));
  const held = `${universe.pools.length} pools, ${universe.depth.size} tokens`;
  print(`\n${universe.name}: ${held}, ${requests.length} requests`);
  print(
    `  ${"Tributary".padEnd(20)} ${times(ours.map((one) => one.spent))} | pools ${spread(fills, 0)} | refused ${refused}`,
  );
  for (const gas of ["without gas", "with gas"])
    for (const band of BANDS) {
      const gaps = ours.flatMap((answer, i) => {
        const { gasPrice, part } = requests[i] as PeerRequest;
        const gap = gapOf(answer);
        return gap !== undefined && (gasPrice === 0n) === (gas === "without gas") && band.has(part) ? [gap] : [];
      });
      if (gaps.length > 0)
        print(`    gap ${gas.padEnd(12)} ${band.name.padEnd(17)} bp ${spread(gaps, 3)} (${gaps.length} answers)`);
    }
}

function inScore({ better, equal, worse, behind }: Score): string {
  return `we bring more ${better}, the same ${equal}, less ${worse}; behind us, bp ${spread(behind, 2)}`;
}

function report({ name, deepestOnly }: Contestant, tally: Tally): void {
  print(`  ${name.padEnd(20)} ${times(tally.spent)} | pools ${spread(tally.pools, 0)}`);
  print(`    ${inScore(tally.onAll)}`);
  if (deepestOnly === true) print(`    on the pools alone that it can see: ${inScore(tally.onSame)}`);
  const reasons = [...tally.reasons].map(([reason, count]) => `${reason} ${count}`);
  if (reasons.length > 0) print(`    not compared: ${reasons.join("; ")}`);
}

/** The requests in which anybody does better, each with the best of the others. */
function reportLosses(losses: ReadonlyMap<PeerRequest, Loss & { readonly by: string }>): void {
  for (const { request, ours, theirs, by } of [...losses.values()].slice(0, MOST_LOSSES)) {
    const { sellToken, buyToken, sellAmount, gasPrice, part } = request;
    print(`  ${by} does better: ${theirs} against ${ours}`);
    print(`    ${sellAmount} of ${sellToken} for ${buyToken}, ${part.toExponential(1)} of all, gas price ${gasPrice}`);
  }
  if (losses.size > MOST_LOSSES) print(`  and ${losses.size - MOST_LOSSES} more`);
}

/** Why a contestant does not take part. */
function absence({ package: needed, v2Only }: Contestant, mixed: boolean): string | undefined {
  if (needed !== undefined && !existsSync(new URL(`${needed}/`, PACKAGES))) return "bench/peers is not installed";
  return v2Only === true && mixed ? "it has no concentrated pools" : undefined;
}

const began = Date.now();
const load = () => `load ${loadavg()[0]?.toFixed(1)}`;
print(
  `node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, ${load()} at the start`,
);
print(`a request: at most ${CAP_MS} ms; gas price ${GAS_PRICE} wei on half of the requests, 0 on the others`);
print("three numbers in a row: median, 90th and 99th percentile");
print("balancer-v2-mainnet is skipped: its pools are not read into a universe yet");
mkdirSync(RESULTS, { recursive: true });
for (const kind of KINDS) {
  const latency: Series[] = [];
  const behind: Series[] = [];
  for (const fee of [USUAL_FEE, PANCAKE_FEE]) {
    const universe = kind.make(fee);
    if (universe === undefined) {
      print(`\n${kind.name} is skipped: ../shared/data is not there`);
      break;
    }
    const requests = requestsFor(universe, REQUESTS, GAS_PRICE, SEED);
    const all = answers(universe, requests);
    describe(universe, requests, all);
    if (fee === PANCAKE_FEE)
      print("    with a fee of 0.25 % in all constant-product pools, which PancakeSwap has built in");
    else {
      latency.push({ name: "Tributary", values: all.map(({ spent }) => spent.cpu) });
      behind.push({ name: "our certified gap", values: all.flatMap((answer) => gapOf(answer) ?? []) });
    }
    const losses = new Map<PeerRequest, Loss & { readonly by: string }>();
    for (const contestant of CONTESTANTS.filter((one) => one.fee === fee)) {
      const absent = absence(contestant, kind.mixed === true);
      if (absent !== undefined) {
        print(`  ${contestant.name} is skipped: ${absent}`);
        continue;
      }
      const seen = contestant.deepestOnly === true ? deepestOfPairs(universe) : undefined;
      const same = seen === undefined ? all : answers(universe, requests, ({ id }) => seen.has(id));
      const limits = { capMs: CAP_MS, budgetMs: 1000 * SECONDS * contestant.patience };
      const tally = await meet(contestant, universe, requests, { all, same }, limits);
      report(contestant, tally);
      for (const loss of tally.losses)
        if (loss.theirs > (losses.get(loss.request)?.theirs ?? loss.theirs - 1n))
          losses.set(loss.request, { ...loss, by: contestant.name });
      latency.push({ name: contestant.name, values: tally.spent.map(({ cpu }) => cpu) });
      behind.push({ name: contestant.name, values: tally.onAll.behind });
    }
    reportLosses(losses);
  }
  if (latency.length === 0) continue;
  const file = kind.name.replaceAll(" ", "-").toLowerCase();
  const plots = [
    ["latency", distributionPlot(`Processor time per answer, ${kind.name}`, "ms", latency, 0.1)],
    ["gap", distributionPlot(`Behind our answer, ${kind.name}`, "basis points", behind, 0.001)],
  ] as const;
  for (const [what, plot] of plots) writeFileSync(new URL(`${what}-${file}.svg`, RESULTS), plot);
}
print(`\n${((Date.now() - began) / 60_000).toFixed(1)} minutes, ${load()} at the end`);
writeFileSync(new URL("peers.txt", RESULTS), `${lines.join("\n")}\n`);
intoDocs("bench/peers", summaryOf(lines));
