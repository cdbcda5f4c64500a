import { z } from "zod";
import { isAddressText, toAddress } from "../domain/address.ts";
import { isWebOrigin } from "../domain/web-origin.ts";
import { CONNECTION_OPTIONS } from "./connection-options.ts";
import { flag, isDatabaseUrl, list, urls, whole } from "./option-forms.ts";

/** Every option: its environment variable, form, default and meaning. The table in docs/configuration.md is made from this. */
export const OPTIONS = {
  HOST: z.string().min(1).default("127.0.0.1").describe("Address to listen on."),
  PORT: whole(0, 65535).prefault("8080").describe("Port for REST, Connect, gRPC-Web and gRPC; 0 takes a free one."),
  TLS_CERT_FILE: z.string().optional().describe("Certificate chain (PEM): PORT speaks TLS only. Cleartext without it."),
  TLS_KEY_FILE: z.string().optional().describe("The private key (PEM) of TLS_CERT_FILE."),
  METRICS_PORT: whole(0, 65535)
    .optional()
    .describe("Port of the Prometheus listener, with /livez and /readyz; none without it."),
  METRICS_HOST: z.string().min(1).optional().describe("Address of the Prometheus listener; HOST without it."),
  TRIBUTARY_API_KEY: z
    .string()
    .min(8, { error: "must have at least 8 characters" })
    .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, {
      error: "must be printable ASCII without spaces at its ends: it is sent as a header",
    })
    .optional()
    .describe(
      "The API key that callers have to send, at least 8 characters; without it a random one is generated and printed.",
    ),
  RPC_URL: urls(/^https?$/, "http://127.0.0.1:8545")
    .prefault("")
    .describe(
      "JSON-RPC of the chain's nodes, comma-separated, the most trusted first; the embedded devnet is started without it.",
    ),
  WS_URL: urls(/^wss?$/, "ws://127.0.0.1:8546")
    .prefault("")
    .describe("WebSockets of RPC_URL's nodes, in that order: new heads are noticed sooner."),
  HISTORY_URL: urls(/^https?$/, "http://127.0.0.1:8545")
    .prefault("")
    .describe(
      "Nodes with all old logs, comma-separated: the search for pools reads from these only; from RPC_URL's without it.",
    ),
  RPC_QUORUM: whole(1, 16)
    .prefault("1")
    .describe("Nodes of RPC_URL that have to have a block before it is quoted from."),
  PROVE_LOGS: flag
    .prefault("0")
    .describe("1: every block's logs are proved by its receipts; needs eth_getBlockReceipts. See docs/operations.md."),
  CHAIN: z.string().optional().describe("The chain that RPC_URL serves, by name; see docs/chains.md for those known."),
  CHAIN_FILE: z.string().optional().describe("A chain record of your own (JSON) instead of CHAIN. See docs/chains.md."),
  TOKEN_LIST: z
    .string()
    .optional()
    .describe("A token list (JSON file) to serve at /tokens.json; by default the best connected tokens are served."),
  DEVNET_PORT: whole(0, 65535).prefault("8545").describe("Port of the embedded devnet's node; 0 takes a free one."),
  DEVNET_TRAFFIC: flag.prefault("0").describe("1: a background trader moves the devnet's prices every block."),
  DEVNET_MAKER: flag.prefault("1").describe("0: no reference maker beside the embedded devnet."),
  DATA_DIR: z
    .string()
    .min(1)
    .default("data")
    .describe("Folder for keys, usage, quotes on record, switches and the pools' state. Created if it is missing."),
  DATABASE_URL: z
    .string()
    .refine(isDatabaseUrl, { error: "must be a URL like postgres://user:password@host:5432/name?sslmode=verify-full" })
    .optional()
    .describe(
      "PostgreSQL that holds keys, usage, quotes on record and switches for all replicas; files in DATA_DIR without it. See docs/database.md.",
    ),
  DATABASE_CONNECTIONS: whole(1, 1_000)
    .prefault("4")
    .describe("Connections of this process to DATABASE_URL; one more listens for changes."),
  KEY_CACHE_SECONDS: whole(1, 86_400)
    .optional()
    .describe(
      "Seconds for which known API keys are accepted while keys cannot be read; without it 300 with DATABASE_URL and 30 with files.",
    ),
  QUOTES_KEPT: whole(1, 1_000_000_000)
    .prefault("100000")
    .describe("Quotes on record; older ones are dropped. With DATABASE_URL those of all replicas together."),
  REDIS_URL: z
    .string()
    .refine((url) => z.url({ protocol: /^rediss?$/ }).safeParse(url).success, {
      error: "must be a URL like redis://127.0.0.1:6379, or rediss:// with TLS",
    })
    .optional()
    .describe(
      "Redis or Valkey in which several processes share limits, the market's feed, the lease of who follows the chain, and revoked keys. See docs/scaling.md.",
    ),
  REDIS_PREFIX: z
    .string()
    .regex(/^[\w.-]{1,64}$/, { error: "must have 1 to 64 letters, digits, dots, dashes or underscores" })
    .default("tributary")
    .describe("Prefix of a fleet's keys in Redis; fleets with different prefixes do not see each other."),
  ROLE: z
    .enum(["all", "follow", "answer"], { error: "must be all, follow or answer" })
    .default("all")
    .describe(
      "Role of the process in its fleet. answer: it never follows the chain. follow: it has no search threads unless SEARCH_THREADS is set.",
    ),
  KEY_PEPPER: z
    .string()
    .min(32, { error: "must have at least 32 characters" })
    .optional()
    .describe(
      "Secret that the digests of keys are made with; without it a random one is kept in DATA_DIR. DATABASE_URL needs it, with one value for all replicas.",
    ),
  RATE_LIMIT: whole(0, 1_000_000)
    .prefault("0")
    .describe("Units per second of accounts without a limit of their own; 0: no limit. See docs/api.md."),
  RATE_BURST: whole(1, 10_000_000)
    .optional()
    .describe("Units that accounts without a limit of their own may use at once; twice RATE_LIMIT without it."),
  WRONG_KEYS_PER_MINUTE: whole(0, 1_000_000)
    .prefault("60")
    .describe("Wrong API keys that one network address may send in a minute before it has to wait; 0: no limit."),
  QUOTE_TTL_SECONDS: whole(1, 3600)
    .prefault("120")
    .describe("Seconds from the quoted block's timestamp to the deadline inside a quote's transaction."),
  MAX_HOPS: whole(1, 8)
    .prefault("4")
    .describe("Most pools on one path of a route. A route whose paths cross may pass more pools in total."),
  MAX_FILLS: whole(1, 128)
    .prefault("64")
    .describe("Most pools in one route. More pay off if gas costs next to nothing; docs/routing-figures.md."),
  ALLOWED_CONTROLLERS: list
    .refine((items) => items.every(isAddressText), {
      error: "must be addresses, each 0x and 40 hex digits, with commas between them",
    })
    .transform((items) => items.map(toAddress))
    .prefault("")
    .describe(
      "Hooks, owners and rate providers, comma-separated, whose pools take part although they can change the terms; docs/sources.md.",
    ),
  HOP_TOKEN_MIN_AGE_BLOCKS: whole(0, 100_000_000)
    .optional()
    .describe("Blocks for which an unlisted token has to stay deep before it is a hop; a day of blocks without it."),
  HOP_TOKEN_MIN_DEPTH: z
    .union([z.literal("none"), whole(1, 1_000_000_000)], {
      error: "must be a whole number of native tokens from 1 to 1000000000, or none",
    })
    .optional()
    .describe(
      "Depth on each of two venues, in whole native tokens, that makes an unlisted token a hop; none: only listed ones are. The chain record's figure without it.",
    ),
  PRICE_OVERRIDES: flag
    .prefault("0")
    .describe("1: prices may be asked for on top of logs of transactions to come. See docs/api.md#overrides."),
  PRICE_GUARD_FILE: z
    .string()
    .optional()
    .describe("Reference prices that quotes are held against (JSON); none without it. See docs/price-guard.md."),
  MAKERS_FILE: z.string().optional().describe("The market makers to trade with (JSON). See docs/makers.md."),
  MAKER_DEADLINE_MS: whole(10, 10_000)
    .prefault("400")
    .describe("How long a quote waits for makers' firm orders, milliseconds."),
  MAKER_LEVELS_MAX_AGE_MS: whole(100, 60_000)
    .prefault("5000")
    .describe("How long a maker's levels are quoted after it sent them, milliseconds."),
  REQUEST_TIMEOUT_MS: whole(1, 600_000)
    .prefault("10000")
    .describe("Deadline of a call without one of its own, milliseconds."),
  DEEP_SEARCHES: whole(0, 64)
    .prefault("8")
    .describe(
      "Requests of a block that idle search threads search again, many times as long; later searches begin with their routes. 0: none.",
    ),
  SEARCH_THREADS: whole(0, 256)
    .optional()
    .describe(
      "Threads that search for routes; without it one less than the machine has cores. 0: the answering thread searches too.",
    ),
  MAX_SEARCHES: whole(1, 10_000)
    .prefault("32")
    .describe("Prices and quotes that are worked on at a time; most wait for the node."),
  MAX_WAITING: whole(0, 100_000)
    .prefault("64")
    .describe("Prices and quotes that may wait for their turn; one more is answered 503 at once."),
  MAX_NODE_REQUESTS: whole(1, 10_000)
    .prefault("32")
    .describe("Requests for callers on their way to one node at a time; those that follow the chain go before them."),
  MAX_TOKEN_LOOKUPS: whole(1, 100_000)
    .prefault("256")
    .describe("Unknown token addresses that may be looked up at a time; one more is answered 503 at once."),
  MAX_TOKEN_LOOKUPS_PER_ACCOUNT: whole(1, 100_000)
    .prefault("16")
    .describe("Unknown token addresses that one account may have looked up at a time; one more is answered 429."),
  MAX_CACHED_PRICES: whole(1, 1_000_000).prefault("1000").describe("Different prices that are kept for one block."),
  MAX_WATCHES: whole(0, 1_000_000).prefault("5000").describe("Streams of prices that may be open at a time."),
  MAX_WATCHES_PER_KEY: whole(0, 1_000_000)
    .prefault("1000")
    .describe("Streams of prices that one API key may have open, and at most half of those that are free."),
  MAX_WATCHED_REQUESTS: whole(0, 100_000)
    .prefault("1000")
    .describe("Different requests among all streams of prices: each costs one search per block."),
  MAX_WATCHED_REQUESTS_PER_KEY: whole(0, 100_000)
    .prefault("200")
    .describe("Different requests that one API key may watch, and at most half of those that are free."),
  WATCH_SIMULATIONS_PER_SECOND: whole(0, 1_000)
    .prefault("5")
    .describe("Simulations per second for the gas of all streams' prices; 0: the model gives their gas."),
  WATCH_HEARTBEAT_MS: whole(100, 600_000)
    .prefault("15000")
    .describe("Most milliseconds between two messages of a stream of prices: a heartbeat fills the gap."),
  ...CONNECTION_OPTIONS,
  COMPRESS_FROM_BYTES: whole(0, 1_000_000_000)
    .prefault("4096")
    .describe(
      "Least bytes of an answer that is compressed with gzip for callers that accept it; 0: none is, for a proxy that compresses.",
    ),
  CORS_ORIGINS: list
    .refine((items) => items.every((item) => item === "*" || isWebOrigin(item)), {
      error: "must be origins as browsers send them, such as https://dapp.example without a slash at the end, or *",
    })
    .prefault("")
    .describe("Origins of browser pages that may call, comma-separated; * for all."),
  REFLECTION: flag.prefault("1").describe("0: no gRPC server reflection."),
  DOCS: flag.prefault("1").describe("0: no /docs, /openapi.json and /llms.txt."),
  DRAIN_TIMEOUT_MS: whole(0, 600_000)
    .prefault("10000")
    .describe("Time for calls in flight after a signal to stop, milliseconds."),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"], {
      error: "must be trace, debug, info, warn, error or silent",
    })
    .default("info")
    .describe("Least severity that is logged (JSON lines on standard error)."),
} as const;

/** Options whose values are never shown: they open something, and a node's URL carries a key more often than not. */
export const SECRET_OPTIONS: ReadonlySet<string> = new Set([
  "TRIBUTARY_API_KEY",
  "DATABASE_URL",
  "KEY_PEPPER",
  "RPC_URL",
  "WS_URL",
  "REDIS_URL",
  "HISTORY_URL",
]);
