import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { DestinationStream } from "pino";

/** What a program is started with and must not say. */
const SECRET_OPTIONS = ["TRIBUTARY_API_KEY", "DATABASE_URL", "KEY_PEPPER", "RPC_URL", "WS_URL", "DEPLOYER_PRIVATE_KEY"];

/** Where `npm test` wants all logs, to look for secrets in them at the end; nowhere when a test is run by itself. */
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

/** The same destination, whose lines are kept as well. */
export function keptDestination(out: DestinationStream): DestinationStream {
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
