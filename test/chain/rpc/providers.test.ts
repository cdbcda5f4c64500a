import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import type { FakeChain } from "../../../fixtures/chain/fake-chain.ts";
import { createNodes, type Nodes } from "../../../src/chain/node/nodes.ts";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import { createProvider, type Provider } from "../../../src/chain/rpc/provider.ts";
import { type RpcError, TransportError } from "../../../src/chain/rpc/provider-errors.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { describeProvider, PATIENCE_MS } from "./provider.suite.ts";

const SILENT = createLogger("silent");

/** The fake chain's node behind HTTP and WebSocket. */
async function served(chain: FakeChain) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
    try {
      const result = await chain.provider.request(method, params);
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    } catch (error) {
      if (error instanceof TransportError) {
        if (error.limited) response.writeHead(429, { "retry-after": String(Number(error.retryAfterMs) / 1_000) }).end();
        return;
      }
      const { code, message } = error as RpcError;
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }));
    }
  });
  const sockets = new WebSocketServer({ server });
  const listening = new Promise((resolve) => {
    sockets.on("connection", (socket) => {
      chain.provider.onHeadHint(() => socket.send("{}"));
      resolve(undefined);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const [url, wsUrl] = [`http://127.0.0.1:${port}`, `ws://127.0.0.1:${port}`];
  const provider = createProvider({ url, wsUrl, timeoutMs: PATIENCE_MS, logger: SILENT });
  const stop = () => {
    provider.close();
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { provider, listening, stop };
}

describeProvider("of the tests", async ({ provider }) => ({ provider, stop: () => provider.close() }));
describeProvider("over HTTP and WebSocket", served);

const VIEWS: readonly (readonly [name: string, view: (nodes: Nodes) => Provider, count: number])[] = [
  ["of the node that is followed", ({ followed }) => followed, 1],
  ["of any node, where there is one", ({ any }) => any, 1],
  ["of any node, where there are two", ({ any }) => any, 2],
  ["of another node than the one that is followed", ({ other }) => other, 2],
];
for (const [name, view, count] of VIEWS) {
  describeProvider(name, async (chain) => {
    const nodes = createNodes({
      providers: Array.from({ length: count }, () => chain.provider),
      record: chain.record,
      clock: systemClock,
      logger: SILENT,
    });
    return { provider: view(nodes), stop: nodes.close };
  });
}
