/**
 * Draws docs/dashboard.svg: panels of deploy/grafana/tributary.json over minutes of a real service on a devnet with traffic. Its
 * queries are answered by a real Prometheus (Debian's package `prometheus`). Grafana itself is in no registry that the project
 * uses, so that the drawing is ours and no screenshot.
 *
 *   node tools/docs/dashboard-picture.ts
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../../fixtures/free-port.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const SHOWN = ["Calls by operation", "Refusals by kind", "Latency p50", "Latency p99", "Blocks", "Memory"];
const SECONDS = 180;
const RATE_INTERVAL = "15s";
const [WIDTH, HEIGHT, COLUMNS] = [400, 220, 2];
const COLOURS = ["#0f766e", "#b45309", "#6d28d9", "#be123c", "#1d4ed8", "#4d7c0f"];

interface Panel {
  readonly title: string;
  readonly fieldConfig: { readonly defaults: { readonly unit: string } };
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}
interface Line {
  readonly name: string;
  readonly points: readonly (readonly [at: number, value: number])[];
}

const folder = mkdtempSync(join(tmpdir(), "dashboard-"));
const [port, metrics, prometheus] = [await freePort(), await freePort(), await freePort()];
const running: ChildProcess[] = [];
try {
  const settings = { PORT: String(port), METRICS_PORT: String(metrics), DEVNET_PORT: "0", DEVNET_TRAFFIC: "1" };
  const service = start(process.execPath, ["src/main.ts"], {
    ...settings,
    DATA_DIR: folder,
    TRIBUTARY_API_KEY: "key-of-the-dashboard",
  });
  await until(async () => (await fetch(`http://127.0.0.1:${metrics}/readyz`)).ok, service);
  const file = join(folder, "prometheus.yaml");
  const job = `- { job_name: tributary, static_configs: [{ targets: ["127.0.0.1:${metrics}"] }] }`;
  writeFileSync(file, `global: { scrape_interval: 1s }\nscrape_configs:\n  ${job}\n`);
  const place = [`--storage.tsdb.path=${join(folder, "tsdb")}`, `--web.listen-address=127.0.0.1:${prometheus}`];
  const server = start("prometheus", [`--config.file=${file}`, ...place], {});
  await until(async () => (await fetch(`http://127.0.0.1:${prometheus}/-/ready`)).ok, server);
  const from = Date.now() / 1_000;
  await useService();
  const { panels } = JSON.parse(readFileSync(join(root, "deploy/grafana/tributary.json"), "utf8")) as {
    readonly panels: readonly Panel[];
  };
  const drawn: string[] = [];
  for (const [at, title] of SHOWN.entries()) {
    const panel = panels.find((it) => it.title === title);
    if (panel === undefined) throw new Error(`the dashboard has no panel "${title}"`);
    const lines = (await Promise.all(panel.targets.map((target) => ask(target, from)))).flat();
    drawn.push(draw(panel, lines, (at % COLUMNS) * WIDTH, Math.floor(at / COLUMNS) * HEIGHT, from));
  }
  const [width, height] = [COLUMNS * WIDTH, Math.ceil(SHOWN.length / COLUMNS) * HEIGHT];
  writeFileSync(
    join(root, "docs/dashboard.svg"),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" font-family="sans-serif" font-size="11">
<title>Panels of the dashboard: three minutes of a service on the devnet</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${drawn.join("\n")}
</svg>
`,
  );
} finally {
  for (const child of running) child.kill("SIGTERM");
  await Promise.all(running.map((child) => (child.exitCode === null ? once(child, "close") : undefined)));
  rmSync(folder, { recursive: true });
}

function start(file: string, words: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(file, words, { cwd: root, env: { PATH: process.env.PATH, ...env }, stdio: "ignore" });
  running.push(child);
  return child;
}

async function until(isReady: () => Promise<boolean>, child: ChildProcess): Promise<void> {
  while (!(await isReady().catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`"${child.spawnfile}" ended with ${child.exitCode}`);
    await pause(200);
  }
}

/** Prices, quotes and some requests that are refused, at a rate that comes and goes. */
async function useService(): Promise<void> {
  const ask = (path: string, sellAmount: bigint) => {
    const [sellToken, buyToken] = [`0x${"ee".repeat(20)}`, "0x8a791620dd6260079bf849dc5567adc3f2fdc318"];
    const query = new URLSearchParams({ sellToken, buyToken, sellAmount: String(sellAmount) });
    const url = `http://127.0.0.1:${port}/swap/v1/${path}?${query}`;
    return fetch(url, { headers: { "api-key": "key-of-the-dashboard" } }).then((answer) => answer.text());
  };
  const asked: Promise<string>[] = [];
  const began = Date.now();
  for (let turn = 0; Date.now() - began < SECONDS * 1_000; turn += 1) {
    asked.push(ask("price", 10n ** 15n * BigInt(1 + (turn % 997))));
    if (turn % 4 === 0) asked.push(ask("quote", 10n ** 18n * BigInt(1 + (turn % 89))));
    if (turn % 20 === 0) asked.push(ask("price", 0n));
    await pause(200 + 150 * Math.sin(turn / 40));
  }
  await Promise.all(asked);
}

