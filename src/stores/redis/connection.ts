import { Redis } from "ioredis";
import { messageOf } from "../../domain/message-of.ts";
import type { Logger } from "../../ops/logger.ts";
import { createThrottle } from "../../ops/throttle.ts";

/** Milliseconds that a connection may take, and between two attempts at most. */
const CONNECT_MS = 2_000;
const MAX_PAUSE_MS = 500;
/** Shortest time between two log lines about one fault, ms. */
const LOGGED_EVERY_MS = 30_000;

/** URL and key prefix of a fleet's shared memory. */
export interface RedisOptions {
  /** `redis://` or `rediss://`. */
  readonly url: string;
  /** Begins the name of every key: fleets with different ones do not see each other. */
  readonly prefix: string;
  readonly logger: Logger;
}

/** The names of a fleet's keys. The braces keep them on one node of a cluster, so that scripts can have several. */
export function keyNames({ prefix }: Pick<RedisOptions, "prefix">) {
  const name = (what: string) => `{${prefix}}:${what}`;
  return {
    lease: name("lease"),
    token: name("token"),
    replicas: name("replicas"),
    revoked: name("revoked"),
    stream: name("feed"),
    newest: name("feed:newest"),
    whole: (token: number, number: number) => name(`feed:whole:${token}:${number}`),
    questions: name("questions"),
    limit: (account: string) => name(`limit:${account}`),
  };
}

export type KeyNames = ReturnType<typeof keyNames>;

/**
 * A connection that is made again by itself for ever. While there is none commands fail at once, and one that is not answered
 * within `commandMs` fails too: nobody waits for what may be gone.
 */
export function connect({ url, logger }: RedisOptions, commandMs: number): Redis {
  const redis = new Redis(url, {
    // Replies in the shapes of RESP2, which Valkey and every Redis since 2.0 speak.
    protocol: 2,
    connectTimeout: CONNECT_MS,
    commandTimeout: commandMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times: number) => Math.min(25 * 2 ** Math.min(times, 8), MAX_PAUSE_MS),
  });
  const mayLog = createThrottle(LOGGED_EVERY_MS, () => performance.now());
  redis.on("error", (error: unknown) => {
    const reason = messageOf(error);
    if (mayLog(reason))
      logger.warn(
        { reason },
        "Redis cannot be reached: it is tried again. Look whether it runs, and whether REDIS_URL leads to it",
      );
  });
  return redis;
}
