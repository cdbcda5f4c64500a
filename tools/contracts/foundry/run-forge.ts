/** forge as npm installed it, run over contracts/foundry with npm's solc as its compiler. */
import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname } from "node:path";
import { fileURLToPath } from "node:url";

const contracts = fileURLToPath(new URL("../../../contracts", import.meta.url));

/** Result of one test. */
export interface ForgeTest {
  /** The file without its folder, and the test: `Venues.t.sol testFuzz_sellsExactly`. */
  readonly name: string;
  readonly passed: boolean;
  /** Fuzzed inputs, or calls of an invariant's handler; 1 of a plain test. */
  readonly runs: number;
  /** Failure with the inputs that caused it; empty if the test passed. */
  readonly reason: string;
  /** Gas of calls that the test gave a name. */
  readonly gas: Readonly<Record<string, string>>;
}

interface Result {
  readonly status: "Success" | "Failure" | "Skipped";
  readonly reason: string | null;
  readonly counterexample: unknown;
  readonly gas_snapshots: { readonly Gas?: Readonly<Record<string, string>> };
  readonly kind: {
    readonly Fuzz?: { readonly runs: number };
    readonly Invariant?: { readonly calls: number };
  };
}

type Report = Readonly<Record<string, { readonly test_results: Readonly<Record<string, Result>> }>>;

/** The forge that npm installed for this platform; undefined where there is none. */
export function forgeBinary(): string | undefined {
  const name = `@foundry-rs/forge-${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  try {
    const path = createRequire(import.meta.url).resolve(`${name}/bin/forge`);
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** The environment that forge needs: its compiler starts by the Node that runs this. */
export function environment(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), process.env.PATH ?? ""].join(delimiter);
  return { ...process.env, ...more, PATH: path, FOUNDRY_DISABLE_NIGHTLY_WARNING: "1" };
}

/** Runs forge in the terminal. Answers its exit code. */
export function runForge(binary: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): number {
  const { status } = spawnSync(binary, args, { cwd: contracts, env: environment(env), stdio: "inherit" });
  return status ?? 1;
}

/**
 * Runs all suites, and answers what became of each test. `folder`: the contracts of another copy of the project.
 * @throws Error with forge's own words where nothing could be run, as where a suite does not compile
 */
export async function runSuites(
  binary: string,
  env: NodeJS.ProcessEnv = {},
  folder = contracts,
): Promise<readonly ForgeTest[]> {
  const { stdout, stderr } = await output(binary, ["test", "--json"], env, folder);
  const line = stdout.split("\n").find((each) => each.startsWith('{"foundry/test/'));
  if (line === undefined) throw new Error(`forge ran no suite: ${stdout}${stderr}`);
  return testsOf(JSON.parse(line) as Report);
}

/** Output of the linter on contracts/src. */
export async function runLint(binary: string): Promise<string> {
  const { stdout, stderr } = await output(binary, ["lint", "src"], {}, contracts);
  return stdout + stderr;
}

function output(binary: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd: string) {
  return new Promise<{ readonly stdout: string; readonly stderr: string }>((resolve) => {
    const options = { cwd, env: environment(env), maxBuffer: 1 << 28 };
    execFile(binary, args, options, (_, stdout, stderr) => resolve({ stdout, stderr }));
  });
}

function testsOf(report: Report): readonly ForgeTest[] {
  return Object.entries(report).flatMap(([suite, { test_results }]) => {
    const file = (suite.split(":")[0] as string).split("/").at(-1) as string;
    return Object.entries(test_results).map(([test, { status, reason, counterexample, kind, gas_snapshots }]) => ({
      name: `${file} ${test.split("(")[0] as string}`,
      passed: status === "Success",
      runs: kind.Fuzz?.runs ?? kind.Invariant?.calls ?? 1,
      reason: status === "Success" ? "" : `${reason ?? status} ${JSON.stringify(counterexample)}`,
      gas: gas_snapshots.Gas ?? {},
    }));
  });
}
