import { cpus } from "node:os";
import { quantile } from "../quantile.ts";
import { type ThreadSeconds, threadSeconds } from "./cpu.ts";
import { fresh, type Target } from "./load.ts";
import { PacedCaller } from "./paced-calls.ts";
import { RawConnection, type Status } from "./raw-connection.ts";
import { type Answered, pricePathOf } from "./timed-call.ts";

/** Connections on which new prices are asked for, each again as soon as it is answered. */
const CONNECTIONS = 32;
/** A price that was found before, and a probe, are asked for so often. */
const CACHED_EVERY_MS = 25;
const PROBES_EVERY_MS = 50;

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
interface PriceRates {
  /** Measured, on cores that the load takes a part of. */
  readonly measured: number;
  /** Calculated, were the load on a machine of its own: until a thread, or all cores, have nothing left. */
  readonly alone: number;
}

/** A service that is measured. */
export interface Measured {
  readonly name: string;
  readonly target: Target;
  readonly pid: number;
  /** Search threads that it has. */
  readonly threads: number;
  /** METRICS_PORT, where orchestrators probe. */
  readonly metricsPort: number;
  /** Port of a server that does nothing. It is asked at the pace of the probes: what that takes is the load's and the machine's. */
  readonly barePort: number;
}

/** Result of a slice of time, or of several. */
interface Counts {
  readonly ms: number;
  readonly cpu: ThreadSeconds;
  /** CPU seconds of the load. */
  readonly load: number;
  readonly prices: readonly Status[];
  readonly cached: readonly Answered[];
  readonly sources: readonly Answered[];
  readonly probes: readonly Answered[];
  readonly ownProbes: readonly Answered[];
  readonly bare: readonly Answered[];
}

/** Prices and probes of one service, slice by slice: others have their slices between, so that all meet the same machine. */
export class BesideSearches {
  readonly #of: Measured;
  readonly #next: () => Target["request"];
  readonly #paced = new PacedCaller();
  readonly #slices: Counts[] = [];

  constructor(of: Measured) {
    this.#of = of;
    this.#next = fresh(of.target.request);
  }

  /** Asks for new prices beforehand: the compiler is busy with what is new. */
  async warm(prices: number): Promise<void> {
    let left = prices;
    await askNew(this.#of.target, this.#next, () => left-- <= 0);
  }

  async slice(ms: number): Promise<void> {
    const { target, pid, metricsPort, barePort } = this.#of;
    process.kill(pid, "SIGUSR2");
    const [begun, cpu, ownCpu] = [Date.now(), threadSeconds(pid), process.cpuUsage()];
    const calls = [
      { target, path: pricePathOf(target.request), everyMs: CACHED_EVERY_MS },
      { target, path: "/swap/v1/sources", everyMs: CACHED_EVERY_MS },
      { target, path: "/readyz", everyMs: PROBES_EVERY_MS },
      { target: { ...target, port: metricsPort }, path: "/readyz", everyMs: PROBES_EVERY_MS },
      { target: { ...target, port: barePort }, path: "/", everyMs: PROBES_EVERY_MS },
    ];
    const [prices, [cached = [], sources = [], probes = [], ownProbes = [], bare = []]] = await Promise.all([
      askNew(target, this.#next, () => Date.now() > begun + ms),
      this.#paced.call(calls, ms),
    ]);
    process.kill(pid, "SIGUSR2");
    const { user, system } = process.cpuUsage(ownCpu);
    const used = difference(threadSeconds(pid), cpu);
    const counts = { ms: Date.now() - begun, cpu: used, load: (user + system) / 1e6 };
    this.#slices.push({ ...counts, prices, cached, sources, probes, ownProbes, bare });
  }

  close(): Promise<void> {
    return this.#paced.close();
  }

  /** Prints rates as multiples of another one's, which had as many slices, slice by slice. */
  compareWith(none: BesideSearches): void {
    const times = (kind: keyof PriceRates) => {
      const ratios = this.#rates().map((rate, at) => rate[kind] / none.#rates()[at]![kind]);
      const [low, mid, high] = [0, 0.5, 1].map((share) => quantile(ratios, share).toFixed(2));
      return `${mid} times (${low} to ${high})`;
    };
    const alone = `${times("alone")} were the load on a machine of its own (calculated)`;
    const [{ name }, { name: other }] = [this.#of, none.#of];
    console.log(`${name}: ${times("measured")} the new prices of ${other} (goal 1.7), ${alone}`);
  }

  #rates(): readonly PriceRates[] {
    return this.#slices.map((slice) => ratesOf(slice, this.#of.threads));
  }

  /** Prints what all slices came to. */
  show(): void {
    const { name, threads } = this.#of;
    const all = this.#slices.reduce(sumOf);
    console.log(`\n${name}: ${CONNECTIONS} connections ask for new prices`);
    showPrices(all, threads);
    const { found, searched } = splitFound(all.cached);
    show("new prices", all.prices);
    show("one price, cached", found);
    show("that price where its block is new", searched);
    show("/sources", all.sources);
    show("/readyz on METRICS_PORT (goal p99 10)", all.ownProbes);
    show("/readyz beside the API", all.probes);
    show("a bare node:http answer, for comparison", all.bare);
  }
}

function foundIn({ prices }: Counts): number {
  return prices.filter(({ status }) => status === 200).length;
}

function ratesOf(counts: Counts, threads: number): PriceRates {
  const { main, search, helpers } = counts.cpu;
  const busiest = Math.max(main, threads === 0 ? 0 : search / threads, (main + search + helpers) / cpus().length);
  return { measured: (1_000 * foundIn(counts)) / counts.ms, alone: foundIn(counts) / busiest };
}

/** Prints the rate, and where the CPU time went, the load's included. Whatever the threads did meanwhile counts. */
function showPrices(counts: Counts, threads: number): void {
  const found = foundIn(counts);
  const { main, search, helpers } = counts.cpu;
  const { measured, alone } = ratesOf(counts, threads);
  const all = main + search + helpers;
  const each = (seconds: number) => `${((1_000 * seconds) / found).toFixed(2)} ms`;
  const cores = (seconds: number) => ((1_000 * seconds) / counts.ms).toFixed(2);
  console.log(`new prices a second ${measured.toFixed(1)}, ${(found / all).toFixed(1)} per CPU second of the service`);
  console.log(
    `CPU of a new price ${each(all)}: main thread ${each(main)}, search threads ${each(search)}, V8's helpers ${each(helpers)}`,
  );
  console.log(
    `cores: the service ${cores(all)}, the load, with probes and cached prices, ${cores(counts.load)} (${each(counts.load)} a price)`,
  );
  console.log(`were the load on a machine of its own: ${alone.toFixed(1)} new prices a second (calculated)`);
}

function difference(after: ThreadSeconds, before: ThreadSeconds): ThreadSeconds {
  return {
    main: after.main - before.main,
    search: after.search - before.search,
    helpers: after.helpers - before.helpers,
  };
}

function sumOf(one: Counts, other: Counts): Counts {
  const [{ cpu }, { cpu: more }] = [one, other];
  return {
    ...{ ms: one.ms + other.ms, load: one.load + other.load },
    cpu: { main: cpu.main + more.main, search: cpu.search + more.search, helpers: cpu.helpers + more.helpers },
    prices: [...one.prices, ...other.prices],
    cached: [...one.cached, ...other.cached],
    sources: [...one.sources, ...other.sources],
    probes: [...one.probes, ...other.probes],
    ownProbes: [...one.ownProbes, ...other.ownProbes],
    bare: [...one.bare, ...other.bare],
  };
}
