/**
 * Our router beside other projects' routers, on the same pools and requests and in one run: what the taker gets after
 * network cost, how long it takes, how many pools it touches, and what the certificate says. Plans of others are run
 * again on our integer maths and gas model (replay.ts).
 *
 *   (cd bench/peers && npm ci --ignore-scripts --legacy-peer-deps)       once; 235 MB
 *   node bench/peers/compare.ts [requests per universe] [seconds per peer and universe]
 *
 * Writes what it prints, and plots, to bench/results/.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { fillsOf } from "../../src/domain/route.ts";
import { createRouter } from "../../src/routing/create-router.ts";
import { costOfGas } from "../../src/routing/network-cost.ts";
import type { NetworkCost, RouteResult } from "../../src/routing/router.ts";
import { budgetOf, FREE, graphOf } from "../../test/support/universe.ts";
import { startPeer } from "./peer.ts";
import { distributionPlot, type Series } from "./plot.ts";
import { replay } from "./replay.ts";
import { type PeerRequest, requestsFor } from "./requests.ts";
import { type BuiltInFee, fantomUniverse, mixedUniverse, type PeerUniverse } from "./universe.ts";

const REQUESTS = Number(process.argv[2] ?? 70);
const BUDGET_MS = 1000 * Number(process.argv[3] ?? 50);
const CAP_MS = 6_000;
const GAS_PRICE = 50_000_000_000n;
const SEED = 20_261_121;
const WARM_UP = 2;
/** Answers below this many base units are rounded too coarsely to speak of basis points. */
const FINE_ENOUGH = 1_000_000n;
const RESULTS = new URL("../results/", import.meta.url);

const USUAL: BuiltInFee = { feeNum: 3n, feeDen: 1000n };
const PANCAKE: BuiltInFee = { feeNum: 25n, feeDen: 10_000n };

interface Contestant {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly fee: BuiltInFee;
  readonly package?: string;
  readonly v2Only?: true;
}

const CONTESTANTS: readonly Contestant[] = [
  { name: "greedy, 1,000 chunks", file: "greedy.ts", args: [], fee: USUAL },
  {
    name: "Uniswap AlphaRouter",
    file: "uniswap.mjs",
    args: [],
    fee: USUAL,
    package: "@uniswap/smart-order-router",
  },
  {
    name: "Pancake Infinity",
    file: "pancake.mjs",
    args: ["infinity"],
    fee: PANCAKE,
    package: "@pancakeswap/smart-router",
  },
  {
    name: "Pancake SmartRouter",
    file: "pancake.mjs",
    args: ["smart"],
    fee: PANCAKE,
    package: "@pancakeswap/smart-router",
  },
  { name: "Balancer SOR", file: "balancer.mjs", args: [], fee: USUAL, package: "@balancer-labs/sor", v2Only: true },
];

const KINDS: readonly {
  readonly name: string;
  readonly make: (fee: BuiltInFee) => PeerUniverse | undefined;
  readonly mixed?: true;
}[] = [
  { name: "v2-ftm made free of arbitrage", make: (fee) => fantomUniverse(fee, true) },
  { name: "v2-ftm as it is", make: (fee) => fantomUniverse(fee, false) },
  { name: "mixed V2 and V3 on real tick maps", make: mixedUniverse, mixed: true },
];

interface Ours {
  readonly result: RouteResult;
  readonly ms: number;
  /** What the taker gets after network cost; undefined without a route. */
  readonly value: bigint | undefined;
}

const lines: string[] = [];
function print(line: string): void {
  console.log(line);
  lines.push(line);
}

function costIn(universe: PeerUniverse, gasPrice: bigint): NetworkCost {
  if (gasPrice === 0n) return FREE;
  return {
    gasPrice,
    rate: (token) => {
      const value = universe.values.get(token);
      if (value === undefined) return undefined;
      return value > 1
        ? { num: 10n ** 9n, den: BigInt(Math.round(value * 1e9)) }
        : { num: BigInt(Math.round(1e9 / value)), den: 10n ** 9n };
    },
  };
}

