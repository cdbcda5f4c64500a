import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtService } from "./built-service.ts";
import { keepLog, keepSecrets } from "./test-logs.ts";

export { freePort } from "../../../fixtures/free-port.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The command that `npm start` comes to, in the clone. */
export const FROM_SOURCES = [process.execPath, "src/main.ts"] as const;

/** The service as its own process, started the way an operator starts it. */
export interface Program {
  readonly process: ChildProcess;
  /** Everything that it has written to standard output so far. */
  stdout(): string;
  stderr(): string;
  /** Waits until standard output matches. @throws Error with all output when the program ends before that. */
  prints(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Sends a signal, if any, and waits for the end: the exit code, or the signal that ended it. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** `command`: what an operator types; by default the published service, which starts in half of the time of its sources. */
export function startProgram(
  environment: Readonly<Record<string, string>>,
  command?: readonly [string, ...string[]],
  cwd = root,
): Program {
  const dataDir = mkdtempSync(join(tmpdir(), "program-"));
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const built = command === undefined ? builtService() : undefined;
  const [file, ...words] = command ?? [process.execPath, built?.program ?? ""];
  const child = spawn(file, words, {
    cwd,
    // It inherits nothing that changes its behaviour.
    env: { PATH, NODE_COMPILE_CACHE: built?.compiled ?? NODE_COMPILE_CACHE, DATA_DIR: dataDir, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  keepSecrets(environment);
  const output = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk: Buffer) => {
      output[name] += chunk.toString();
      if (name === "stderr") keepLog(chunk.toString());
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once("close", (code, signal) => {
      rmSync(dataDir, { recursive: true });
      resolve(code ?? signal ?? -1);
      for (const listener of listeners) listener();
    });
  });
  return {
    process: child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    prints: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = output.stdout.match(pattern);
          const over = child.exitCode !== null || child.signalCode !== null;
          if (match === null && !over) return;
          listeners.delete(look);
          if (match !== null) resolve(match);
          else reject(new Error(`the program ended:\n${output.stdout}\n${output.stderr}`));
        };
        listeners.add(look);
        look();
      }),
    end(signal) {
      if (signal !== undefined && child.exitCode === null) child.kill(signal);
      return ended;
    },
  };
}

/** Whether something accepts connections on a port of 127.0.0.1. */
export async function isTaken(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(true));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(false)));
  });
}

/** Whether somebody speaks HTTP at a port. */
export function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}`).then(
    () => true,
    () => false,
  );
}
