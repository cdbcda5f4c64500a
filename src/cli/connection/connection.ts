import { createGrpcTransport } from "../../client/grpc-transport.ts";
import { type CallOptions, createSwapClient, type SwapClient } from "../../client/index.ts";
import { type Invocation, UsageError } from "../command.ts";
import { DEFAULT_TIMEOUT_MS, DEFAULT_URL } from "../command-options.ts";

/** Characters that a header's value cannot hold (RFC 9110, section 5.5). */
const NOT_SENDABLE = /[^\t\x20-\x7e\x80-\xff]/;

/** A running service, as the command line names it. */
export interface Connection {
  readonly url: string;
  readonly client: SwapClient;
  readonly call: CallOptions;
}

/** @throws UsageError when there is no key or a value makes no sense */
export function connect({ text, environment }: Invocation): Connection {
  const url = text("url") ?? (environment.TRIBUTARY_URL || DEFAULT_URL);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`--url: ${url} is not an HTTP URL: give one like ${DEFAULT_URL}`);
  }
  const apiKey = text("key") ?? environment.TRIBUTARY_API_KEY;
  if (apiKey === undefined || apiKey === "") {
    throw new UsageError("no API key: set TRIBUTARY_API_KEY (the service prints it when it starts) or give --key");
  }
  if (NOT_SENDABLE.test(apiKey)) {
    throw new UsageError("TRIBUTARY_API_KEY, or --key, has characters that a header cannot hold: copy the key again");
  }
  const timeout = text("timeout") ?? String(DEFAULT_TIMEOUT_MS);
  if (!/^[1-9]\d{0,6}$/.test(timeout))
    throw new UsageError(`--timeout: ${timeout} is not a number of milliseconds: give 1 to 9999999`);
  return {
    url,
    client: createSwapClient({ transport: createGrpcTransport(url), apiKey }),
    call: { timeoutMs: Number(timeout) },
  };
}
