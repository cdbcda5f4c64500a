/**
 * Shows that the tests of the settlement see faults in its contracts: compiles the contracts that have one fault at a time
 * (mutants/) and runs the tests that can see it in a copy of the project, where one must fail. First without any, where
 * all must pass. Ends with 1 where a fault was not seen. A fault that the compiler refuses shows nothing, and is counted by
 * itself. contracts/out has to be up to date: only what has the fault in its code is compiled.
 *
 *   node tools/contracts/mutants.ts                        all of them, one at a time on each core
 *   node tools/contracts/mutants.ts OrderSettlement        those of one file of contracts/src
 *   node tools/contracts/mutants.ts venues/CurvePools      those of one of its venues
 *   node tools/contracts/mutants.ts Gateway "the fee" lock those of a contract with these words in their names
 *
 * Forge's suites run first if forge is installed, with few runs: they see most faults in seconds. Vitest's tests run on
 * the rest. Faults that follow from plain rules are those of tools/contracts/faults.ts.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { forgeBinary, runSuites } from "./foundry/run-forge.ts";
import { atNewPlaces, makeCopy, pathOfContract, put, shipped } from "./instrument/project-copy.ts";
import { CORE_MUTANTS } from "./mutants/executor-mutants.ts";
import { GATEWAY_ORDER_MUTANTS, TERMS_MUTANTS } from "./mutants/gateway-mutants.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { ORDER_MUTANTS } from "./mutants/order-mutants.ts";
import { SURPLUS_MUTANTS } from "./mutants/surplus-mutants.ts";
import { SIGNED_MUTANTS, TRANSFER_MUTANTS } from "./mutants/transfer-mutants.ts";
import { COMPILED_IN_MUTANTS, PART_MUTANTS } from "./mutants/venue-mutants.ts";
import { compileOf } from "./solidity/contract-compiler.ts";

interface Target {
  /** The file of contracts/src that the faults are put into. */
  readonly name: string;
  /** Contracts that have it in their code. */
  readonly made: readonly string[];
  readonly mutants: readonly Mutant[];
  /** Tests of test/settlement, wherever in it, that can see its faults. */
  readonly tests: readonly string[];
}

const ORDER_TESTS = ["order-attacks", "order-records", "maker-orders"];
const GATEWAY_TESTS = ["protections", "attacks", "payout-attacks", "swaps"];
const GATEWAY_ORDER_TESTS = ["gateway-orders", "gateway-permits"];
const PARTS = Object.keys(PART_MUTANTS).flatMap((name) => (name.startsWith("venues/") ? basename(name) : []));

/** Tests of the executor and its parts, by the file that has the fault. */
const EXECUTOR_TESTS: Readonly<Record<string, readonly string[]>> = {
  Executor: [
    ...["attacks", "protections", "swaps", "v4", "drawn", "curve-and-vault", "maker-orders", "merged"],
    ...["balancer-v3", "balancer-v3-buffer"],
  ],
  ExecutorState: ["attacks", "protections", "v4"],
  PartAddresses: ["missing-parts", "drawn", "balancer-v3-buffer", "protections"],
  Payload: ["protections", "attacks", "swaps", "merged"],
  VenuePart: ["missing-parts", "venue-attacks", "attacks", "drawn", "curve-and-vault"],
  "venues/AquaOrders": ["aqua", "venue-attacks"],
  "venues/BalancerV2": ["drawn", "venue-attacks"],
  "venues/BalancerV3": ["balancer-v3", "balancer-v3-buffer"],
  "venues/CallbackPools": ["attacks", "swaps", "merged", "protections"],
  "venues/CurvePools": ["curve-and-vault", "drawn", "venue-attacks"],
  "venues/Ekubo": ["ekubo"],
  "venues/Erc4626Vaults": ["curve-and-vault", "venue-attacks"],
  "venues/LiquidityBook": ["lb-pairs", "venue-attacks"],
  "venues/KuruMarkets": ["kuru-markets", "venue-attacks"],
  "venues/MaverickPools": ["maverick-pools", "venue-attacks"],
  "venues/Infinity": ["infinity-cl", "infinity-bin"],
  "venues/Locks": ["v4", "infinity-cl", "infinity-bin", "ekubo", "balancer-v3", "balancer-v3-buffer"],
  "venues/MakerOrders": ["maker-orders"],
  "venues/Pairs": ["protections", "swaps", "solidly"],
  "venues/PaidPools": ["woofi-and-dodo", "euler-swap", "venue-attacks"],
  "venues/PropAmms": ["prop-amm", "venue-attacks"],
  "venues/RateTokens": ["drawn", "venue-attacks"],
  "venues/StabilityModules": ["drawn", "venue-attacks"],
  "venues/UniswapV4": ["v4"],
  "venues/Wrapping": ["swaps", "protections"],
};

