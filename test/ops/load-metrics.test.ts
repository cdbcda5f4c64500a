import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { addLoadMetrics, addSearchThreadMetrics } from "../../src/ops/load-metrics.ts";

it("tells with every scrape how much is being asked for", async () => {
  const registry = new Registry();
  const load = { running: 3, waiting: 64, watches: 12, watchedRequests: 5 };
  addLoadMetrics(registry, () => load);
  const first = await registry.metrics();
  expect(first).toContain("tributary_api_searches_running 3");
  expect(first).toContain("tributary_api_searches_waiting 64");
  expect(first).toContain("tributary_api_watches 12");
  expect(first).toContain("tributary_api_watched_requests 5");
  load.waiting = 0;
  expect(await registry.metrics()).toContain("tributary_api_searches_waiting 0");
});

it("tells with every scrape how the threads do that search", async () => {
  const registry = new Registry();
  addSearchThreadMetrics(registry, () => ({ threads: 3, busy: 2, waiting: 9, restarts: 1 }));
  const told = await registry.metrics();
  expect(told).toContain("tributary_search_threads 3");
  expect(told).toContain("tributary_search_threads_busy 2");
  expect(told).toContain("tributary_search_threads_waiting 9");
  expect(told).toContain("tributary_search_thread_restarts_total 1");
});
