import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeChainFile } from "../../../fixtures/chain/chain-file.ts";
import { startProgram } from "../../support/process/program.ts";
import { startTestDevnet, type TestDevnet } from "../../support/worlds/devnet.ts";
import { MUTANTS, type PoolMutant } from "./mutants.ts";

/** Secret part of a provider's URL. */
const SECRET = "api-key-of-the-operator";
const QUOTES_PER_SOURCE = 12;
/** Faults that are looked for in one run: each is told apart by its source. Long runs have one run each. */
const RUNS =
  process.env.TRIBUTARY_LONG === "1"
    ? MUTANTS.map((_, index) => [index])
    : [
        [0, 3, 4, 5, 6, 7, 8, 9],
        [1, 2],
      ];

let devnet: TestDevnet;
let folder: string;
beforeAll(async () => {
  devnet = await startTestDevnet();
  folder = mkdtempSync(join(tmpdir(), "mutants-"));
  writeChainFile(join(folder, "chain.json"), { ...devnet.chain, blockTimeMs: 0 });
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await devnet?.stop();
});

interface Report {
  readonly misses: readonly {
    readonly seed: number;
    readonly source?: string;
    readonly block: { readonly number: string; readonly hash: string };
    readonly verdict: { readonly kind: string };
    readonly transaction?: { readonly data: string };
    readonly fills?: readonly { readonly source: string }[];
  }[];
}

/** The exit code of an audit of the sources whose maths has these faults, what it printed, and its report. */
async function auditWith(mutants: readonly number[]) {
  const report = join(folder, `report-${mutants.join("-")}.json`);
  const sources = mutants.map((mutant) => (MUTANTS[mutant] as PoolMutant).source);
  const count = String(QUOTES_PER_SOURCE * sources.length);
  const words = ["audit", "--include", sources.join(), "--count", count, "--seed", "5", "--report", report];
  const program = startProgram(
    {
      RPC_URL: `${devnet.rpcUrl}/?key=${SECRET}`,
      CHAIN_FILE: join(folder, "chain.json"),
      MUTANTS: mutants.join(),
    },
    [process.execPath, "--import", "./test/cli/audit/mutate.ts", "src/cli/main.ts", ...words],
  );
  const code = await program.end();
  return { code, printed: `${program.stdout()}${program.stderr()}`, report };
}

it.concurrent.each(RUNS.map((run) => [run]))("finds the faults %j of the maths", { timeout: 240_000 }, async (run) => {
  const { code, printed, report } = await auditWith(run);
  expect(code, printed).toBe(5);
  const text = readFileSync(report, "utf8");
  const { misses } = JSON.parse(text) as Report;
  const faulty = new Set<string>();
  for (const { seed, block, transaction, fills = [], verdict, source } of misses) {
    expect(["differs", "reverts", "fails"]).toContain(verdict.kind);
    expect(seed).toBe(5);
    expect(printed).toContain(`block ${block.number} ${block.hash}`);
    if (transaction !== undefined) expect(printed).toContain(transaction.data);
    // Pools whose own quotes are not what the maths says are not served at all.
    const sources = new Set([...(source === undefined ? [] : [source]), ...fills.map((fill) => fill.source)]);
    sources.delete("Wrapped_Native");
    if (sources.size === 1) for (const alone of sources) faulty.add(alone);
  }
  expect([...faulty].sort()).toEqual(run.map((mutant) => (MUTANTS[mutant] as PoolMutant).source).sort());
  expect(text + printed).not.toContain(SECRET);
  expect(text).not.toContain(new URL(devnet.rpcUrl).host);
});
