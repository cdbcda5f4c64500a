/**
 * Shows that the suites of forge see every fault that can be made of contracts/src by plain rules (instrument/faults.ts):
 * wakes one at a time, and a test has to fail. Results are kept in .cache/faults, so that a run goes on where it was ended.
 * Ends with 1 where a fault is neither seen nor known to change nothing (mutants/equivalent-mutants.ts), or where that list
 * names a fault that is not there any more.
 *
 *   node tools/contracts/faults.ts                  all of them
 *   node tools/contracts/faults.ts Gateway venues/Pairs
 *   node tools/contracts/faults.ts --sample=2       two of each file, by TRIBUTARY_SEED
 *   node tools/contracts/faults.ts --again          those that were not seen, again
 *   node tools/contracts/faults.ts --list           what is known of them, and which are open; runs nothing
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { environment, forgeBinary } from "./foundry/run-forge.ts";
import { type Fault, makeFaults } from "./instrument/faults.ts";
import { compileContracts, FOR_FORGE, makeCopy, PARTS, put } from "./instrument/project-copy.ts";
import { putDriver, type Suite, sieve, suitesOf } from "./instrument/sieve.ts";
import { readSources } from "./instrument/syntax-tree.ts";
import { EQUIVALENT } from "./mutants/equivalent-mutants.ts";

const CACHE = fileURLToPath(new URL("../../.cache/faults", import.meta.url));
/** Faults that one run of forge sieves: what it has seen is kept then. */
const AT_ONCE = 100;
const NAMES = ["Gateway", "OrderSettlement", "Executor", ...PARTS];

/** Suites that look first at the faults of a file, by the names of their contracts: these see most of them. */
const FIRST: Readonly<Record<string, string>> = {
  Gateway: "GatewayTest|GatewayOrdersTest|GatewayEdgesTest|SurplusTest",
  SignedTransfers: "GatewayOrdersTest|SurplusTest",
  TokenTransfers: "TransfersTest",
  OrderSettlement: "OrdersTest",
};
const FIRST_OF_PARTS = "VenuesTest|PartsTest|FluidTest|NamesTest|AmountsTest";
const FIRST_OF_CORE = "ExecutorTest|CallbacksTest|LocksTest|NamesTest|AmountsTest|PairsTest|VenuesTest";

const firstOf = (file: string) =>
  FIRST[file] ?? (PARTS.includes(file.replace("venues/", "")) ? FIRST_OF_PARTS : FIRST_OF_CORE);

/** Whole runs for what the sieve leaves, each slower than the one before. */
const looksOf = (first: string): readonly (readonly string[])[] => {
  return [
    ["--match-contract", `^(${first})$`],
    ["--match-contract", "Test$", "--no-match-contract", `InvariantTest|GasTest|^(${first})$`],
    ["--match-contract", "InvariantTest$"],
  ];
};

const FEW_RUNS = {
  FOUNDRY_FUZZ_SEED: "41",
  FOUNDRY_FUZZ_RUNS: "50",
  FOUNDRY_INVARIANT_RUNS: "6",
  FOUNDRY_CODE_SIZE_LIMIT: "1000000",
  FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: "0",
};

const fileOf = ({ path }: Fault) => path.slice("contracts/src/".length, -".sol".length);
const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

interface Look {
  readonly name: string;
  /** Digest of the file that it is a fault of: a look at another text says nothing. */
  readonly of: string;
  /** The test that failed; undefined where none did. */
  readonly by?: string | undefined;
}

/** A copy of the project with the contracts in which all faults are asleep. */
function faultyCopy(texts: ReadonlyMap<string, string>): string {
  const kept = join(CACHE, digest([...texts.values()].join("\n")));
  if (!existsSync(kept)) {
    const files = compileContracts(NAMES, texts);
    mkdirSync(kept, { recursive: true });
    for (const [file, json] of files) writeFileSync(join(kept, file), json);
  }
  const copy = makeCopy(FOR_FORGE);
  putDriver(copy);
  put(copy, new Map(readdirSync(kept).map((file) => [file, readFileSync(join(kept, file), "utf8")])));
  return copy;
}

/** Compiles all suites: what is compiled for one look only would be asked for again in each other. */
function compileSuites(copy: string): void {
  const cwd = join(copy, "contracts");
  const { status, stdout, stderr } = spawnSync(forge, ["build"], { cwd, env: environment({}), encoding: "utf8" });
  if (status !== 0) throw new Error(`forge compiles no suite: ${stdout}${stderr}`);
}

/** The first test that fails with this fault awake; undefined where none does. */
function failureOf(copy: string, number: number, looks: readonly (readonly string[])[]): string | undefined {
  for (const look of looks) {
    rmSync(join(copy, ".cache", "foundry", "failures"), { recursive: true, force: true });
    const args = ["test", "--fail-fast", "--threads", "1", "--color", "never", ...look];
    const env = environment({ ...FEW_RUNS, FAULT: String(number) });
    const { status, stdout, stderr } = spawnSync(forge, args, { cwd: join(copy, "contracts"), env, encoding: "utf8" });
    if (status === 0) continue;
    const failed = stdout.match(/^\[FAIL[^\n]*\] (\w+)/m)?.[1];
    if (failed === undefined) throw new Error(`forge ran no suite: ${stdout}${stderr}`);
    return failed;
  }
  return undefined;
}

let isSound = false;

