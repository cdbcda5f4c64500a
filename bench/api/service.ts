import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Target } from "./load.ts";

export const KEY = "key-of-the-benchmark";
/** LOG_LEVEL=info measures with a line for every request. */
export const LEVEL = { LOG_LEVEL: process.env.LOG_LEVEL ?? "error" };

export const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Folder of services' own data, until the process ends. */
export const dataDir: string = mkdtempSync(join(tmpdir(), "bench-api-"));

/** A program that has printed where it is. */
export interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  /** All that it prints. */
  readonly lines: Interface;
  /** The first printed line that matches. */
  readonly line: RegExpMatchArray;
}

/** Starts a program of Node, and waits until it prints a line that is wanted. */
export async function start(
  script: string,
  input: string,
  env: Record<string, string>,
  wanted: RegExp,
  flags: readonly string[] = [],
): Promise<Running> {
  const child = spawn(process.execPath, [...flags, script], {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["pipe", "pipe", LEVEL.LOG_LEVEL === "info" ? "ignore" : "inherit"],
  });
  child.stdin?.end(input);
  if (child.stdout === null || child.pid === undefined) throw new Error(`${script} did not start`);
  const { pid, stdout } = child;
  const lines = createInterface(stdout);
  return new Promise((resolve, reject) => {
    lines.on("line", (text) => {
      const line = text.match(wanted);
      if (line !== null) resolve({ child, pid, lines, line });
    });
    lines.once("close", () => reject(new Error(`${script} ended`)));
  });
}

export async function stop({ child }: Running): Promise<void> {
  child.kill("SIGTERM");
  if (child.exitCode === null) await once(child, "exit");
}

/** Target from the printed address of a price. */
export function targetOf(line: RegExpMatchArray): Target {
  return { port: Number(line[1]), key: KEY, request: Object.fromEntries(new URLSearchParams(line[2])) };
}

/** A bare server that answers with the price that a server gives. */
export async function bareFor({ port, request }: Target): Promise<Running & { readonly bytes: number }> {
  const url = `http://127.0.0.1:${port}/swap/v1/price?${new URLSearchParams(request)}`;
  const body = await (await fetch(url, { headers: { "api-key": KEY } })).text();
  return { ...(await start(here("bare-server.ts"), body, {}, /^(\d+)$/)), bytes: body.length };
}

/** Starts the service on its devnet, of this checkout or of another one. */
export function startService(
  flags: readonly string[] = [],
  options: Record<string, string> = {},
  checkout = here("../.."),
): Promise<Running> {
  const env = { PORT: "0", DEVNET_PORT: "0", DATA_DIR: dataDir, TRIBUTARY_API_KEY: KEY, ...LEVEL, ...options };
  const printed = /^curl .*'http:\/\/127\.0\.0\.1:(\d+)\/[^?]+\?([^']+)'/;
  return start(join(checkout, "src/main.ts"), "", env, printed, flags);
}
