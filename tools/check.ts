/**
 * Checks everything that needs no running product: contract, generated code, style, types, dead code, compiled contracts,
 * tables and sentences of the documentation, and its site. Runs as many steps at a time as there are cores, prints one line
 * each, and ends with 1 if any failed.
 *
 *   npm run check                 all steps
 *   npm run check -- types knip   only these
 *
 * `buf breaking` compares with the landed contract: the git ref in LANDED, else origin/main. A step that compiles contracts
 * or builds the site is skipped while no file that it reads has changed since it passed; node_modules/.cache/tributary
 * remembers which.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

const cache = join(root, "node_modules", ".cache", "tributary");

interface Outcome {
  readonly passed: boolean;
  readonly output: string;
}

function run(command: string, args: readonly string[], cwd = root): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      resolve({ passed: error === null, output: `${stdout}${stderr}`.trim() });
    });
  });
}

/** `gen/` has to be what the generator makes of `proto/` now. */
async function compareGenerated(): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "tributary-gen-"));
  try {
    for (const part of ["proto", "buf.yaml", "buf.gen.yaml"])
      cpSync(join(root, part), join(folder, part), { recursive: true });
    const generated = await run("buf", ["generate"], folder);
    return generated.passed ? await run("diff", ["-r", join(folder, "gen"), join(root, "gen")]) : generated;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compareLandedContract(): Promise<Outcome> {
  const ref = process.env.LANDED ?? "origin/main";
  const known = await run("git", ["cat-file", "-e", `${ref}:proto/swap/v1/swap.proto`]);
  if (!known.passed) return { passed: true, output: `skipped: ${ref} has no contract to compare with` };
  return run("buf", ["breaking", "--against", `.git#ref=${ref}`]);
}

/** Inputs of compiling contracts: sources, results, the tools that compare them, and the versions of all packages. */
const CONTRACT_INPUTS = ["contracts", "tools/contracts", "package-lock.json"];

/** Runs a tool over contracts, unless it has passed with exactly these arguments and files before. */
function checkContracts(...args: readonly string[]): Promise<Outcome> {
  return unlessUnchanged(CONTRACT_INPUTS, args, () => run("node", args));
}

/** Inputs of the site: pages, pictures, reference and its viewer, and the versions of the product and of all packages. */
const SITE_INPUTS = [
  ...["docs", "examples", "bench/results", "src/api/docs", "console/dist", "console/src", "tools/docs"],
  ...["CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "package.json", "package-lock.json"],
];

/** The documentation's site has to build: each page in its menu once, and no dead link. */
async function buildSite(): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "tributary-site-"));
  try {
    return await run("vitepress", ["build", "docs", "--outDir", folder]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Takes a step, unless it has passed with exactly these arguments and files before. */
async function unlessUnchanged(
  inputs: readonly string[],
  args: readonly string[],
  step: () => Promise<Outcome>,
): Promise<Outcome> {
  const digest = digestOf(inputs, args);
  const passed = join(cache, digest);
  if (existsSync(passed)) return { passed: true, output: "skipped: nothing has changed since it passed" };
  const outcome = await step();
  if (outcome.passed) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(passed, "");
  }
  return outcome;
}

/** SHA-256 of words, and of the names and contents of all files under these paths. */
function digestOf(paths: readonly string[], words: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify([process.version, ...words]));
  for (const path of paths) {
    const isFile = path.includes(".");
    const names = isFile ? [""] : readdirSync(join(root, path), { recursive: true, encoding: "utf8" }).sort();
    for (const name of names) {
      const file = join(root, path, name);
      if (!isFile && !(/\.[a-z]+$/.test(name) && statSync(file).isFile())) continue;
      hash.update(`\0${path}/${name}\0`).update(readFileSync(file));
    }
  }
  return hash.digest("hex");
}

/** Those that take longest come first, so that the others fill the remaining cores. */
const STEPS: Readonly<Record<string, () => Promise<Outcome>>> = {
  contracts: () => checkContracts("tools/contracts/compile-contracts.ts", "--check", "src"),
  "contracts-around": () => checkContracts("tools/contracts/compile-contracts.ts", "--check", "test", "devnet", "lens"),
  site: () => unlessUnchanged(SITE_INPUTS, ["site"], buildSite),
  types: () => run("tsc", ["-p", ".", "--incremental", "--tsBuildInfoFile", join(cache, "types.tsbuildinfo")]),
  "types-in-browsers": async () => {
    const folders = ["console", "docs/.vitepress", "examples"];
    const outcomes = await Promise.all(folders.map((folder) => run("tsc", ["-p", folder])));
    return outcomes.find(({ passed }) => !passed) ?? { passed: true, output: "" };
  },
  style: () => run("biome", ["ci", "--colors=off"]),
  bundle: () => checkContracts("tools/contracts/bundle-contracts.ts", "--check"),
  generated: compareGenerated,
  knip: () => run("knip", ["--no-progress"]),
  docs: () => run("node", ["tools/docs.ts", "--check"]),
  "buf-lint": () => run("buf", ["lint"]),
  "buf-format": () =>
    run("buf", [
      "format",
      "--diff",
      "--exit-code",
      "--path",
      "proto/swap",
      "--path",
      "proto/rest",
      "--path",
      "proto/snapshot",
    ]),
  "buf-breaking": compareLandedContract,
  "venue-codes": () => run("node", ["tools/contracts/venue-codes.ts", "--check"]),
  addresses: () => run("node", ["tools/contracts/addresses.ts", "--check"]),
  openapi: () => run("node", ["tools/openapi.ts", "--check"]),
  "openapi-lint": () => run("env", ["REDOCLY_TELEMETRY=off", "redocly", "lint", "src/api/docs/openapi.json"]),
  console: () => run("node", ["tools/console.ts", "--check"]),
  sbom: () => run("node", ["tools/packages/sbom.ts", "--check"]),
  dashboard: () => run("node", ["tools/dashboard.ts", "--check"]),
  prose: () => run("node", ["tools/prose.ts"]),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in STEPS));
if (unknown.length > 0) {
  console.error(`no such step: ${unknown.join(", ")}; there are ${Object.keys(STEPS).join(", ")}`);
  process.exit(2);
}

const left = Object.entries(STEPS).filter(([name]) => asked.length === 0 || asked.includes(name));
let failed = 0;

/** Takes one step after the other until none is left. */
async function work(): Promise<void> {
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const [name, step] = next;
    const { passed, output } = await step();
    if (!passed) failed += 1;
    const skipped = passed && output.startsWith("skipped") ? ` (${output})` : "";
    console.log(`${passed ? "ok    " : "FAILED"} ${name}${skipped}${passed ? "" : `\n${output}\n`}`);
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
console.log(failed === 0 ? "check: all well" : `check: ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
