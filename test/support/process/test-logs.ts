import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { DestinationStream, Logger, LoggerOptions } from "pino";

/** Options whose values a program must not log. */
const SECRET_OPTIONS = ["TRIBUTARY_API_KEY", "DATABASE_URL", "KEY_PEPPER", "RPC_URL", "WS_URL", "DEPLOYER_PRIVATE_KEY"];

/** Folder in which `npm test` collects logs, to search them for secrets; undefined if a test runs by itself. */
const folder = process.env.TRIBUTARY_TEST_LOGS;

/** Keeps what a service of a test has logged. */
export function keepLog(text: string): void {
  if (folder !== undefined) appendFileSync(join(folder, `${process.pid}.log`), text);
}

/** Keeps what a program of a test is started with that must not be in its log. */
export function keepSecrets(environment: Readonly<Record<string, string>>): void {
  const secrets = SECRET_OPTIONS.flatMap((name) => environment[name] ?? []);
  if (folder !== undefined) appendFileSync(join(folder, `${process.pid}.secrets`), `${secrets.join("\n")}\n`);
}

let keptAll = false;

/**
 * Has every logger of every test keep its lines, whatever it writes to: at the end of `npm test` nothing secret may be in what
 * they wrote. It replaces pino, so it is called before anything imports that.
 */
export function keepAllLogs(): void {
  if (folder === undefined || keptAll) return;
  keptAll = true;
  const module = createRequire(import.meta.url)("pino") as { pino: Pino };
  const { pino } = module;
  module.pino = (options, destination) => pino(options, keptDestination(destination));
}

type Pino = (options: LoggerOptions, destination: DestinationStream) => Logger;

/** Destination that also keeps its lines. */
function keptDestination(out: DestinationStream): DestinationStream {
  return new Proxy(out, {
    get(target, name) {
      if (name !== "write") return Reflect.get(target, name, target);
      return (line: string) => {
        keepLog(line);
        target.write(line);
      };
    },
  });
}
