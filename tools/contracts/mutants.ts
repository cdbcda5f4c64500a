/**
 * Shows that the tests of the settlement see faults in its contracts: compiles a contract with one fault at a time
 * (mutants/) in a copy of the project and runs its tests there, which must fail. First without any, where
 * they must pass. Ends with 1 where a fault was not seen. A fault that the compiler refuses shows nothing, and is counted
 * by itself.
 *
 *   node tools/contracts/mutants.ts                        all of them: some hours
 *   node tools/contracts/mutants.ts OrderSettlement        those of one file of contracts/src
 *   node tools/contracts/mutants.ts venues/CurvePools      those of one of its venues
 *   node tools/contracts/mutants.ts Gateway "the fee" lock those of a contract with these words in their names
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { CORE_MUTANTS } from "./mutants/executor-mutants.ts";
import { GATEWAY_MUTANTS, TRANSFER_MUTANTS } from "./mutants/gateway-mutants.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { ORDER_MUTANTS } from "./mutants/order-mutants.ts";
import { COMPILED_IN_MUTANTS, PART_MUTANTS } from "./mutants/venue-mutants.ts";

interface Target {
  /** The file of contracts/src that the faults are put into. */
  readonly name: string;
  /** Contracts that have it in their code. */
  readonly made: readonly string[];
  /** Files of contracts/src that these need besides itself; all of them where it does not say. */
  readonly needs?: readonly string[];
  readonly mutants: readonly Mutant[];
  /** Tests of test/settlement, wherever in it. Those that fail soonest stand first. */
  readonly tests: readonly string[];
}

const ORDER_TESTS = ["order-attacks", "order-records", "maker-orders"];
const GATEWAY_TESTS = ["protections", "attacks", "payout-attacks", "swaps"];
const PARTS = Object.keys(PART_MUTANTS).flatMap((name) => (name.startsWith("venues/") ? basename(name) : []));
const EXECUTOR_TESTS = [
  ...["attacks", "swaps", "v4", "drawn", "curve-and-vault", "protections", "maker-orders", "venue-attacks"],
  ...["balancer-v3", "balancer-v3-buffer", "solidly", "merged"],
];

const TARGETS: readonly Target[] = [
  {
    ...{ name: "OrderSettlement", made: ["OrderSettlement"], needs: ["MakerOrder", "TokenTransfers"] },
    ...{ mutants: ORDER_MUTANTS, tests: ORDER_TESTS },
  },
  {
    ...{ name: "Gateway", made: ["Gateway"], needs: ["TokenTransfers"] },
    ...{ mutants: GATEWAY_MUTANTS, tests: GATEWAY_TESTS },
  },
  {
    // The executor has it too, and is left out since it takes longest to compile.
    ...{
      name: "TokenTransfers",
      made: ["Gateway", "OrderSettlement"],
      needs: ["Gateway", "OrderSettlement", "MakerOrder"],
    },
    ...{ mutants: TRANSFER_MUTANTS, tests: [...GATEWAY_TESTS, ...ORDER_TESTS] },
  },
  ...Object.entries({ ...CORE_MUTANTS, ...COMPILED_IN_MUTANTS }).map(([name, mutants]) => ({
    ...{ name, made: ["Executor", ...(name === "Payload" ? PARTS : [])] },
    ...{ mutants, tests: EXECUTOR_TESTS },
  })),
  // A part with other code stands at another address, which the executor knows.
  ...Object.entries(PART_MUTANTS).map(([name, mutants]) => ({
    ...{ name, made: ["Executor", ...(name === "VenuePart" ? PARTS : [basename(name)])] },
    ...{ mutants, tests: EXECUTOR_TESTS },
  })),
];

const root = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = join("contracts", "src");
const OUT = join("contracts", "out");
const TESTS = join("test", "settlement");
/** Not needed, or too large: what was installed is linked. */
const LEFT_OUT = [".git", ".cache", "node_modules"];

const fileOf = (name: string) => join(SOURCES, `${name}.sol`);
const sourceOf = ({ name }: Target) => readFileSync(join(root, fileOf(name)), "utf8");

function mutated(source: string, { name, changes }: Mutant): string {
  return changes.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`${name}: ${JSON.stringify(from)} is not there once`);
    return text.replace(from, () => to);
  }, source);
}

