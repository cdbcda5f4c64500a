import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/ops/config.ts";
import { addLoadMetrics } from "../../../src/ops/load-metrics.ts";
import { createMetrics } from "../../../src/ops/metrics.ts";

const deploy = fileURLToPath(new URL("../../../deploy", import.meta.url));
const read = (file: string) => readFileSync(join(deploy, file), "utf8");
const compose = read("fleet/compose.yaml");
const envoy = read("fleet/envoy.yaml");
const kubernetes = read("kubernetes/tributary.yaml");

describe("the fleet of containers", () => {
  it("is made of images that a digest names", () => {
    const images = [...compose.matchAll(/^ +(?:image|NODE_IMAGE): (\S+)/gm)].map(([, image]) => image);
    expect(images).toHaveLength(4);
    for (const image of images) {
      const [, name] = /^\$\{(\w+):\?run/.exec(image ?? "") ?? [];
      expect(read("pin-images.sh")).toContain(`pin ${name} docker.io/`);
    }
  });

  it("balances to each of its replicas, by a health that the service has, in HTTP/2 without TLS", () => {
    const replicas = [...compose.matchAll(/^ {2}(replica-\d):$/gm)].map(([, name]) => name);
    expect(replicas).toHaveLength(2);
    expect([...envoy.matchAll(/address: (replica-\d), port_value: 8080/g)].map(([, name]) => name)).toEqual(replicas);
    expect(envoy).toContain("http_health_check: { path: /readyz, codec_client_type: HTTP2 }");
    expect(envoy).toContain("explicit_http_config: { http2_protocol_options:");
  });

  it("gives options that the service takes", () => {
    const [, block = ""] = /environment: &environment\n((?: {4}\S.*\n| {4}#.*\n)+)/.exec(compose) ?? [];
    const given = Object.fromEntries(
      [...block.matchAll(/^ {4}([A-Z_]+): (.+)$/gm)].map(([, name, value]) => [
        name,
        value?.replace(/\$\{POSTGRES_PASSWORD:[^}]*\}/, "secret"),
      ]),
    );
    const others = { RPC_URL: "http://node:8545", CHAIN: "ethereum", KEY_PEPPER: "p".repeat(32) };
    expect(readConfig({ ...given, ...others })).toMatchObject({
      DATABASE_URL: "postgres://tributary:secret@postgres:5432/tributary",
      REDIS_URL: "redis://redis:6379",
      TRUSTED_PROXIES: expect.anything(),
    });
  });

  it("has time to give its lease back and finish what is in flight", () => {
    const { DRAIN_TIMEOUT_MS: drainMs } = readConfig({});
    expect(Number(/stop_grace_period: (\d+)s/.exec(compose)?.[1]) * 1_000).toBeGreaterThan(drainMs);
    expect(Number(/terminationGracePeriodSeconds: (\d+)/.exec(kubernetes)?.[1]) * 1_000).toBeGreaterThan(
      drainMs + 3_000,
    );
  });
});

describe("the manifests for Kubernetes", () => {
  it("probe what the metrics' listener answers", () => {
    const probes = [...kubernetes.matchAll(/path: (\S+), port: (\w+)/g)].map(([, path, port]) => `${path} ${port}`);
    expect(probes).toEqual(["/livez metrics", "/readyz metrics", "/livez metrics"]);
  });

  it("let one replica go at a time, and scale by a metric that the service has", async () => {
    expect(kubernetes).toMatch(/kind: PodDisruptionBudget[\s\S]*?maxUnavailable: 1/);
    const { registry } = createMetrics();
    addLoadMetrics(registry, () => ({ running: 0, waiting: 0, watches: 0, watchedRequests: 0 }));
    const known = await registry.metrics();
    const [, name = "none"] = /metric: \{ name: (\w+) \}/.exec(kubernetes) ?? [];
    expect(known).toContain(`# TYPE ${name} gauge`);
    expect(read("../docs/scaling.md")).toContain(name);
  });
});
