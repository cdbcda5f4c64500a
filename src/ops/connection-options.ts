import ipaddr from "ipaddr.js";
import { list, whole } from "./option-forms.ts";

/** Options of the port: who callers are, and what each may hold open and send. */
export const CONNECTION_OPTIONS = {
  TRUSTED_PROXIES: list
    .refine((items) => items.every((item) => ipaddr.isValid(item) || ipaddr.isValidCIDR(item)), {
      error: "must be addresses or CIDR blocks, such as 10.0.0.0/8, with commas between them",
    })
    .prefault("")
    .describe(
      "Proxies in front, as addresses or CIDR blocks: callers are told apart by their Forwarded or X-Forwarded-For.",
    ),
  MAX_CONNECTIONS: whole(1, 1_000_000).prefault("10000").describe("Connections that may be open at a time."),
  MAX_KEYLESS_CONNECTIONS: whole(1, 1_000_000)
    .prefault("2000")
    .describe("Connections without a valid key so far: one more ends an idle one of the address that has most."),
  MAX_KEYLESS_CONNECTIONS_PER_ADDRESS: whole(1, 1_000_000)
    .prefault("500")
    .describe("Connections of one address without a valid key so far; a trusted proxy has no such limit."),
  MAX_CONNECTIONS_PER_KEY: whole(1, 1_000_000)
    .prefault("1000")
    .describe("Connections of one API key; more count as those without a key."),
  NEW_CONNECTIONS_PER_SECOND: whole(0, 1_000_000)
    .prefault("300")
    .describe("New connections per second from all addresses without a recent valid key; 0: no limit."),
  NEW_CONNECTIONS_PER_SECOND_PER_ADDRESS: whole(0, 1_000_000)
    .prefault("100")
    .describe("New connections per second of one address; five times as many after a recent valid key. 0: no limit."),
  KEEP_ALIVE_TIMEOUT_MS: whole(1_000, 3_600_000)
    .prefault("65000")
    .describe(
      "Milliseconds after which a connection without a request is closed; set it above your proxy's idle timeout.",
    ),
  MAX_STREAMS_PER_CONNECTION: whole(1, 10_000)
    .prefault("100")
    .describe("Streams of prices, health and reflection on one connection; below HTTP2_MAX_STREAMS."),
  MAX_KEYLESS_STREAMS: whole(0, 1_000_000)
    .prefault("1000")
    .describe("Streams of health and reflection that may be open at a time."),
  MAX_KEYLESS_STREAMS_PER_ADDRESS: whole(0, 1_000_000)
    .prefault("100")
    .describe("Streams of health and reflection of one address."),
  MAX_KEYLESS_STREAMS_PER_CONNECTION: whole(0, 10_000)
    .prefault("10")
    .describe("Streams of health and reflection on one connection without a valid key."),
  KEYLESS_REQUESTS_PER_SECOND: whole(0, 1_000_000)
    .prefault("500")
    .describe("Requests without a valid key that are answered in a second, probes aside; 0: no limit."),
  KEYLESS_REQUESTS_PER_SECOND_PER_ADDRESS: whole(0, 1_000_000)
    .prefault("50")
    .describe(
      "Requests per second of one address without a valid key, ten times as many at once; four times as many for probes. 0: no limit.",
    ),
  KEYLESS_BYTES_PER_SECOND: whole(0, 1_000_000_000)
    .prefault("4194304")
    .describe("Bytes that are read in a second from connections without a valid key; 0: no limit."),
  KEYLESS_BYTES_PER_SECOND_PER_ADDRESS: whole(0, 1_000_000_000)
    .prefault("262144")
    .describe(
      "Bytes read per second from one address without a valid key, twice as many at once; a trusted proxy has no such limit. 0: no limit.",
    ),
  BYTES_PER_SECOND_PER_KEY: whole(0, 1_000_000_000)
    .prefault("8388608")
    .describe("Bytes that are read in a second from the connections of one API key; 0: no limit."),
  HTTP2_MAX_STREAMS: whole(2, 10_000)
    .prefault("256")
    .describe("Requests that may be open on one HTTP/2 connection: announced in SETTINGS, clients hold back more."),
  HTTP2_MAX_HEADER_FIELDS: whole(16, 1_000)
    .prefault("128")
    .describe("Header fields of one HTTP/2 request, with those that proxies add."),
  MAX_HEADER_BYTES: whole(4_096, 1_048_576).prefault("16384").describe("Bytes of a request's header fields and path."),
  HTTP2_PING_EVERY_MS: whole(1_000, 3_600_000)
    .prefault("30000")
    .describe("Milliseconds between two pings of each HTTP/2 connection; one that does not answer is cut."),
  RESETS_PER_SECOND: whole(0, 1_000_000)
    .prefault("100")
    .describe("HTTP/2 streams that one address may reset in a second, as clients that hedge do; 0: no limit."),
  LOG_REQUESTS_PER_SECOND: whole(0, 1_000_000)
    .prefault("80")
    .describe("Request lines in the log per second, a fifth of them for one key; 0: one for each request."),
};