/** All suites pass where no fault is awake. */
function assertSound(copy: string): void {
  if (isSound) return;
  const broken = failureOf(copy, 0, looksOf(firstOf("Gateway")));
  if (broken !== undefined) throw new Error(`${broken} fails without any fault`);
  isSound = true;
}

/** `count` of each file, the same for the same seed. */
function sampleOf(faults: readonly Fault[], count: number): readonly Fault[] {
  const seed = process.env.TRIBUTARY_SEED ?? "41";
  return [...Map.groupBy(faults, fileOf).values()].flatMap((some) =>
    some.toSorted((a, b) => (digest(seed + a.name) < digest(seed + b.name) ? -1 : 1)).slice(0, count),
  );
}

const { values, positionals } = parseArgs({
  options: { sample: { type: "string" }, again: { type: "boolean" }, list: { type: "boolean" } },
  allowPositionals: true,
});
const forge = forgeBinary() ?? "";
if (forge === "") {
  console.error(`There is no forge for ${process.platform} ${process.arch}. Run this on Linux with an x64 processor.`);
  process.exit(2);
}
const sources = readSources();
const digests = new Map(sources.map(({ path, text }) => [path, digest(text)]));
const { faults, texts } = makeFaults(sources);
const stale = Object.keys(EQUIVALENT).filter((name) => !faults.some((fault) => fault.name === name));
for (const name of stale) console.error(`mutants/equivalent-mutants.ts names a fault that is not there: ${name}`);

const files = [...new Set(faults.map(fileOf))];
const unknown = positionals.filter((name) => !files.includes(name));
if (unknown.length > 0) throw new Error(`no such file: ${unknown.join(", ")}; there are ${files.join(", ")}`);
const named = faults.filter((fault) => positionals.length === 0 || positionals.includes(fileOf(fault)));
const asked = values.sample === undefined ? named : sampleOf(named, Number(values.sample));

const LOOKS = join(CACHE, "looks.jsonl");
mkdirSync(dirname(LOOKS), { recursive: true });
const before = existsSync(LOOKS) ? readFileSync(LOOKS, "utf8").split("\n").filter(Boolean) : [];
const looks = new Map(before.map((line) => [(JSON.parse(line) as Look).name, JSON.parse(line) as Look]));

const lookAt = ({ name, path }: Fault) => {
  const look = looks.get(name);
  return look?.of === digests.get(path) ? look : undefined;
};
const isDone = (fault: Fault) => {
  const { name } = fault;
  const look = lookAt(fault);
  return EQUIVALENT[name] !== undefined || (look !== undefined && (values.again !== true || look.by !== undefined));
};
/** Keeps what became of a fault. */
function note(fault: Fault, by: string | undefined): void {
  const look = { name: fault.name, of: digests.get(fault.path) ?? "", by };
  looks.set(fault.name, look);
  appendFileSync(LOOKS, `${JSON.stringify(look)}\n`);
  console.log(`${by === undefined ? "NOT SEEN" : "seen"}  ${fault.name}: ${by ?? `line ${fault.line}`}`);
}

/** The faults that a suite does not see, after noting those that it does. */
function sieved(copy: string, suite: Suite, faults: readonly Fault[]): readonly Fault[] {
  const open: Fault[] = [];
  for (let at = 0; at < faults.length; at += AT_ONCE) {
    const some = faults.slice(at, at + AT_ONCE);
    const seen = sieve(
      forge,
      copy,
      suite,
      some.map(({ number }) => number),
    );
    for (const fault of some) {
      const by = seen.get(fault.number);
      if (by === undefined) open.push(fault);
      else note(fault, by);
    }
  }
  return open;
}

const left = values.list === true ? [] : asked.filter((fault) => !isDone(fault));
if (left.length > 0) {
  const copy = faultyCopy(texts);
  try {
    compileSuites(copy);
    const { plain, fuzz } = suitesOf(copy);
    for (const [first, some] of Map.groupBy(left, (fault) => firstOf(fileOf(fault)))) {
      const isFirst = ({ name }: Suite) => first.split("|").includes(name);
      const ordered = [plain, fuzz].flatMap((suites) =>
        suites.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a))),
      );
      const open = ordered.reduce<readonly Fault[]>((rest, suite) => sieved(copy, suite, rest), some);
      if (open.length > 0) assertSound(copy);
      for (const fault of open) note(fault, failureOf(copy, fault.number, looksOf(first)));
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
}

if (values.list === true) {
  const open = asked.filter((fault) => EQUIVALENT[fault.name] === undefined && lookAt(fault)?.by === undefined);
  for (const fault of open) console.log(`open  ${fault.name}: line ${fault.line}`);
}
console.log("| file of contracts/src | faults | seen | equivalent | open |\n|---|---|---|---|---|");
const rowOf = (title: string, some: readonly Fault[]) => {
  const equivalent = some.filter(({ name }) => EQUIVALENT[name] !== undefined).length;
  const seen = some.filter((fault) => EQUIVALENT[fault.name] === undefined && lookAt(fault)?.by !== undefined).length;
  const open = some.length - seen - equivalent;
  console.log(`| ${title} | ${some.length} | ${seen} | ${equivalent} | ${open} |`);
  return open;
};
for (const [file, some] of Map.groupBy(asked, fileOf)) rowOf(`\`${file}.sol\``, some);
process.exitCode = rowOf("", asked) === 0 && stale.length === 0 ? 0 : 1;
