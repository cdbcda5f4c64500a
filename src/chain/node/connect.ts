import type { Logger } from "../../ops/logger.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { Clock } from "../rpc/clock.ts";
import { createProvider, type Provider } from "../rpc/provider.ts";
import { createNodes, type Nodes } from "./nodes.ts";

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

/** Nodes that keep old logs, where the search for pools has its own. */
export function historyNodes(
  options: {
    readonly record: ChainRecord;
    readonly logger: Logger;
    readonly historyUrls?: readonly string[] | undefined;
    /** The nodes, when they are not to be reached at `historyUrls`. */
    readonly historyProviders?: readonly Provider[];
  },
  clock: Clock,
): Nodes | undefined {
  const { record, logger, historyUrls = [] } = options;
  const providers = options.historyProviders ?? connect(historyUrls, { logger });
  return providers.length === 0 ? undefined : createNodes({ providers, record, clock, logger });
}
