/**
 * Measures which statements and which ways of conditions of contracts/src the suites of forge run, prints a table, and
 * ends with 1 where a group of files is below the goal. The sources get probes (instrument/probes.ts) and are compiled as
 * the shipped ones are: forge's own coverage cannot count what the compiler's IR makes of them.
 *
 *   node tools/contracts/coverage.ts             the table
 *   node tools/contracts/coverage.ts --missing   and every statement and way that no test takes
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { forgeBinary, runSuites } from "./foundry/run-forge.ts";
import { HITS, type Point, probe } from "./instrument/probes.ts";
import { compileContracts, FOR_FORGE, makeCopy, PARTS, put } from "./instrument/project-copy.ts";
import { readSources } from "./instrument/syntax-tree.ts";

const GOAL_PERCENT = 98;
const FEW_RUNS = { FOUNDRY_FUZZ_SEED: "41", FOUNDRY_FUZZ_RUNS: "40", FOUNDRY_INVARIANT_RUNS: "2" };

/** The groups that the goal holds for each. */
const GROUPS: readonly (readonly [name: string, path: RegExp])[] = [
  ["gateway", /\/(Gateway|SignedTransfers|Terms|TokenTransfers)\.sol$/],
  [
    "core",
    /\/(Executor|ExecutorState|Payload|PartAddresses|VenueCodes|VenuePart)\.sol$|\/(CallbackPools|Ekubo|Infinity|Locks|Pairs|UniswapV4|Wrapping)\.sol$/,
  ],
  ["parts", new RegExp(`/(${PARTS.join("|")})\\.sol$`)],
  ["orders", /\/(OrderSettlement|MakerOrder)\.sol$/],
];

/** Points that the suites reach. @throws Error that names a test that fails */
async function hitsOf(binary: string, texts: ReadonlyMap<string, string>): Promise<ReadonlySet<string>> {
  const copy = makeCopy(FOR_FORGE);
  try {
    put(copy, compileContracts([...PARTS, "Gateway", "OrderSettlement", "Executor"], texts));
    const config = join(copy, "contracts", "foundry.toml");
    writeFileSync(config, readFileSync(config, "utf8").replace('access = "read"', 'access = "read-write"'));
    mkdirSync(join(copy, "contracts", HITS));
    const tests = await runSuites(binary, { ...FEW_RUNS, FOUNDRY_CODE_SIZE_LIMIT: "1000000" }, join(copy, "contracts"));
    const failed = tests.find(({ passed }) => !passed);
    if (failed !== undefined) throw new Error(`${failed.name}: ${failed.reason}`);
    return new Set(readdirSync(join(copy, "contracts", HITS)).map((name) => `${HITS}/${name}`));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

interface Count {
  readonly of: number;
  readonly seen: number;
}

function countOf(keys: readonly (readonly [key: string, seen: boolean])[]): Count {
  // A line is seen where all that begins on it is.
  const all = Map.groupBy(keys, ([key]) => key);
  return { of: all.size, seen: [...all.values()].filter((some) => some.every(([, seen]) => seen)).length };
}

const percentOf = ({ of, seen }: Count) => (of === 0 ? 100 : (100 * seen) / of);
const cell = (count: Count) => (count.of === 0 ? "" : `${count.seen} of ${count.of}, ${percentOf(count).toFixed(1)} %`);

const binary = forgeBinary();
if (binary === undefined) {
  console.error(`There is no forge for ${process.platform} ${process.arch}. Run this on Linux with an x64 processor.`);
  process.exit(2);
}
const { points, texts } = probe(readSources());
const hits = await hitsOf(binary, texts);
const isSeen = ({ file }: Point) => hits.has(file);

console.log("| file of contracts/src | lines | branches |\n|---|---|---|");
for (const [group, path] of GROUPS) {
  const rows = Map.groupBy(
    points.filter((point) => path.test(point.path)),
    (point) => point.path,
  );
  const linesOf = (some: readonly Point[]) => {
    return countOf(
      some.filter(({ kind }) => kind === "statement").map((point) => [`${point.path} ${point.line}`, isSeen(point)]),
    );
  };
  const branchesOf = (some: readonly Point[]) => {
    return countOf(some.filter(({ kind }) => kind === "branch").map((point) => [point.file, isSeen(point)]));
  };
  for (const [file, some] of rows) {
    console.log(`| \`${file.slice("contracts/src/".length)}\` | ${cell(linesOf(some))} | ${cell(branchesOf(some))} |`);
  }
  const all = [...rows.values()].flat();
  const [lines, branches] = [linesOf(all), branchesOf(all)];
  console.log(`| **${group}** | **${cell(lines)}** | **${cell(branches)}** |`);
  if (Math.min(percentOf(lines), percentOf(branches)) < GOAL_PERCENT) {
    console.error(`${group} is below ${GOAL_PERCENT} %: node tools/contracts/coverage.ts --missing says where.`);
    process.exitCode = 1;
  }
}
if (process.argv.includes("--missing")) {
  for (const point of points) {
    if (!isSeen(point)) console.log(`${point.path}:${point.line} ${point.kind} ${point.what}`);
  }
}
