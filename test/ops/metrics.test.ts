import { expect, it } from "vitest";
import { addChainMetrics } from "../../src/ops/chain-metrics.ts";
import { addFleetMetrics } from "../../src/ops/fleet-metrics.ts";
import { addLoadMetrics, addSearchThreadMetrics } from "../../src/ops/load-metrics.ts";
import { addMakerMetrics } from "../../src/ops/maker-metrics.ts";
import { createMetrics } from "../../src/ops/metrics.ts";

const NODE = { name: "0", well: true, lying: false, followed: true, latencyMs: 25, errorRate: 0 };
const CHAIN = {
  ...{ headBlock: 1, lagBlocks: 0, pools: 0, quarantinedPools: 0, keptOutTokens: 0 },
  ...{ resyncs: 0, auditCompared: 0, auditMismatched: 0, leftOut: () => [], available: true, nodes: [NODE] },
};

it("metrics have the names and units that dashboards of others look for", async () => {
  const { registry } = createMetrics();
  addChainMetrics(registry, () => CHAIN);
  addLoadMetrics(registry, () => ({ running: 0, waiting: 0, watches: 0, watchedRequests: 0 }));
  addSearchThreadMetrics(registry, () => ({ threads: 0, busy: 0, waiting: 0, restarts: 0 }));
  addFleetMetrics(registry, () => ({
    ...{ role: "following", token: 0, led: 0, delayMs: 0, silentMs: 0, wholes: 0, bytes: 0 },
    ...{ isReachable: true, processes: 1, limitsAreLocal: false, decidedLocally: 0 },
  }));
  addMakerMetrics(registry, () => []);
  const text = await registry.metrics();
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = "", type = ""]) => ({ name, type }));
  const names = types.map(({ name }) => name);
  for (const name of [
    "process_cpu_seconds_total",
    "process_resident_memory_bytes",
    "process_start_time_seconds",
    "nodejs_eventloop_lag_p99_seconds",
    "nodejs_heap_size_used_bytes",
    "nodejs_version_info",
  ])
    expect(names).toContain(name);
  for (const { name, type } of types) {
    expect(name).toMatch(/^(tributary|process|nodejs)_/);
    expect(name, "in base units").not.toMatch(/_(ms|millis|milliseconds|minutes|percent|kb|mb)(_|$)/);
    if (name.startsWith("tributary_")) expect(name.endsWith("_total"), name).toBe(type === "counter");
    if (type === "histogram" && name.startsWith("tributary_")) expect(name).toMatch(/_seconds$/);
  }
  expect(text).toContain('tributary_node_latency_seconds{node="0"} 0.025');
});
