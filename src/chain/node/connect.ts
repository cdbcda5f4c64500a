import type { Logger } from "../../ops/logger.ts";
import { createProvider, type Provider } from "../rpc/provider.ts";

const REQUEST_TIMEOUT_MS = 10_000;

/** Providers of nodes by their URLs; `wsUrls[i]` is the WebSocket of `urls[i]`, where it has one. */
export function connect(
  urls: readonly string[],
  { wsUrls, logger }: { readonly wsUrls?: readonly string[] | undefined; readonly logger: Logger },
): readonly Provider[] {
  return urls.map((url, index) =>
    createProvider({ url, wsUrl: wsUrls?.[index], timeoutMs: REQUEST_TIMEOUT_MS, logger }),
  );
}
