/**
 * Writes deploy/grafana/tributary.json, the dashboard that deploy/compose.yaml provisions. With `--check` it compares
 * instead.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "deploy/grafana/tributary.json");

/** A plot: Prometheus queries by what their lines are called. */
interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly queries: Readonly<Record<string, string>>;
}

const quantile = (q: number) =>
  `histogram_quantile(${q}, sum by (le, operation) (rate(tributary_api_request_duration_seconds_bucket[$__rate_interval])))`;

const PANELS: readonly Panel[] = [
  { title: "Quotes can be given", unit: "bool_yes_no", queries: { available: "tributary_chain_available" } },
  {
    title: "Blocks",
    unit: "none",
    queries: {
      "per minute": "60 * rate(tributary_chain_head_block[$__rate_interval])",
      "behind the node": "tributary_chain_lag_blocks",
    },
  },
  {
    title: "Nodes: part of requests without a good answer",
    unit: "percentunit",
    queries: { "{{node}}": "tributary_node_error_ratio" },
  },
  {
    title: "Pools put aside, differed, resyncs",
    unit: "none",
    queries: {
      quarantined: "tributary_chain_quarantined_pools",
      "differed within an hour": "increase(tributary_chain_audit_mismatched_total[1h])",
      "resyncs within an hour": "increase(tributary_chain_resyncs_total[1h])",
    },
  },
  {
    title: "Calls by operation",
    unit: "reqps",
    queries: { "{{operation}}": "sum by (operation) (rate(tributary_api_requests_total[$__rate_interval]))" },
  },
  {
    title: "Calls by protocol",
    unit: "reqps",
    queries: { "{{protocol}}": "sum by (protocol) (rate(tributary_api_requests_total[$__rate_interval]))" },
  },
  {
    title: "Refusals by kind",
    unit: "reqps",
    queries: {
      "{{outcome}}": 'sum by (outcome) (rate(tributary_api_requests_total{outcome!="ok"}[$__rate_interval]))',
    },
  },
  { title: "Calls in flight", unit: "none", queries: { "in flight": "tributary_api_requests_in_flight" } },
  {
    title: "Prices and quotes that are worked on, and that wait",
    unit: "none",
    queries: { "worked on": "tributary_api_searches_running", waiting: "tributary_api_searches_waiting" },
  },
  {
    title: "Streams of prices",
    unit: "none",
    queries: { open: "tributary_api_watches", "different requests": "tributary_api_watched_requests" },
  },
  { title: "Time of half of the calls", unit: "s", queries: { "{{operation}}": quantile(0.5) } },
  { title: "Time of all but one call in a hundred", unit: "s", queries: { "{{operation}}": quantile(0.99) } },
  {
    title: "Memory",
    unit: "bytes",
    queries: {
      resident: "tributary_process_resident_memory_bytes",
      heap: "tributary_nodejs_heap_size_used_bytes",
    },
  },
  {
    title: "Processor",
    unit: "percentunit",
    queries: { used: "rate(tributary_process_cpu_seconds_total[$__rate_interval])" },
  },
  {
    title: "Event loop",
    unit: "s",
    queries: {
      "99 %": "tributary_nodejs_eventloop_lag_p99_seconds",
      most: "tributary_nodejs_eventloop_lag_max_seconds",
    },
  },
];

const [COLUMNS, HEIGHT, WIDTH] = [24, 8, 8];
const DATASOURCE = { type: "prometheus", uid: "tributary-prometheus" };

const dashboard = {
  uid: "tributary",
  title: "Tributary",
  tags: ["tributary"],
  timezone: "utc",
  refresh: "5s",
  time: { from: "now-30m", to: "now" },
  schemaVersion: 41,
  panels: PANELS.map(({ title, unit, queries }, i) => ({
    id: i + 1,
    type: "timeseries",
    title,
    datasource: DATASOURCE,
    gridPos: { x: (i * WIDTH) % COLUMNS, y: Math.floor((i * WIDTH) / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: Object.entries(queries).map(([legendFormat, expr], j) => ({
      refId: String.fromCharCode("A".charCodeAt(0) + j),
      datasource: DATASOURCE,
      expr,
      legendFormat,
    })),
  })),
};

const text = execFileSync(join(root, "node_modules/.bin/biome"), ["format", `--stdin-file-path=${target}`], {
  cwd: root,
  input: JSON.stringify(dashboard),
  encoding: "utf8",
});
if (process.argv.includes("--check")) {
  const same = readFileSync(target, "utf8") === text;
  console.log(same ? "the dashboard is up to date" : "out of date: deploy/grafana; run node tools/dashboard.ts");
  process.exitCode = same ? 0 : 1;
} else writeFileSync(target, text);