/** Our answers, measured once every request has been asked before. */
function answers(universe: PeerUniverse, requests: readonly PeerRequest[]): readonly Ours[] {
  const graph = graphOf(universe.pools, universe.time);
  const router = createRouter();
  const ask = ({ sellToken, buyToken, sellAmount, gasPrice }: PeerRequest) =>
    router.findBest({
      order: { kind: "exactIn", sellToken, buyToken, sellAmount },
      graph,
      allows: () => true,
      cost: costIn(universe, gasPrice),
      budget: budgetOf(),
    });
  for (const request of requests) ask(request);
  return requests.map((request) => {
    const start = performance.now();
    const result = ask(request);
    const ms = performance.now() - start;
    if (!result.found) return { result, ms, value: undefined };
    const gas = fillsOf(result.route).reduce((sum, fill) => sum + fill.gas, 0n);
    const cost = costOfGas(costIn(universe, request.gasPrice), request.buyToken, gas);
    return { result, ms, value: result.route.buyAmount - cost };
  });
}

function at(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

function spread(values: readonly number[], digits: number): string {
  return [0.5, 0.9, 0.99]
    .map((part) => at(values, part))
    .map((value) => (Math.abs(value) < 1e6 ? value.toFixed(digits) : value.toExponential(1)).padStart(8))
    .join(" ");
}

function describe(universe: PeerUniverse, requests: readonly PeerRequest[], ours: readonly Ours[]): readonly number[] {
  const gaps = new Map<string, number[]>([
    ["without gas", []],
    ["with gas", []],
  ]);
  for (const [i, { result }] of ours.entries()) {
    if (!result.found || result.certificate === undefined || result.certificate.achieved < FINE_ENOUGH) continue;
    const { bound, achieved } = result.certificate;
    const group = requests[i]?.gasPrice === 0n ? "without gas" : "with gas";
    gaps.get(group)?.push((Number(bound - achieved) / Number(achieved)) * 1e4);
  }
  const refused = ours.filter(({ result }) => !result.found).length;
  const fills = ours.flatMap(({ result }) => (result.found ? [fillsOf(result.route).length] : []));
  print(
    `\n${universe.name}: ${universe.pools.length} pools, ${universe.depth.size} tokens, ${requests.length} requests`,
  );
  print(
    `  Tributary            ms ${spread(
      ours.map(({ ms }) => ms),
      2,
    )} | pools ${spread(fills, 0)} | refused ${refused}`,
  );
  for (const [group, values] of gaps)
    print(`  gap ${group.padEnd(16)} bp ${spread(values, 3)} (${values.length} answers)`);
  return [...gaps.values()].flat();
}

interface Tally {
  readonly ms: number[];
  /** How much less than ours the peer brings, in basis points of ours; negative where it brings more. */
  readonly behind: number[];
  readonly pools: number[];
  readonly reasons: Map<string, number>;
  better: number;
  equal: number;
  worse: number;
}

async function meet(
  contestant: Contestant,
  universe: PeerUniverse,
  requests: readonly PeerRequest[],
  ours: readonly Ours[],
): Promise<Tally> {
  const tally: Tally = { ms: [], behind: [], pools: [], reasons: new Map(), better: 0, equal: 0, worse: 0 };
  const count = (reason: string) => tally.reasons.set(reason, (tally.reasons.get(reason) ?? 0) + 1);
  const pools = new Map(universe.pools.map((pool) => [pool.id, pool]));
  const peer = await startPeer(contestant.file, contestant.args, universe, CAP_MS);
  try {
    for (const request of requests.slice(0, WARM_UP)) await peer.ask(request);
    const start = performance.now();
    for (const [i, request] of requests.entries()) {
      if (performance.now() - start > BUDGET_MS) {
        count("not asked, its time was up");
        continue;
      }
      const answer = await peer.ask(request);
      if (answer.kind === "timed out" || answer.kind === "failed") {
        count(answer.kind === "failed" ? `failed (${answer.reason})` : answer.kind);
        continue;
      }
      tally.ms.push(answer.ms);
      const mine = ours[i]?.value;
      if (answer.kind === "no route") {
        count(mine === undefined ? "no route on either side" : "no route");
        continue;
      }
      const played = replay(answer.plan, request, pools, universe.time);
      if (!played.ok) {
        count(played.why);
        continue;
      }
      tally.pools.push(played.pools);
      const theirs = played.buyAmount - costOfGas(costIn(universe, request.gasPrice), request.buyToken, played.gas);
      if (mine === undefined) {
        count("a route where we have none");
        const result = ours[i]?.result;
        const reason = result?.found === false ? result.reason.kind : "";
        print(`    ${contestant.name} has a route where we have none (${reason}): ${inWords(request)}`);
        continue;
      }
      if (mine > theirs) tally.better++;
      else if (mine === theirs) tally.equal++;
      else {
        tally.worse++;
        print(`    ${contestant.name} brings more: ${theirs} against ${mine}, ${inWords(request)}`);
      }
      if (theirs > 0n && mine > FINE_ENOUGH) tally.behind.push((Number(mine - theirs) / Number(mine)) * 1e4);
    }
  } finally {
    await peer.stop();
  }
  return tally;
}

function inWords({ sellToken, buyToken, sellAmount, gasPrice, part }: PeerRequest): string {
  return `${sellAmount} of ${sellToken} for ${buyToken} (${part.toExponential(1)} of all), gas price ${gasPrice}`;
}

function report({ name }: Contestant, tally: Tally): void {
  const { ms, behind, pools, better, equal, worse } = tally;
  print(
    `  ${name.padEnd(20)} ms ${spread(ms, 1)} | pools ${spread(pools, 0)}` +
      ` | we bring more ${better}, the same ${equal}, less ${worse} | behind us, bp ${spread(behind, 2)}`,
  );
  const reasons = [...tally.reasons].map(([reason, times]) => `${reason} ${times}`);
  if (reasons.length > 0) print(`    not compared: ${reasons.join("; ")}`);
}

const packages = new URL("node_modules/", import.meta.url);
const began = Date.now();
print(
  `node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)} at the start`,
);
print(
  `a request: at most ${CAP_MS} ms; a peer: at most ${BUDGET_MS / 1000} s per universe; gas price ${GAS_PRICE} wei on half of the requests`,
);
print("three numbers in a row: median, 90th and 99th percentile");
print("balancer-v2-mainnet is skipped: src/pools has no weighted pools");
mkdirSync(RESULTS, { recursive: true });
for (const kind of KINDS) {
  const latency: Series[] = [];
  const behind: Series[] = [];
  let gaps: readonly number[] = [];
  for (const fee of [USUAL, PANCAKE]) {
    const universe = kind.make(fee);
    if (universe === undefined) {
      print(`\n${kind.name} is skipped: ../shared/data is not there`);
      break;
    }
    const requests = requestsFor(universe, REQUESTS, GAS_PRICE, SEED);
    const ours = answers(universe, requests);
    if (fee === PANCAKE)
      print(`  the same with a fee of 0.25 % in the constant-product pools, which PancakeSwap has built in:`);
    const measured = describe(universe, requests, ours);
    if (fee === USUAL) {
      gaps = measured;
      latency.push({ name: "Tributary", values: ours.map(({ ms }) => ms) });
    }
    for (const contestant of CONTESTANTS) {
      if (contestant.fee !== fee) continue;
      if (contestant.package !== undefined && !existsSync(new URL(`${contestant.package}/`, packages))) {
        print(`  ${contestant.name} is skipped: bench/peers is not installed`);
        continue;
      }
      if (contestant.v2Only === true && kind.mixed === true) {
        print(`  ${contestant.name} is skipped: it has no concentrated pools`);
        continue;
      }
      const tally = await meet(contestant, universe, requests, ours);
      report(contestant, tally);
      latency.push({ name: contestant.name, values: tally.ms });
      behind.push({ name: contestant.name, values: tally.behind });
    }
  }
  if (latency.length === 0) continue;
  const file = kind.name.replaceAll(" ", "-").toLowerCase();
  writeFileSync(
    new URL(`latency-${file}.svg`, RESULTS),
    distributionPlot(`Time per answer, ${kind.name}`, "ms", latency, 0.1),
  );
  const compared = [{ name: "our certified gap", values: gaps }, ...behind];
  writeFileSync(
    new URL(`gap-${file}.svg`, RESULTS),
    distributionPlot(`Behind our answer, ${kind.name}`, "basis points", compared, 0.001),
  );
}
print(`\n${((Date.now() - began) / 60_000).toFixed(1)} minutes, load ${loadavg()[0]?.toFixed(1)} at the end`);
writeFileSync(new URL("peers.txt", RESULTS), `${lines.join("\n")}\n`);
