import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";
import { originForm } from "../connections/origin-form.ts";
import type { Page } from "../docs/page.ts";

/**
 * `/metrics` on a listener of its own, so that the public port does not show it. `pages` are there too, and answer however
 * many connections wait for the public port: libuv accepts one in each turn of the event loop, on each listener.
 */
export interface MetricsServer {
  listen(port: number, host: string): Promise<void>;
  port(): number;
  close(): Promise<void>;
}

export function createMetricsServer(
  registry: Registry,
  pages: Readonly<Record<string, () => Page>> = {},
): MetricsServer {
  const server = createServer(async (request, response) => {
    const [path = ""] = originForm(request.url ?? "").split("?", 1);
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (path !== "/metrics" && page === undefined) return void response.writeHead(404).end();
    if (request.method !== "GET") return void response.writeHead(405, { allow: "GET" }).end();
    if (page !== undefined) {
      const { status, contentType, body } = page();
      return void response.writeHead(status, { "content-type": contentType }).end(body);
    }
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
