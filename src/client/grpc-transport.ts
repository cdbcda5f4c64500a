import type { Transport } from "@connectrpc/connect";
import { createGrpcTransport as createNodeTransport } from "@connectrpc/connect-node";

/** gRPC over HTTP/2 on one kept connection, for Node. `http://` is cleartext with prior knowledge. */
export function createGrpcTransport(baseUrl: string): Transport {
  return createNodeTransport({ baseUrl });
}
