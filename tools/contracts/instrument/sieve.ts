/**
 * A first look at many faults in one run of forge: a suite is set up once, and its tests are called with one fault after
 * another awake (Sieve.t.sol). What no call fails by may still be seen by a whole run of the suites.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Abi,
  type AbiFunction,
  type AbiParameter,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hexToBytes,
} from "viem";
import { environment } from "../foundry/run-forge.ts";

/** Inputs of each fuzz test. */
const INPUTS = 5;
const DRIVER = fileURLToPath(new URL("Sieve.t.sol", import.meta.url));
/** Files that the driver reads. */
const SUITE = "sieve-suite.bin";
const CALLS = "sieve-calls.bin";

export interface Suite {
  /** The name of its contract. */
  readonly name: string;
  readonly code: Hex;
  readonly calls: readonly { readonly test: string; readonly data: Hex }[];
}

interface Compiled {
  readonly abi: Abi;
  readonly bytecode: { readonly object: Hex };
}

/** Puts the driver among the suites of a copy; to be done before these are compiled. */
export function putDriver(copy: string): void {
  copyFileSync(DRIVER, join(copy, "contracts", "foundry", "test", "Sieve.t.sol"));
}

/** Suites as they are compiled in a copy, their fuzz tests apart: these take most of the time, and see little more. */
export function suitesOf(copy: string): { readonly plain: readonly Suite[]; readonly fuzz: readonly Suite[] } {
  const out = join(copy, ".cache", "foundry", "out");
  const compiled = readdirSync(out)
    .filter((file) => file.endsWith(".t.sol"))
    .flatMap((file) => readdirSync(join(out, file)).map((json) => ({ file, name: json.slice(0, -".json".length) })))
    .filter(({ name }) => name.endsWith("Test") && !/^GasTest$|Invariant/.test(name))
    .map(({ file, name }) => ({
      name,
      ...(JSON.parse(readFileSync(join(out, file, `${name}.json`), "utf8")) as Compiled),
    }));
  const suitesWith = (isWanted: (test: AbiFunction) => boolean) =>
    compiled.map(({ name, abi, bytecode }) => {
      const tests = abi.filter((each): each is AbiFunction => each.type === "function" && each.name.startsWith("test"));
      return { name, code: bytecode.object, calls: tests.filter(isWanted).flatMap(callsOf) };
    });
  return {
    plain: suitesWith(({ inputs }) => inputs.length === 0),
    fuzz: suitesWith(({ inputs }) => inputs.length > 0).filter(({ calls }) => calls.length > 0),
  };
}

function callsOf(test: AbiFunction): Suite["calls"] {
  return Array.from({ length: test.inputs.length === 0 ? 1 : INPUTS }, (_, round) => {
    const args = test.inputs.map((input, at) => inputOf(input, `${test.name} ${round} ${at}`));
    return { test: test.name, data: encodeFunctionData({ abi: [test], functionName: test.name, args }) };
  });
}

/** A value of an input: small, of a usual size, anything, or at an end of its type. */
function inputOf(input: AbiParameter, seed: string): unknown {
  const random = BigInt(`0x${createHash("sha256").update(seed).digest("hex")}`);
  const list = input.type.match(/^(.*)\[(\d+)\]$/);
  if (list !== null) {
    return Array.from({ length: Number(list[2]) }, (_, at) =>
      inputOf({ ...input, type: list[1] as string }, `${seed} ${at}`),
    );
  }
  if (input.type === "bool") return random % 2n === 0n;
  if (input.type === "bytes") return `0x${"ab".repeat(Number(random % 2_000n))}`;
  const size = input.type.match(/^(u?)int(\d+)$/);
  if (size === null) throw new Error(`no value is known of ${input.type}`);
  const bits = BigInt(size[2] as string);
  const most = (1n << (size[1] === "u" ? bits : bits - 1n)) - 1n;
  const sized = [random >> 240n, (random >> 8n) % 10n ** 24n, random >> 8n, most, (random >> 8n) % 10n ** 9n];
  const value = (sized[Number(random % 5n)] as bigint) & most;
  return size[1] === "" && random % 7n < 3n ? -value : value;
}

/** By which test each of these faults is seen; those that no call of the suite fails by are left out. */
export function sieve(
  forge: string,
  copy: string,
  suite: Suite,
  faults: readonly number[],
): ReadonlyMap<number, string> {
  const cwd = join(copy, "contracts");
  const data = [suite.calls.map((call) => call.data), faults.map(BigInt)] as const;
  writeFileSync(join(cwd, SUITE), hexToBytes(suite.code));
  writeFileSync(join(cwd, CALLS), hexToBytes(encodeAbiParameters([{ type: "bytes[]" }, { type: "uint256[]" }], data)));
  const env = environment({
    SIEVE_SUITE: SUITE,
    SIEVE_CALLS: CALLS,
    FOUNDRY_CODE_SIZE_LIMIT: "1000000",
    FOUNDRY_GAS_LIMIT: "9223372036854775807",
    FOUNDRY_MEMORY_LIMIT: "4294967296",
  });
  const args = ["test", "--match-contract", "^FaultSieve$", "--color", "never", "-vv"];
  const { stdout, stderr } = spawnSync(forge, args, { cwd, env, encoding: "utf8", maxBuffer: 1 << 28 });
  if (!/^ +done /m.test(stdout)) throw new Error(`forge sieved nothing: ${stdout}${stderr}`);
  const seen = [...stdout.matchAll(/^ +seen (\d+) (\d+)$/gm)];
  return new Map(seen.map(([, fault, call]) => [Number(fault), suite.calls[Number(call)]?.test ?? ""]));
}
