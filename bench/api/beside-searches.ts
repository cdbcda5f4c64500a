import { Agent } from "node:http";
import { availableParallelism } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { quantile } from "../quantile.ts";
import { type ThreadSeconds, threadSeconds } from "./cpu.ts";
import { fresh, type Target } from "./load.ts";
import { RawConnection, type Status } from "./raw-connection.ts";
import { type Answered, pricePathOf, send } from "./timed-call.ts";

/** Connections on which new prices are asked for, each again as soon as it is answered. */
const CONNECTIONS = 32;
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
  const answers: Status[] = [];
  const connection = async () => {
    const raw = new RawConnection(target.port, { "api-key": target.key });
    while (!until()) answers.push(await raw.get(pricePathOf(next())));
    raw.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
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

function show(title: string, answers: readonly Status[]): void {
  const times = answers.map(({ ms }) => ms);
  const failures = answers.filter(({ status }) => status !== 200).length;
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(1));
  console.log(
    `${title.padEnd(42)} p50 ${p50} ms, p99 ${p99} ms, most ${most} ms (${failures} of ${times.length} failed)`,
  );
}

/** New prices a second. */
export interface PriceRates {
  /** Measured, on cores that the load takes a part of. */
  readonly measured: number;
  /** Calculated, were the load on a machine of its own: until a thread, or all cores, have nothing left. */
  readonly alone: number;
}

/** A service that is measured. */
export interface Measured {
  readonly target: Target;
  readonly pid: number;
  /** Search threads that it has. */
  readonly threads: number;
  /** Port of a server that does nothing. It is asked at the pace of the probes: what that takes is the load's and the machine's. */
  readonly barePort: number;
  /** New prices that it gives beforehand: the compiler is busy with what is new. */
  readonly warm: number;
}

/** Prints how many new prices a service gives, the CPU time of each, and how long what needs no search waits meanwhile. */
export async function showBesideSearches({ target, pid, threads, barePort, warm }: Measured): Promise<PriceRates> {
  console.log(`\nSEARCH_THREADS=${threads}: ${CONNECTIONS} connections ask for new prices`);
  const next = fresh(target.request);
  let left = warm;
  await askNew(target, next, () => left-- <= 0);
  process.kill(pid, "SIGUSR2");
  const [end, cpu, ownCpu] = [Date.now() + RUN_MS, threadSeconds(pid), process.cpuUsage()];
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
  const { user, system } = process.cpuUsage(ownCpu);
  const own = (user + system) / 1e6;
  const rates = showPrices(found, difference(threadSeconds(pid), cpu), own, threads);
  show("new prices", fresher);
  const { found: foundAgain, searched } = splitFound(cached);
  show("one price, cached", foundAgain);
  show("that price where its block is new", searched);
  show("/sources", sources);
  show("/readyz", probes);
  show("a bare node:http answer, for comparison", bare);
  console.log(`the load's event loop: delay p99 ${(delay.percentile(99) / 1e6 - 1).toFixed(1)} ms`);
  process.kill(pid, "SIGUSR2");
  return rates;
}

/** Prints the rate, and where the CPU time went, the load's included. Whatever the threads did meanwhile counts. */
function showPrices(
  found: number,
  { main, search, helpers }: ThreadSeconds,
  load: number,
  threads: number,
): PriceRates {
  const measured = found / (RUN_MS / 1_000);
  const all = main + search + helpers;
  const alone = found / Math.max(main, threads === 0 ? 0 : search / threads, all / availableParallelism());
  const each = (seconds: number) => `${((1_000 * seconds) / found).toFixed(2)} ms`;
  const cores = (seconds: number) => ((1_000 * seconds) / RUN_MS).toFixed(2);
  console.log(`new prices a second ${measured.toFixed(1)}, ${(found / all).toFixed(1)} per CPU second of the service`);
  console.log(
    `CPU of a new price ${each(all)}: main thread ${each(main)}, search threads ${each(search)}, V8's helpers ${each(helpers)}`,
  );
  console.log(
    `cores: the service ${cores(all)}, the load, with probes and cached prices, ${cores(load)} (${each(load)} a price)`,
  );
  console.log(`were the load on a machine of its own: ${alone.toFixed(1)} new prices a second (calculated)`);
  return { measured, alone };
}

function difference(after: ThreadSeconds, before: ThreadSeconds): ThreadSeconds {
  return {
    main: after.main - before.main,
    search: after.search - before.search,
    helpers: after.helpers - before.helpers,
  };
}
