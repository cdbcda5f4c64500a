import { z } from "zod";
import { messageOf } from "../domain/message-of.ts";
import { OPTIONS, SECRET_OPTIONS } from "./options.ts";

type Given = z.output<z.ZodObject<typeof OPTIONS>>;

const CONFIG = z
  .object(OPTIONS)
  .refine(
    (options) => options.RPC_URL.length === 0 || options.CHAIN !== undefined || options.CHAIN_FILE !== undefined,
    {
      path: ["CHAIN"],
      error: "is needed with RPC_URL (or CHAIN_FILE, the path of a chain record): see docs/chains.md",
    },
  )
  .refine((options) => options.CHAIN === undefined || options.CHAIN_FILE === undefined, {
    path: ["CHAIN_FILE"],
    error: "and CHAIN name the chain twice: set one of them",
  })
  .refine((options) => (options.TLS_CERT_FILE === undefined) === (options.TLS_KEY_FILE === undefined), {
    path: ["TLS_KEY_FILE"],
    error: "and TLS_CERT_FILE need each other: set both, or none",
  })
  .refine((options) => options.METRICS_HOST === undefined || options.METRICS_PORT !== undefined, {
    path: ["METRICS_HOST"],
    error: "needs METRICS_PORT: without it there is no listener for metrics",
  })
  .refine(
    (options) => options.METRICS_PORT !== options.PORT || options.PORT === 0 || options.METRICS_HOST !== undefined,
    {
      path: ["METRICS_PORT"],
      error: "and PORT are the same: set one of them to another port",
    },
  )
  .refine((options) => options.RPC_QUORUM <= Math.max(options.RPC_URL.length, 1), {
    path: ["RPC_QUORUM"],
    error: ({ input }) => {
      const { RPC_QUORUM, RPC_URL } = input as Given;
      return `is ${RPC_QUORUM}, and RPC_URL names ${RPC_URL.length}: name more nodes, or lower it`;
    },
  })
  .refine((options) => options.REDIS_URL === undefined || options.RPC_URL.length > 0, {
    path: ["REDIS_URL"],
    error: "needs RPC_URL: every process of a fleet has to have the same chain, and an embedded devnet is one's own",
  })
  .refine((options) => options.ROLE === "all" || options.REDIS_URL !== undefined, {
    path: ["ROLE"],
    error: "needs REDIS_URL: a process by itself does everything",
  })
  .refine((options) => options.WS_URL.length <= options.RPC_URL.length, {
    path: ["WS_URL"],
    error: ({ input }) => {
      const { WS_URL, RPC_URL } = input as Given;
      return `names ${WS_URL.length} nodes, and RPC_URL ${RPC_URL.length}: name the WebSockets of its nodes, in the same order`;
    },
  })
  .refine((options) => options.MAX_STREAMS_PER_CONNECTION < options.HTTP2_MAX_STREAMS, {
    path: ["MAX_STREAMS_PER_CONNECTION"],
    error: ({ input }) => {
      const { MAX_STREAMS_PER_CONNECTION, HTTP2_MAX_STREAMS } = input as Given;
      return `is ${MAX_STREAMS_PER_CONNECTION} and must be less than HTTP2_MAX_STREAMS (${HTTP2_MAX_STREAMS}), which other requests share`;
    },
  })
  .refine((options) => options.DATABASE_URL === undefined || options.KEY_PEPPER !== undefined, {
    path: ["KEY_PEPPER"],
    error: "is needed with DATABASE_URL: all replicas make the digests of keys with it",
  })
  .refine((options) => options.RATE_BURST === undefined || options.RATE_LIMIT > 0, {
    path: ["RATE_BURST"],
    error: "needs RATE_LIMIT: without it there is no limit",
  });

/** The operator's options, checked. */
export type Config = z.output<typeof CONFIG>;

/** One option as the documentation shows it. */
export interface OptionEntry {
  readonly name: string;
  readonly defaultValue: string;
  readonly description: string;
}

/**
 * Reads the options from environment variables; an empty variable counts as not set.
 * @throws ConfigError naming every variable that is wrong, what it must be, and what it is unless that is a secret.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.keys(OPTIONS).filter((name) => environment[name] !== undefined && environment[name] !== "");
  const result = CONFIG.safeParse(Object.fromEntries(set.map((name) => [name, environment[name]])));
  if (result.success) return result.data;
  throw new ConfigError(
    result.error.issues.map(({ path, message }) => {
      const name = path.join(".");
      return `${name} ${message}${wrongValue(name, environment[name])}`;
    }),
  );
}

/** The value that an option has and cannot have; nothing where it is right by itself, and wrong beside another. */
function wrongValue(name: string, value: string | undefined): string {
  const option = Object.entries(OPTIONS).find(([known]) => known === name)?.[1];
  if (value === undefined || SECRET_OPTIONS.has(name) || option?.safeParse(value).success !== false) return "";
  return `, not ${JSON.stringify(value)}`;
}

/** Options that cannot be used, one line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

/** Applies `work` to an option's value. @throws ConfigError with the option's name and the error of `work` */
export function ofOption<T>(option: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new ConfigError([`${option}: ${messageOf(error)}`]);
  }
}

/** Applies async `work` to an option's value. @throws ConfigError with the option's name and the error of `work` */
export async function resolvedOfOption<T>(option: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new ConfigError([`${option}: ${messageOf(error)}`]);
  }
}

/** All options, in the order of their definition. */
export function listOptions(): readonly OptionEntry[] {
  const defaults: Readonly<Record<string, unknown>> = readConfig({});
  return Object.entries(OPTIONS).map(([name, option]) => ({
    name,
    defaultValue: showDefault(defaults[name]),
    description: option.description ?? "",
  }));
}

function showDefault(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "";
  return typeof value === "boolean" ? (value ? "1" : "0") : String(value);
}
