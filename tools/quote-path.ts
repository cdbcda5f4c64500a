/**
 * Follows one request through the service: which layers of src it enters, from the API server to the calldata and back, and how
 * often it goes back into one that it had left. A service on a fresh devnet answers one quote, every function of src notes
 * who called it, and two functions of different layers count once, however often one calls the other.
 *
 *   node tools/quote-path.ts                 this tree
 *   node tools/quote-path.ts FOLDER          another one with its packages, for example an older version
 *   node tools/quote-path.ts . --steps       with the calls between layers, one a line
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../fixtures/free-port.ts";
import { betweenLayers, pathOf, type Step } from "./quote-path/steps.ts";

const KEY = "path-key";
const READY_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 250;
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const BOUGHT = "USDR";
const AMOUNT = "10000000000000000000";
/** The first account of every devnet. */
const TAKER = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
/** Quoted before the one that is followed, so that it finds what a service at work has in memory. */
const QUOTES_BEFORE = 2;

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
const showsSteps = process.argv.includes("--steps");
const data = mkdtempSync(join(tmpdir(), "quote-path-"));
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const service = startService();
try {
  await isReady();
  const url = await quoteUrl();
  for (let quote = 0; quote < QUOTES_BEFORE; quote++) await ask(url);
  service.send("begin");
  await ask(url);
  service.send("end");
  const [steps] = (await once(service, "message")) as [readonly Step[]];
  print(steps);
} finally {
  const closed = once(service, "close");
  if (service.kill("SIGTERM")) await closed;
  rmSync(data, { recursive: true });
}

function startService(): ChildProcess {
  const preload = fileURLToPath(new URL("quote-path/preload.ts", import.meta.url));
  return spawn(process.execPath, ["--import", preload, "src/main.ts"], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(port),
      DEVNET_PORT: "0",
      DATA_DIR: data,
      TRIBUTARY_API_KEY: KEY,
      REQUEST_TIMEOUT_MS: String(READY_WITHIN_MS),
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

/** Waits until the service quotes. @throws Error when it has ended, or takes too long */
async function isReady(): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    if (service.exitCode !== null)
      throw new Error(`the service of ${folder} has ended: does "npm ci" have to run there?`);
    const answer = await fetch(`${base}/readyz`).catch(() => undefined);
    if (answer?.ok === true) return;
    await wait(LOOK_EVERY_MS);
  }
  throw new Error("the service does not become ready");
}

/** A quote of the native token for a dollar, whose best route leads over several pools. */
async function quoteUrl(): Promise<string> {
  const list = (await (await fetch(`${base}/tokens.json`)).json()) as {
    readonly tokens: readonly { readonly symbol: string; readonly address: string }[];
  };
  const bought = list.tokens.find(({ symbol }) => symbol === BOUGHT);
  if (bought === undefined) throw new Error(`the devnet has no ${BOUGHT}`);
  const query = { sellToken: NATIVE, buyToken: bought.address, sellAmount: AMOUNT, takerAddress: TAKER };
  return `${base}/swap/v1/quote?${new URLSearchParams(query)}`;
}

/** @throws Error unless it is answered */
async function ask(url: string): Promise<void> {
  const answer = await fetch(url, { headers: { "api-key": KEY } });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`the quote is refused: ${body}`);
}

function print(steps: readonly Step[]): void {
  const outside = steps.filter(({ from, to }) => !isSearch(from.layer) || !isSearch(to.layer));
  for (const [name, some] of [
    ["the whole path, layers with their folders", steps],
    ["the whole path, layers alone", betweenLayers(steps)],
    ["outside of the search, layers with their folders", outside],
    ["outside of the search, layers alone", betweenLayers(outside)],
  ] as const) {
    const { layers, returns } = pathOf(some);
    console.log(`${name}: ${layers.length} entered, ${returns} returns, ${some.length} pairs of functions`);
  }
  const { sequence, backAndForth } = pathOf(outside);
  console.log(`\noutside of the search:\n${sequence.join(" → ")}`);
  console.log("\nrooms that call each other, by pairs of functions:");
  for (const { between, steps: both } of backAndForth.toSorted((a, b) => b.steps.length - a.steps.length)) {
    const [first, second] = between;
    const count = (layer: string) => both.filter(({ from }) => from.layer === layer).length;
    console.log(`  ${first} → ${second} ${count(first)}, back ${count(second)}`);
  }
  if (showsSteps) for (const { from, to } of steps) console.log(`${from.name} → ${to.name}`);
}

/** Whether a layer takes part in the search for a route, with its maths. */
function isSearch(layer: string): boolean {
  return ["routing", "pools", "math"].includes(layer.split("/")[0] ?? "");
}

/** A port that nobody listens on now. */
