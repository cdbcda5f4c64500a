/**
 * Shows that the tests of makers' orders see faults in OrderSettlement: compiles the contract with one fault at a time
 * (tools/order-mutants.ts) in a copy of the project and runs its tests there, which must fail. First without any, where
 * they must pass. Ends with 1 where a fault was not seen.
 *
 *   node tools/mutants.ts            all of them: some fifteen minutes
 *   node tools/mutants.ts nonce gas  those with these words in their names
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Mutant, ORDER_MUTANTS } from "./order-mutants.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const CONTRACT = join("contracts", "src", "OrderSettlement.sol");
/** What it imports: the other contracts of the folder need no compiling, and stay as they are. */
const WITH_IT = ["OrderSettlement.sol", "MakerOrder.sol", "TokenTransfers.sol"];
const TESTS = ["order-attacks", "order-records", "maker-orders"].map((name) => `test/settlement/${name}.test.ts`);
/** Not needed, or too large: what was installed is linked. */
const LEFT_OUT = [".git", ".cache", "node_modules"];

const source = readFileSync(join(root, CONTRACT), "utf8");

function mutated({ name, changes }: Mutant): string {
  return changes.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`${name}: ${JSON.stringify(from)} is not there once`);
    return text.replace(from, () => to);
  }, source);
}

/** A copy of the project in which only this contract is compiled. */
function makeCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), "tributary-mutants-"));
  cpSync(root, copy, { recursive: true, filter: (path) => !LEFT_OUT.includes(relative(root, path)) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  rmSync(join(copy, "contracts", "src"), { recursive: true });
  for (const file of WITH_IT) cpSync(join(root, "contracts", "src", file), join(copy, "contracts", "src", file));
  return copy;
}

/** The contract's JSON as made of `text`. */
function compile(copy: string, text: string): void {
  writeFileSync(join(copy, CONTRACT), text);
  const { status, stderr } = spawnSync(process.execPath, ["tools/compile-contracts.ts", "src"], { cwd: copy });
  if (status !== 0) throw new Error(String(stderr));
  const made = `${basename(CONTRACT, ".sol")}.json`;
  cpSync(join(root, "contracts", "out"), join(copy, "contracts", "out"), {
    recursive: true,
    filter: (path) => basename(path) !== made,
  });
}

/** The first test that fails, or undefined where all pass. */
function firstFailure(copy: string): string | undefined {
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--bail=1", "--maxWorkers=1", "--no-color", ...TESTS];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8" });
  if (status === 0) return undefined;
  const failed = `${stdout}${stderr}`.match(/^ FAIL +(.*)$/m)?.[1];
  if (failed === undefined) throw new Error(`the tests did not run: ${stdout}${stderr}`);
  return failed;
}

const words = process.argv.slice(2);
const wanted = ORDER_MUTANTS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const texts = wanted.map(mutated);
const copy = makeCopy();
let survivors = 0;
try {
  compile(copy, source);
  const broken = firstFailure(copy);
  if (broken !== undefined) throw new Error(`the tests fail without any fault: ${broken}`);
  for (const [i, { name }] of wanted.entries()) {
    compile(copy, texts[i] as string);
    const seenBy = firstFailure(copy);
    if (seenBy === undefined) survivors++;
    console.log(`${seenBy === undefined ? "NOT SEEN" : "seen"}  ${name}${seenBy === undefined ? "" : `: ${seenBy}`}`);
  }
} finally {
  rmSync(copy, { recursive: true });
}
console.log(`${wanted.length - survivors} of ${wanted.length} faults seen`);
process.exitCode = survivors === 0 && wanted.length > 0 ? 0 : 1;
