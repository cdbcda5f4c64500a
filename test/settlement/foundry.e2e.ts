/**
 * The suites of contracts/foundry, each of their tests as one of ours. Fuzzed inputs are those of one seed, or of
 * TRIBUTARY_SEED; `npm run test:long` takes ten million others.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { forgeBinary, runLint, runSuites } from "../../tools/contracts/foundry/run-forge.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const MIN_RUNS = 256;
const GAS = new URL("../../contracts/foundry/snapshots/Gas.json", import.meta.url);

const tool = (name: string, ...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [`tools/contracts/${name}.ts`, ...args], { maxBuffer: 1 << 26 });

const binary = forgeBinary();
const seed = process.env.TRIBUTARY_SEED ?? (LONG ? String(Math.floor(Math.random() * 2 ** 32)) : "41");
// Tests are made of what forge answers: it has to run before they are known.
const tests =
  binary === undefined
    ? []
    : await runSuites(binary, { FOUNDRY_FUZZ_SEED: seed, FOUNDRY_PROFILE: LONG ? "long" : "default" });

describe.skipIf(binary === undefined)(`forge, seed ${seed}`, () => {
  if (binary === undefined) it("needs the npm package of forge, which is there for Linux with x64 only", () => {});

  it.runIf(LONG)("makes ten million runs in all", () => {
    expect(tests.reduce((sum, { runs }) => sum + runs, 0)).toBeGreaterThanOrEqual(10_000_000);
  });

  it("takes the gas that is committed", () => {
    const measured = Object.assign({}, ...tests.map(({ gas }) => gas));
    expect(measured, "run node tools/contracts/forge.ts test").toEqual(JSON.parse(readFileSync(GAS, "utf8")));
  });

  it.runIf(LONG)("runs 98 % of lines and branches, which the tool itself looks at", async () => {
    await tool("coverage");
  });

  it.runIf(LONG)("sees faults of every file of contracts/src, which the tool itself looks at", async () => {
    await tool("faults", "--sample=2");
  });

  it("has a linter that finds nothing", async () => {
    expect(await runLint(binary as string)).not.toContain("warning[");
  });

  for (const { name, passed, reason, runs } of tests) {
    it(name, () => {
      expect(passed, reason).toBe(true);
      if (/testFuzz|invariant/.test(name)) expect(runs).toBeGreaterThanOrEqual(MIN_RUNS);
    });
  }
});
