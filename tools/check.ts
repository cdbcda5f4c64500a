/**
 * Everything that is checked without running the product: contract, generated code, style, types, dead code, compiled
 * contracts, tables and sentences of the documentation. Runs every step, prints one line each, and ends with 1 if any failed.
 *
 *   npm run check                 all steps
 *   npm run check -- types knip   only these
 *
 * `buf breaking` compares with the landed contract: the git ref in LANDED, else origin/main.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

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

const STEPS: Readonly<Record<string, () => Promise<Outcome>>> = {
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
  generated: compareGenerated,
  style: () => run("biome", ["ci", "--colors=off"]),
  types: () => run("tsc", ["-p", "."]),
  knip: () => run("knip", ["--no-progress"]),
  "venue-codes": () => run("node", ["tools/contracts/venue-codes.ts", "--check"]),
  contracts: () => run("node", ["tools/contracts/compile-contracts.ts", "--check"]),
  addresses: () => run("node", ["tools/contracts/addresses.ts", "--check"]),
  bundle: () => run("node", ["tools/contracts/bundle-contracts.ts", "--check"]),
  openapi: () => run("node", ["tools/openapi.ts", "--check"]),
  "openapi-lint": () => run("env", ["REDOCLY_TELEMETRY=off", "redocly", "lint", "src/api/docs/openapi.json"]),
  console: () => run("node", ["tools/console.ts", "--check"]),
  sbom: () => run("node", ["tools/packages/sbom.ts", "--check"]),
  dashboard: () => run("node", ["tools/dashboard.ts", "--check"]),
  docs: () => run("node", ["tools/docs.ts", "--check"]),
  prose: () => run("node", ["tools/prose.ts"]),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in STEPS));
if (unknown.length > 0) {
  console.error(`no such step: ${unknown.join(", ")}; there are ${Object.keys(STEPS).join(", ")}`);
  process.exit(2);
}

let failed = 0;
for (const [name, step] of Object.entries(STEPS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const { passed, output } = await step();
  if (!passed) failed += 1;
  const skipped = passed && output.startsWith("skipped") ? ` (${output})` : "";
  console.log(`${passed ? "ok    " : "FAILED"} ${name}${skipped}${passed ? "" : `\n${output}\n`}`);
}
console.log(failed === 0 ? "check: all well" : `check: ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
