/**
 * Callers of the service in a thread of their own, so that their work does not count as the service's: prices over REST and
 * Connect, quotes, lists, mistakes, and watched prices that are closed and opened again. Posts how calls ended when asked.
 */
import { Agent, request as httpRequest, type RequestOptions } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { createRandom } from "../fixtures/random.ts";

/** Data of the load's thread. */
export interface SoakLoad {
  readonly port: number;
  readonly key: string;
  readonly tokens: readonly string[];
  readonly callsPerSecond: number;
}

/** Calls since the last report by their HTTP status, and the milliseconds that they took, sorted. */
export interface LoadReport {
  readonly statuses: Readonly<Record<string, number>>;
  readonly tookMs: readonly number[];
}

const { port, key, tokens, callsPerSecond } = workerData as SoakLoad;
const { unit } = createRandom(7);
const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const WATCHES = 8;
const WATCHED_MS = 20_000;
let statuses: Record<string, number> = {};
let tookMs: number[] = [];

const pick = <Item>(items: readonly Item[]) => items[Math.floor(unit() * items.length)] as Item;

function parameters(): Record<string, string> {
  const sellToken = pick(tokens);
  const buyToken = pick(tokens.filter((token) => token !== sellToken));
  const amount = String(10n ** 12n + BigInt(Math.floor(unit() * 2 ** 50)));
  return { sellToken, buyToken, ...(unit() < 0.8 ? { sellAmount: amount } : { buyAmount: amount }) };
}

/** The next call: its path, and its body where it has one. */
function nextCall(): readonly [path: string, body?: string] {
  const choice = unit();
  const query = new URLSearchParams(parameters());
  if (choice < 0.6) return [`/swap/v1/price?${query}`];
  if (choice < 0.75) return ["/swap.v1.SwapService/GetPrice", JSON.stringify(parameters())];
  if (choice < 0.85) return [`/swap/v1/quote?${query}&skipValidation=true`];
  if (choice < 0.9) return ["/swap/v1/sources"];
  if (choice < 0.95) return ["/status"];
  return [`/swap/v1/price?${query}&slippagePercantage=0.01`];
}

function send(path: string, body: string | undefined, abortAfterMs?: number): Promise<string> {
  const options: RequestOptions = {
    ...{ agent, host: "127.0.0.1", port, path },
    method: body === undefined ? "GET" : "POST",
    headers: { "api-key": key, ...(body === undefined ? {} : { "content-type": "application/json" }) },
  };
  return new Promise((resolve) => {
    const call = httpRequest(options, (response) => {
      response.resume();
      response.once("close", () => resolve(String(response.statusCode)));
    });
    call.once("error", () => resolve("broken"));
    if (abortAfterMs !== undefined) setTimeout(() => call.destroy(), abortAfterMs);
    call.end(body);
  });
}

async function watch(): Promise<never> {
  for (;;) {
    const status = await send(
      `/swap/v1/price/stream?${new URLSearchParams(parameters())}`,
      undefined,
      WATCHED_MS * unit(),
    );
    statuses[`watch ${status}`] = (statuses[`watch ${status}`] ?? 0) + 1;
    await pause(100);
  }
}

async function ask(): Promise<void> {
  const start = performance.now();
  const status = await send(...(nextCall() as [string, string | undefined]));
  tookMs.push(performance.now() - start);
  statuses[status] = (statuses[status] ?? 0) + 1;
}

parentPort?.on("message", () => {
  const report: LoadReport = { statuses, tookMs: tookMs.sort((a, b) => a - b) };
  parentPort?.postMessage(report);
  statuses = {};
  tookMs = [];
});
for (let stream = 0; stream < WATCHES; stream++) void watch();
for (;;) {
  void ask();
  await pause(1_000 / callsPerSecond);
}