function testsOf(name: string): readonly string[] {
  const tests = EXECUTOR_TESTS[name];
  if (tests === undefined) throw new Error(`no tests are named for the faults of ${name}`);
  return tests;
}

const TARGETS: readonly Target[] = [
  { name: "OrderSettlement", made: ["OrderSettlement"], mutants: ORDER_MUTANTS, tests: ORDER_TESTS },
  { name: "Gateway", made: ["Gateway"], mutants: TERMS_MUTANTS, tests: GATEWAY_TESTS },
  { name: "Gateway", made: ["Gateway"], mutants: GATEWAY_ORDER_MUTANTS, tests: GATEWAY_ORDER_TESTS },
  { name: "Gateway", made: ["Gateway"], mutants: SURPLUS_MUTANTS, tests: ["gateway-surplus"] },
  { name: "SignedTransfers", made: ["Gateway"], mutants: SIGNED_MUTANTS, tests: ["gateway-permits"] },
  {
    // The executor has it too, and is left out since it takes longest to compile.
    ...{ name: "TokenTransfers", made: ["Gateway", "OrderSettlement"] },
    ...{ mutants: TRANSFER_MUTANTS, tests: [...GATEWAY_TESTS, ...ORDER_TESTS] },
  },
  ...Object.entries({ ...CORE_MUTANTS, ...COMPILED_IN_MUTANTS }).map(([name, mutants]) => ({
    ...{ name, made: ["Executor", ...(name === "Payload" ? PARTS : [])] },
    ...{ mutants, tests: testsOf(name) },
  })),
  ...Object.entries(PART_MUTANTS).map(([name, mutants]) => ({
    ...{ name, made: name === "VenuePart" ? ["Executor", ...PARTS] : [basename(name)] },
    ...{ mutants, tests: testsOf(name) },
  })),
];

const root = fileURLToPath(new URL("../..", import.meta.url));
const TESTS = join("test", "settlement");
/** On a busy machine a test that ran out of time would pass for one that sees the fault. */
const PATIENCE = ["--testTimeout=900000", "--hookTimeout=900000"];

const pathOf = (name: string) => `contracts/src/${name}.sol`;

function mutated(name: string, { name: fault, changes }: Mutant): string {
  return changes.reduce(
    (source, [from, to]) => {
      if (source.split(from).length !== 2) throw new Error(`${fault}: ${JSON.stringify(from)} is not there once`);
      return source.replace(from, () => to);
    },
    readFileSync(join(root, pathOf(name)), "utf8"),
  );
}

/** The JSON of what has a target in its code, the target as in `source`; undefined where it does not compile. */
function compile({ name, made }: Target, source: string): ReadonlyMap<string, string> | undefined {
  const sources = new Map([[pathOf(name), source]]);
  try {
    return atNewPlaces(new Map(made.flatMap((each) => [...compileOf("src", [pathOfContract(each)], sources)])));
  } catch {
    return undefined;
  }
}

const forge = forgeBinary();
const FEW_RUNS = { FOUNDRY_FUZZ_SEED: "41", FOUNDRY_FUZZ_RUNS: "100", FOUNDRY_INVARIANT_RUNS: "5" };

