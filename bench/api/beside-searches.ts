import { Agent } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { quantile } from "../quantile.ts";
import { cpuSeconds } from "./cpu.ts";
import { fresh, type Target } from "./load.ts";
import { type Answered, pricePathOf, send } from "./timed-call.ts";

/** Connections on which new prices are asked for, each again as soon as it is answered. */
const CONNECTIONS = 32;
const WARM_MS = 5_000;
const RUN_MS = 20_000;
/** A price that was found before, and a probe, are asked for so often. */
const CACHED_EVERY_MS = 25;
const PROBES_EVERY_MS = 50;

/** Asks at a steady pace, whether or not the last one has been answered. */
async function askEvery(ms: number, target: Target, path: string, until: () => boolean): Promise<readonly Answered[]> {
  const agent = new Agent({ keepAlive: true });
  const answers: Promise<Answered>[] = [];
  for (; !until(); await wait(ms)) answers.push(send(agent, target, path));
  const all = await Promise.all(answers);
  agent.destroy();
  return all;
}

/** Asks for new prices on all connections. */
async function askNew(target: Target, next: () => Target["request"], until: () => boolean) {
  const agent = new Agent({ keepAlive: true });
  const answers: Answered[] = [];
  const connection = async () => {
    while (!until()) answers.push(await send(agent, target, pricePathOf(next())));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  agent.destroy();
  return answers;
}

/** Splits answers of one price into those that were sent after an answer of their block had come, and the rest, which search. */
function splitFound(answers: readonly Answered[]): { readonly found: Answered[]; readonly searched: Answered[] } {
  const blockOf = ({ body }: Answered) => /"blockNumber":"?(\d+)/.exec(body)?.[1];
  const knownAt = new Map<string | undefined, number>();
  for (const answer of answers) {
    const came = answer.sentAt + answer.ms;
    knownAt.set(blockOf(answer), Math.min(came, knownAt.get(blockOf(answer)) ?? came));
  }
  const isFound = (answer: Answered) => answer.sentAt >= (knownAt.get(blockOf(answer)) ?? 0);
  return { found: answers.filter(isFound), searched: answers.filter((answer) => !isFound(answer)) };
}

function show(title: string, answers: readonly Answered[]): void {
  const times = answers.map(({ ms }) => ms);
  const failures = answers.filter(({ status }) => status !== 200).length;
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(1));
  console.log(
    `${title.padEnd(42)} p50 ${p50} ms, p99 ${p99} ms, most ${most} ms (${failures} of ${times.length} failed)`,
  );
}

/**
 * Prints how many new prices a service gives, and how long what needs no search waits meanwhile. `barePort`: of a server that does
 * nothing, asked at the pace of the probes. What its answers take is the load's own queueing and the machine's.
 */
export async function showBesideSearches(title: string, target: Target, pid: number, barePort: number): Promise<void> {
  console.log(`\n${title}: ${CONNECTIONS} connections ask for new prices`);
  const next = fresh(target.request);
  const warmUntil = Date.now() + WARM_MS;
  await askNew(target, next, () => Date.now() > warmUntil);
  process.kill(pid, "SIGUSR2");
  const [end, cpu, ownCpu] = [Date.now() + RUN_MS, cpuSeconds(pid), process.cpuUsage()];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const until = () => Date.now() > end;
  const [fresher, cached, sources, probes, bare] = await Promise.all([
    askNew(target, next, until),
    askEvery(CACHED_EVERY_MS, target, pricePathOf(target.request), until),
    askEvery(CACHED_EVERY_MS, target, "/swap/v1/sources", until),
    askEvery(PROBES_EVERY_MS, target, "/readyz", until),
    askEvery(PROBES_EVERY_MS, { ...target, port: barePort }, "/", until),
  ]);
  const found = fresher.filter(({ status }) => status === 200).length;
  const used = cpuSeconds(pid) - cpu;
  const rate = (found / (RUN_MS / 1_000)).toFixed(1);
  console.log(
    `new prices a second ${rate}, CPU ${((1_000 * used) / found).toFixed(1)} ms each, ${((used / RUN_MS) * 1_000).toFixed(2)} cores`,
  );
  show("new prices", fresher);
  const { found: foundAgain, searched } = splitFound(cached);
  show("one price, cached", foundAgain);
  show("that price where its block is new", searched);
  show("/sources", sources);
  show("/readyz", probes);
  show("a bare node:http answer, for comparison", bare);
  const { user, system } = process.cpuUsage(ownCpu);
  const own = ((user + system) / 1_000 / RUN_MS).toFixed(2);
  const late = (delay.percentile(99) / 1e6 - 1).toFixed(1);
  console.log(`the load itself: ${own} cores, event loop's delay p99 ${late} ms`);
  process.kill(pid, "SIGUSR2");
}
