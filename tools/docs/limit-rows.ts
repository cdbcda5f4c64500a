import { listOptions } from "../../src/ops/config.ts";
import type { OPTIONS } from "../../src/ops/options.ts";

type Option = keyof typeof OPTIONS;

/** Resource, the options that limit it, and the response above the limit. */
interface LimitRow {
  readonly what: string;
  readonly connection?: readonly Option[];
  readonly address?: readonly Option[];
  readonly key?: readonly Option[];
  readonly total?: readonly Option[];
  readonly beyond: string;
}

const ROWS: readonly LimitRow[] = [
  {
    what: "connections without a valid key so far",
    address: ["MAX_KEYLESS_CONNECTIONS_PER_ADDRESS"],
    total: ["MAX_KEYLESS_CONNECTIONS"],
    beyond: "ends the oldest idle one of the address that has most",
  },
  {
    what: "connections with a valid key",
    key: ["MAX_CONNECTIONS_PER_KEY"],
    total: ["MAX_CONNECTIONS"],
    beyond: "counts as one without a key; refused where all places have keys",
  },
  {
    what: "new connections a second",
    address: ["NEW_CONNECTIONS_PER_SECOND_PER_ADDRESS"],
    total: ["NEW_CONNECTIONS_PER_SECOND"],
    beyond: "closed unread",
  },
  { what: "HTTP/2 streams at a time", connection: ["HTTP2_MAX_STREAMS"], beyond: "held back by the client (SETTINGS)" },
  {
    what: "streams of prices",
    connection: ["MAX_STREAMS_PER_CONNECTION"],
    key: ["MAX_WATCHES_PER_KEY"],
    total: ["MAX_WATCHES"],
    beyond: "429, or 503 where all together have too many",
  },
  {
    what: "different requests among these",
    key: ["MAX_WATCHED_REQUESTS_PER_KEY"],
    total: ["MAX_WATCHED_REQUESTS"],
    beyond: "429, or 503 where all together have too many",
  },
  {
    what: "simulations a second for these",
    total: ["WATCH_SIMULATIONS_PER_SECOND"],
    beyond: "the gas is the model's until their turn comes",
  },
  {
    what: "streams of health and reflection",
    connection: ["MAX_KEYLESS_STREAMS_PER_CONNECTION", "MAX_STREAMS_PER_CONNECTION"],
    address: ["MAX_KEYLESS_STREAMS_PER_ADDRESS"],
    total: ["MAX_KEYLESS_STREAMS"],
    beyond: "429 `TOO_MANY_OPEN_STREAMS`",
  },
  {
    what: "requests without a valid key a second",
    address: ["KEYLESS_REQUESTS_PER_SECOND_PER_ADDRESS"],
    total: ["KEYLESS_REQUESTS_PER_SECOND"],
    beyond: "429 `TOO_MANY_KEYLESS_REQUESTS`, and the connection ends",
  },
  {
    what: "bytes read a second without a valid key",
    address: ["KEYLESS_BYTES_PER_SECOND_PER_ADDRESS"],
    total: ["KEYLESS_BYTES_PER_SECOND"],
    beyond: "the connections that send them end; the address gets no new one for a while",
  },
  {
    what: "bytes read a second with a valid key",
    key: ["BYTES_PER_SECOND_PER_KEY"],
    beyond: "the key's connections end",
  },
  {
    what: "wrong keys a minute",
    address: ["WRONG_KEYS_PER_MINUTE"],
    beyond: "429 `TOO_MANY_WRONG_KEYS` for a wrong key",
  },
  {
    what: "HTTP/2 streams reset a second",
    connection: ["RESETS_PER_SECOND"],
    address: ["RESETS_PER_SECOND"],
    beyond: "the connection ends (ENHANCE_YOUR_CALM)",
  },
  { what: "units a second", key: ["RATE_LIMIT", "RATE_BURST"], beyond: "429" },
  { what: "prices and quotes at a time", total: ["MAX_SEARCHES", "MAX_WAITING"], beyond: "503 `OVERLOADED`" },
  {
    what: "unknown token addresses looked up at a time",
    key: ["MAX_TOKEN_LOOKUPS_PER_ACCOUNT"],
    total: ["MAX_TOKEN_LOOKUPS"],
    beyond: "429, or 503 where all together have too many",
  },
  { what: "requests for callers to one node at a time", total: ["MAX_NODE_REQUESTS"], beyond: "waits" },
  { what: "header fields of HTTP/2", connection: ["HTTP2_MAX_HEADER_FIELDS"], beyond: "the stream is reset" },
  { what: "bytes of headers", connection: ["MAX_HEADER_BYTES"], beyond: "431" },
  { what: "milliseconds without a request", connection: ["KEEP_ALIVE_TIMEOUT_MS"], beyond: "the connection ends" },
  { what: "lines of requests a second", total: ["LOG_REQUESTS_PER_SECOND"], beyond: "counted in one line a second" },
];

/** The rows of the table of bounds, its head first: each option with its default. */
export function limitTable(): readonly (readonly string[])[] {
  const defaults = new Map(listOptions().map(({ name, defaultValue }) => [name, defaultValue]));
  const cell = (options: readonly Option[] = []) =>
    options.map((name) => `\`${name}\`${defaults.get(name) ? ` ${defaults.get(name)}` : ""}`).join(", ");
  const rows = ROWS.map(({ what, connection, address, key, total, beyond }) => [
    ...[what, cell(connection), cell(address), cell(key), cell(total), beyond],
  ]);
  return [["what", "per connection", "per address", "per key", "in total", "one more"], ...rows];
}
