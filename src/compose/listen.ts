import { once } from "node:events";
import { createServer } from "node:net";
import { type Config, ConfigError } from "../ops/config.ts";

/** Error codes of `listen` that are due to the host's name or address. */
const FAULTS_OF_HOST: ReadonlySet<string> = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
  "EINVAL",
]);

/** Address to listen on, and the options that it comes from. */
export interface Listener {
  readonly host: string;
  readonly port: number;
  readonly options: { readonly host: string; readonly port: string };
}

/** The listener of the API. */
export function apiListener({ HOST: host, PORT: port }: Pick<Config, "HOST" | "PORT">): Listener {
  return { host, port, options: { host: "HOST", port: "PORT" } };
}

/** The listener of metrics; undefined without METRICS_PORT. */
export function metricsListener(config: Pick<Config, "HOST" | "METRICS_HOST" | "METRICS_PORT">): Listener | undefined {
  const { HOST, METRICS_HOST, METRICS_PORT: port } = config;
  if (port === undefined) return undefined;
  return METRICS_HOST === undefined
    ? { host: HOST, port, options: { host: "HOST", port: "METRICS_PORT" } }
    : { host: METRICS_HOST, port, options: { host: "METRICS_HOST", port: "METRICS_PORT" } };
}

/** Listens. @throws ConfigError saying which option it is that cannot be listened on */
export async function listen(
  { host, port, options }: Listener,
  open: (port: number, host: string) => Promise<void>,
): Promise<void> {
  try {
    await open(port, host);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new ConfigError([
        `${options.port}: port ${port} is taken by another program; set ${options.port} to a free one`,
      ]);
    }
    if (code === "EACCES") throw new ConfigError([`${options.port}: ${message}`]);
    if (FAULTS_OF_HOST.has(code ?? "")) throw new ConfigError([`${options.host}: ${message}`]);
    throw error;
  }
}

/**
 * Makes sure that addresses can be listened on, and leaves them: before the devnet is started, or a fleet's lease is taken by a process
 * that could not answer anybody.
 * @throws ConfigError as `listen` does
 */
export async function assertFree(listeners: readonly (Listener | undefined)[]): Promise<void> {
  for (const listener of listeners) if (listener !== undefined) await listen(listener, openAndClose);
}

async function openAndClose(port: number, host: string): Promise<void> {
  const server = createServer().listen(port, host);
  await once(server, "listening");
  server.close();
  await once(server, "close");
}
