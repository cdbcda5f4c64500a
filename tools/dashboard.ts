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

/** A metric of the instances that the dashboard is set to, with more labels if need be. */
const of = (name: string, labels = "") => `${name}{instance=~"$instance"${labels === "" ? "" : `, ${labels}`}}`;

const rate = (name: string, labels?: string) => `rate(${of(name, labels)}[$__rate_interval])`;

const quantile = (q: number) =>
  `histogram_quantile(${q}, sum by (le, operation) (${rate("tributary_api_request_duration_seconds_bucket")}))`;

const PANELS: readonly Panel[] = [
  { title: "Quotes can be given", unit: "bool_yes_no", queries: { "{{instance}}": of("tributary_chain_available") } },
  {
    title: "Blocks",
    unit: "none",
    queries: {
      "per minute, {{instance}}": `60 * ${rate("tributary_chain_head_block")}`,
      "behind the node, {{instance}}": of("tributary_chain_lag_blocks"),
    },
  },
  {
    title: "Nodes: share of requests without a good answer",
    unit: "percentunit",
    queries: { "{{node}}, {{instance}}": of("tributary_node_error_ratio") },
  },
  {
    title: "Nodes: mean time of an answer",
    unit: "s",
    queries: { "{{node}}, {{instance}}": of("tributary_node_latency_seconds") },
  },
  {
    title: "Pools in quarantine, mismatches, resyncs",
    unit: "none",
    queries: {
      "in quarantine, {{instance}}": of("tributary_chain_quarantined_pools"),
      "mismatches within 1 h, {{instance}}": `increase(${of("tributary_chain_audit_mismatched_total")}[1h])`,
      "resyncs within 1 h, {{instance}}": `increase(${of("tributary_chain_resyncs_total")}[1h])`,
    },
  },
  {
    title: "Calls by operation",
    unit: "reqps",
    queries: { "{{operation}}": `sum by (operation) (${rate("tributary_api_requests_total")})` },
  },
  {
    title: "Calls by protocol",
    unit: "reqps",
    queries: { "{{protocol}}": `sum by (protocol) (${rate("tributary_api_requests_total")})` },
  },
  {
    title: "Refusals by kind",
    unit: "reqps",
    queries: { "{{outcome}}": `sum by (outcome) (${rate("tributary_api_requests_total", 'outcome!="ok"')})` },
  },
  { title: "Calls in flight", unit: "none", queries: { "{{instance}}": of("tributary_api_requests_in_flight") } },
  {
    title: "Searches running and waiting",
    unit: "none",
    queries: {
      "running, {{instance}}": of("tributary_api_searches_running"),
      "waiting, {{instance}}": of("tributary_api_searches_waiting"),
    },
  },
  {
    title: "Search threads",
    unit: "none",
    queries: {
      "there, {{instance}}": of("tributary_search_threads"),
      "busy, {{instance}}": of("tributary_search_threads_busy"),
      "waited for, {{instance}}": of("tributary_search_threads_waiting"),
      "ended, {{instance}}": of("tributary_search_thread_restarts_total"),
    },
  },
  {
    title: "Streams of prices",
    unit: "none",
    queries: {
      "open, {{instance}}": of("tributary_api_watches"),
      "different requests, {{instance}}": of("tributary_api_watched_requests"),
    },
  },
  {
    title: "Waiting for the database",
    unit: "none",
    queries: {
      "rows of usage, {{instance}}": of("tributary_outbox_usage_rows"),
      "quotes, {{instance}}": of("tributary_outbox_quotes"),
      "reached, {{instance}}": of("tributary_database_reached"),
    },
  },
  { title: "Latency p50", unit: "s", queries: { "{{operation}}": quantile(0.5) } },
  { title: "Latency p99", unit: "s", queries: { "{{operation}}": quantile(0.99) } },
  {
    title: "Memory",
    unit: "bytes",
    queries: {
      "resident, {{instance}}": of("process_resident_memory_bytes"),
      "heap, {{instance}}": of("nodejs_heap_size_used_bytes"),
    },
  },
  { title: "CPU", unit: "percentunit", queries: { "{{instance}}": rate("process_cpu_seconds_total") } },
  {
    title: "Event loop lag p99 and max",
    unit: "s",
    queries: {
      "p99, {{instance}}": of("nodejs_eventloop_lag_p99_seconds"),
      "max, {{instance}}": of("nodejs_eventloop_lag_max_seconds"),
    },
  },
];

const [COLUMNS, HEIGHT, WIDTH] = [24, 8, 8];
/** The one that the dashboard is set to. */
const DATASOURCE = { type: "prometheus", uid: `$\{datasource}` };

/** Variables of the dashboard. */
const VARIABLES = [
  { name: "datasource", label: "Data source", type: "datasource", query: "prometheus" },
  {
    ...{ name: "instance", label: "Instance", type: "query", datasource: DATASOURCE },
    ...{ query: "label_values(tributary_build_info, instance)", refresh: 2, sort: 1 },
    ...{ multi: true, includeAll: true, allValue: ".*", current: { text: "All", value: "$__all" } },
  },
];

const dashboard = {
  uid: "tributary",
  title: "Tributary",
  tags: ["tributary"],
  timezone: "utc",
  refresh: "5s",
  time: { from: "now-30m", to: "now" },
  schemaVersion: 41,
  templating: { list: VARIABLES },
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