/** The first test of forge that fails, or undefined where all pass or there is no forge. */
async function forgeFailure(copy: string): Promise<string | undefined> {
  if (forge === undefined) return undefined;
  // Forge would begin with what has failed by another fault.
  rmSync(join(copy, ".cache", "foundry", "failures"), { recursive: true, force: true });
  const tests = await runSuites(forge, FEW_RUNS, join(copy, "contracts"));
  return tests.find(({ passed }) => !passed)?.name;
}

/**
 * The first test that fails, or undefined where all pass. A file that fails as a whole is run again: on a busy machine its
 * node may not have started in time.
 */
async function firstFailure(copy: string, tests: readonly string[]): Promise<string | undefined> {
  const failed = await runTests(copy, tests);
  return failed?.endsWith("]") ? runTests(copy, tests) : failed;
}

const testFiles = readdirSync(join(root, TESTS), { recursive: true, encoding: "utf8" });

function pathOfTest(name: string): string {
  const file = testFiles.find((each) => basename(each) === `${name}.test.ts`);
  if (file === undefined) throw new Error(`no test is named ${name}`);
  return join(TESTS, file);
}

async function runTests(copy: string, tests: readonly string[]): Promise<string | undefined> {
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--bail=1", "--maxWorkers=1", "--no-color", ...PATIENCE, ...tests.map(pathOfTest)];
  const child = spawn(process.execPath, args, { cwd: copy, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [status, ...said] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (status === 0) return undefined;
  const failed = said.join("").match(/^ FAIL +(.*)$/m)?.[1];
  if (failed === undefined) throw new Error(`the tests did not run: ${said.join("")}`);
  return failed;
}

type Fate = "seen" | "NOT SEEN" | "does not compile";

/** Outcome of a fault in a copy of the project, which is restored afterwards. */
async function fateOf(copy: string, target: Target, mutant: Mutant): Promise<Fate> {
  const files = compile(target, mutated(target.name, mutant));
  put(copy, files ?? new Map());
  const seenBy =
    files === undefined ? undefined : ((await forgeFailure(copy)) ?? (await firstFailure(copy, target.tests)));
  put(copy, new Map([...(files?.keys() ?? [])].map((file) => [file, shipped(file)])));
  const fate = files === undefined ? "does not compile" : seenBy === undefined ? "NOT SEEN" : "seen";
  console.log(`${fate}  ${target.name}: ${mutant.name}${seenBy === undefined ? "" : `: ${seenBy}`}`);
  return fate;
}

/** Outcomes of all faults; each copy of the project takes the next one. */
async function fatesOf(faults: readonly { readonly target: Target; readonly mutant: Mutant }[]) {
  for (const { target, mutant } of faults) mutated(target.name, mutant);
  const copies = Array.from({ length: Math.min(availableParallelism(), faults.length) }, () => makeCopy());
  try {
    const tests = [...new Set(faults.flatMap(({ target }) => target.tests))];
    const broken = (await forgeFailure(copies[0] as string)) ?? (await firstFailure(copies[0] as string, tests));
    if (broken !== undefined) throw new Error(`the tests fail without any fault: ${broken}`);
    const left = faults.values();
    const fates = copies.map(async (copy) => {
      const some: Fate[] = [];
      for (const { target, mutant } of left) some.push(await fateOf(copy, target, mutant));
      return some;
    });
    return (await Promise.all(fates)).flat();
  } finally {
    for (const copy of copies) rmSync(copy, { recursive: true });
  }
}

const args = process.argv.slice(2);
const names = TARGETS.map(({ name }) => name);
const words = args.filter((arg) => !names.includes(arg));
const targets = args.length > words.length ? TARGETS.filter(({ name }) => args.includes(name)) : TARGETS;
const faults = targets.flatMap((target) =>
  target.mutants
    .filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
    .map((mutant) => ({ target, mutant })),
);
if (faults.length === 0) throw new Error("there is no such fault");
const fates = await fatesOf(faults);
const countOf = (fate: Fate) => fates.filter((each) => each === fate).length;
const refused = countOf("does not compile");
const aside = refused === 0 ? "" : `; ${refused} more do not compile`;
console.log(`${countOf("seen")} of ${fates.length - refused} faults seen${aside}`);
process.exitCode = countOf("NOT SEEN") === 0 && fates.length > refused ? 0 : 1;
