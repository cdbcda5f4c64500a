import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";
import { originForm } from "./origin-form.ts";

/** `/metrics` on a listener of its own, so that the public port does not show it. */
export interface MetricsServer {
  listen(port: number, host: string): Promise<void>;
  port(): number;
  close(): Promise<void>;
}

export function createMetricsServer(registry: Registry): MetricsServer {
  const server = createServer(async (request, response) => {
    if (originForm(request.url ?? "").split("?", 1)[0] !== "/metrics") return void response.writeHead(404).end();
    if (request.method !== "GET") return void response.writeHead(405, { allow: "GET" }).end();
    try {
      const body = await registry.metrics();
      response.writeHead(200, { "content-type": registry.contentType }).end(body);
    } catch {
      response.writeHead(500).end();
    }
  });
  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen({ port, host }, () => {
          server.off("error", reject);
          resolve();
        });
      }),
    port: () => (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
