/**
 * Does what a new user does, README in hand, and says how long it takes: clones the project into an empty folder, pastes
 * the README's command, asks for the first price with the line that is printed, and swaps with the example that the README
 * names. With the Node of the machine, nothing of this checkout on the PATH, and npm's cache as it is.
 *
 *   npm run stopwatch
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../fixtures/free-port.ts";

const GOALS = { price: 60, swap: 300 };
const GIVE_UP_MS = 600_000;
const KEY = "my-devnet-key";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "new-user-"));
const isOurs = (part: string) => part.includes("node_modules") || part.includes("node-gyp");
const PATH = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((part) => !isOurs(part))
  .join(delimiter);
const ports = { PORT: String(await freePort()), DEVNET_PORT: String(await freePort()) };
const env = { PATH, HOME: process.env.HOME ?? "", TRIBUTARY_API_KEY: KEY, ...ports };

execFileSync("git", ["clone", "--quiet", "--no-hardlinks", root, folder]);
const readme = readFileSync(join(folder, "README.md"), "utf8");
const start = commandOf(/^npm ci && TRIBUTARY_API_KEY=\S+ npm start$/m);
const swap = commandOf(/^TRIBUTARY_API_KEY=\S+ (npm exec .*examples\/.*)$/m);

const versions = `Node ${shell("node --version").trim()}, npm ${shell("npm --version").trim()}`;
console.log(`${versions}; ${cpus().length} processors with a load of ${loadavg()[0]?.toFixed(1)}`);
const began = performance.now();
const service = spawn("sh", ["-c", start], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
try {
  const line = await printed(service, /^curl .*$/m);
  report("the service says where it is");
  const price = JSON.parse(shell(line)) as { readonly buyAmount: string };
  report(`first price: ${price.buyAmount} base units`, GOALS.price);
  const url = `TRIBUTARY_URL=http://127.0.0.1:${ports.PORT} RPC_URL=http://127.0.0.1:${ports.DEVNET_PORT}`;
  const [, quoted, received] = shell(`${url} ${swap}`).match(/quoted (\d+), received (\d+)/) ?? [];
  if (quoted === undefined || quoted !== received) throw new Error(`quoted ${quoted}, received ${received}`);
  report(`first swap: received ${received}, as quoted`, GOALS.swap);
} finally {
  // The whole group: npm, its shell, the service and its node.
  if (service.pid !== undefined) process.kill(-service.pid, "SIGTERM");
  await new Promise((resolve) => service.once("close", resolve));
  rmSync(folder, { recursive: true });
}

/** A command that the README has; there is no stopwatch for one that it has not. */
function commandOf(form: RegExp): string {
  const match = readme.match(form);
  if (match === null) throw new Error(`the README has no line like ${form}`);
  return match[1] ?? match[0];
}

function shell(command: string): string {
  return execFileSync("sh", ["-c", command], { cwd: folder, env, encoding: "utf8", timeout: GIVE_UP_MS });
}

function report(what: string, goal?: number): void {
  const seconds = (performance.now() - began) / 1000;
  const verdict = goal === undefined ? "" : seconds <= goal ? ` (goal ${goal} s: met)` : ` (goal ${goal} s: MISSED)`;
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${what}${verdict}`);
}

/** Waits for a line of standard output. @throws Error with all output when the program ends before */
function printed({ stdout, stderr, ...child }: ChildProcess, form: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const giveUp = setTimeout(() => reject(new Error(`nothing after ten minutes:\n${output}`)), GIVE_UP_MS);
    for (const stream of [stdout, stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        const match = output.match(form);
        if (match === null) return;
        clearTimeout(giveUp);
        resolve(match[0]);
      });
    }
    stdout?.once("close", () => reject(new Error(`the command ended (${child.exitCode}):\n${output}`)));
  });
}
