import { DEFAULT_SERVER_CONFIG, type ServerConfig } from "../api/server.ts";
import type { Config } from "../ops/config.ts";
import { tlsOf } from "./stores.ts";

/** Limits of the server that the operator configures. */
export function apiConfigOf(
  config: Config,
): Pick<ServerConfig, "bounds" | "connections" | "logLinesPerSecond" | "trustedProxies"> {
  const { connections } = DEFAULT_SERVER_CONFIG;
  return {
    trustedProxies: config.TRUSTED_PROXIES,
    logLinesPerSecond: config.LOG_REQUESTS_PER_SECOND,
    bounds: {
      connections: {
        most: config.MAX_CONNECTIONS,
        keyless: config.MAX_KEYLESS_CONNECTIONS,
        perAddress: config.MAX_KEYLESS_CONNECTIONS_PER_ADDRESS,
        perKey: config.MAX_CONNECTIONS_PER_KEY,
        newPerSecond: config.NEW_CONNECTIONS_PER_SECOND,
        newPerSecondAndAddress: config.NEW_CONNECTIONS_PER_SECOND_PER_ADDRESS,
      },
      streams: {
        perConnection: config.MAX_STREAMS_PER_CONNECTION,
        keyless: config.MAX_KEYLESS_STREAMS,
        keylessPerAddress: config.MAX_KEYLESS_STREAMS_PER_ADDRESS,
        keylessPerConnection: config.MAX_KEYLESS_STREAMS_PER_CONNECTION,
      },
      keylessPerSecond: config.KEYLESS_REQUESTS_PER_SECOND,
      keylessPerSecondAndAddress: config.KEYLESS_REQUESTS_PER_SECOND_PER_ADDRESS,
      bytes: {
        keylessPerSecondAndAddress: config.KEYLESS_BYTES_PER_SECOND_PER_ADDRESS,
        keylessPerSecond: config.KEYLESS_BYTES_PER_SECOND,
        perSecondAndKey: config.BYTES_PER_SECOND_PER_KEY,
      },
      resetsPerSecond: config.RESETS_PER_SECOND,
      wrongKeysPerMinute: config.WRONG_KEYS_PER_MINUTE,
    },
    connections: {
      ...connections,
      keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT_MS,
      maxHeaderBytes: config.MAX_HEADER_BYTES,
      maxHeaderFields: config.HTTP2_MAX_HEADER_FIELDS,
      maxStreams: config.HTTP2_MAX_STREAMS,
      sweep: { ...connections.sweep, everyMs: config.HTTP2_PING_EVERY_MS },
    },
  };
}

/** Server settings of a configuration, with their limits. */
export function serverConfigOf(config: Config): ServerConfig {
  return {
    ...DEFAULT_SERVER_CONFIG,
    corsOrigins: config.CORS_ORIGINS,
    reflection: config.REFLECTION,
    docs: config.DOCS,
    compressFromBytes: config.COMPRESS_FROM_BYTES || Number.POSITIVE_INFINITY,
    tls: tlsOf(config),
    deadline: {
      defaultMs: config.REQUEST_TIMEOUT_MS,
      mostMs: Math.max(DEFAULT_SERVER_CONFIG.deadline.mostMs, config.REQUEST_TIMEOUT_MS),
    },
    ...apiConfigOf(config),
  };
}