/** A copy of the project in which only what a target needs is compiled. */
function makeCopy({ name, needs }: Target): string {
  const copy = mkdtempSync(join(tmpdir(), "tributary-mutants-"));
  cpSync(root, copy, { recursive: true, filter: (path) => !LEFT_OUT.includes(relative(root, path)) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  if (needs === undefined) return copy;
  rmSync(join(copy, SOURCES), { recursive: true });
  // None of these has to do with venues.
  rmSync(join(copy, "contracts", "venue-codes.json"));
  for (const file of [name, ...needs]) cpSync(join(root, fileOf(file)), join(copy, fileOf(file)));
  return copy;
}

/**
 * The JSON of what has the target in its code, the target as in `text`. All others stay as they are.
 * @returns what the compiler says against it, or undefined where it says nothing
 */
function compile(copy: string, { name, made }: Target, text: string): string | undefined {
  writeFileSync(join(copy, fileOf(name)), text);
  const { status, stderr } = spawnSync(process.execPath, ["tools/contracts/compile-contracts.ts", "src"], {
    cwd: copy,
  });
  if (status === null) throw new Error("the compiler was ended");
  if (status !== 0) return String(stderr);
  const files = made.map((each) => `${each}.json`);
  cpSync(join(root, OUT), join(copy, OUT), { recursive: true, filter: (path) => !files.includes(basename(path)) });
  return undefined;
}

/**
 * The first test that fails, or undefined where all pass. A file that fails as a whole is run again: on a busy machine its
 * node may not have started in time.
 */
function firstFailure(copy: string, target: Target): string | undefined {
  const failed = runTests(copy, target);
  return failed?.endsWith("]") ? runTests(copy, target) : failed;
}

function pathOfTest(name: string): string {
  const files = readdirSync(join(root, TESTS), { recursive: true, encoding: "utf8" });
  const file = files.find((each) => basename(each) === `${name}.test.ts`);
  if (file === undefined) throw new Error(`no test is named ${name}`);
  return join(TESTS, file);
}

function runTests(copy: string, { tests }: Target): string | undefined {
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const files = tests.map(pathOfTest);
  const args = [vitest, "run", "--bail=1", "--maxWorkers=1", "--no-color", ...files];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8" });
  if (status === 0) return undefined;
  const failed = `${stdout}${stderr}`.match(/^ FAIL +(.*)$/m)?.[1];
  if (failed === undefined) throw new Error(`the tests did not run: ${stdout}${stderr}`);
  return failed;
}

type Fate = "seen" | "NOT SEEN" | "does not compile";

/** What became of each of the faults. */
function fatesOf(target: Target, mutants: readonly Mutant[]): readonly Fate[] {
  const source = sourceOf(target);
  const texts = mutants.map((mutant) => mutated(source, mutant));
  const copy = makeCopy(target);
  try {
    const refused = compile(copy, target, source);
    if (refused !== undefined) throw new Error(refused);
    const broken = firstFailure(copy, target);
    if (broken !== undefined) throw new Error(`the tests fail without any fault: ${broken}`);
    return mutants.map(({ name }, i) => {
      const compiles = compile(copy, target, texts[i] as string) === undefined;
      const seenBy = compiles ? firstFailure(copy, target) : undefined;
      const fate = !compiles ? "does not compile" : seenBy === undefined ? "NOT SEEN" : "seen";
      console.log(`${fate}  ${target.name}: ${name}${seenBy === undefined ? "" : `: ${seenBy}`}`);
      return fate;
    });
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const args = process.argv.slice(2);
const names = TARGETS.map(({ name }) => name);
const words = args.filter((arg) => !names.includes(arg));
const fates = TARGETS.flatMap((target) => {
  if (args.some((arg) => names.includes(arg)) && !args.includes(target.name)) return [];
  const mutants = target.mutants.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  return mutants.length === 0 ? [] : fatesOf(target, mutants);
});
const countOf = (fate: Fate) => fates.filter((each) => each === fate).length;
const refused = countOf("does not compile");
const aside = refused === 0 ? "" : `; ${refused} more do not compile`;
console.log(`${countOf("seen")} of ${fates.length - refused} faults seen${aside}`);
process.exitCode = countOf("NOT SEEN") === 0 && fates.length > refused ? 0 : 1;
