import type { Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";

/**
 * Connect over fetch, for browsers and whatever else has fetch. Calls are POST: a browser asks once per path whether it
 * may send the key, where GET would have it ask for every new amount.
 */
export function createWebTransport(baseUrl: string): Transport {
  return createConnectTransport({ baseUrl });
}