/** Lines of a panel's query, with Grafana's variables filled in. */
async function ask({ expr, legendFormat }: Panel["targets"][number], from: number): Promise<readonly Line[]> {
  const query = expr.replaceAll("$__rate_interval", RATE_INTERVAL).replaceAll("$instance", ".+");
  const range = { query, start: String(from + 15), end: String(from + SECONDS), step: "2" };
  const answer = await fetch(`http://127.0.0.1:${prometheus}/api/v1/query_range?${new URLSearchParams(range)}`);
  const { data } = (await answer.json()) as {
    readonly data: { readonly result: readonly { metric: Record<string, string>; values: [number, string][] }[] };
  };
  return data.result.map(({ metric, values }) => ({
    name: legendFormat.replaceAll(/,? ?\{\{(\w+)\}\}/g, (_, label: string) =>
      label === "instance" ? "" : (metric[label]?.split("/").at(-1) ?? ""),
    ),
    points: values.map(([at, value]) => [at, Number(value)] as const).filter(([, value]) => Number.isFinite(value)),
  }));
}

function draw(panel: Panel, lines: readonly Line[], left: number, top: number, from: number): string {
  const [x0, x1, y0, y1] = [left + 52, left + WIDTH - 12, top + HEIGHT - 40, top + 28];
  const isBytes = panel.fieldConfig.defaults.unit === "bytes";
  const most = Math.max(1e-9, ...lines.flatMap(({ points }) => points.map(([, value]) => value))) * 1.05;
  const x = (at: number) => (x0 + ((at - from) / SECONDS) * (x1 - x0)).toFixed(1);
  const y = (value: number) => (y0 - (value / most) * (y0 - y1)).toFixed(1);
  const unit = isBytes ? "MB" : panel.fieldConfig.defaults.unit.replace("reqps", "per s").replace("none", "");
  const parts = [
    `<text x="${left + 12}" y="${top + 16}" font-weight="bold">${panel.title}${unit && `, ${unit}`}</text>`,
  ];
  for (const value of [0, most / 2, most]) {
    const label = Number((isBytes ? value / 1e6 : value).toPrecision(2));
    parts.push(`<line x1="${x0}" x2="${x1}" y1="${y(value)}" y2="${y(value)}" stroke="#e7e5e4"/>`);
    parts.push(`<text x="${x0 - 6}" y="${y(value)}" dy="4" text-anchor="end">${label}</text>`);
  }
  let legend = x0;
  for (const [index, { name, points }] of lines.entries()) {
    const colour = COLOURS[index % COLOURS.length];
    const way = points.map(([at, value]) => `${x(at)},${y(value)}`).join(" ");
    parts.push(`<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${way}"/>`);
    parts.push(`<text x="${legend}" y="${top + HEIGHT - 16}" fill="${colour}">${name}</text>`);
    legend += 7 * name.length + 16;
  }
  return parts.join("\n");
}
