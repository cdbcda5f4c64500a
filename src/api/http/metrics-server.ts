import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";
import type { Page } from "../docs/page.ts";
import { originForm } from "./origin-form.ts";

/**
 * `/metrics` on a listener of its own, so that the public port does not show it. `pages` are there too, and answer however
 * many connections wait for the public port.
 */
export interface MetricsServer {
  listen(port: number, host: string): Promise<void>;
  port(): number;
  close(): Promise<void>;
}

/** Metrics in Prometheus's text format. */
export interface MetricsText {
  readonly contentType: string;
  readonly body: string;
}

/** Metrics of a registry as they are now. @throws what a metric throws that is collected */
export async function textOf(registry: Pick<Registry, "metrics" | "contentType">): Promise<MetricsText> {
  return { contentType: registry.contentType, body: await registry.metrics() };
}

/** Serves metrics, which answers 500 when `metrics` rejects, and pages by their paths. */
export function createMetricsServer(
  metrics: () => Promise<MetricsText>,
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
      const { contentType, body } = await metrics();
      response.writeHead(200, { "content-type": contentType }).end(body);
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
