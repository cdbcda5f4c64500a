/**
 * Compiles our Solidity with solc from npm and writes one JSON per contract into contracts/out.
 *
 *   node tools/contracts/compile-contracts.ts                  every folder
 *   node tools/contracts/compile-contracts.ts src devnet       only contracts/src and contracts/devnet
 *   node tools/contracts/compile-contracts.ts --check          compiles and compares; exit code 1 and a list on any difference
 *
 * The executor knows the addresses of its parts (contracts/venue-codes.json names them) as constants: parts are compiled
 * first, and what their code makes of the CREATE2 deployer is written into contracts/src/PartAddresses.sol.
 *
 * A folder is compiled on its own, so that a broken file in one does not stop the others. Contract names are unique
 * over all folders, since a contract's JSON carries its name. Imports that are not relative come from node_modules.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { getContractAddress, type Hex, zeroHash } from "viem";
import type { Compiler } from "./solidity.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const outFolder = join(root, "contracts", "out");

/** Folders of contracts/ that hold sources; those without any are passed over. */
const FOLDERS = ["src", "test", "devnet", "lens"];

/** No metadata hash: the code then depends on what it does only, not on comments or paths, and so do CREATE2 addresses. */
const SETTINGS = {
  evmVersion: "cancun",
  viaIR: true,
  optimizer: { enabled: true, runs: 1_000_000 },
  metadata: { bytecodeHash: "none", appendCBOR: false },
} as const;

const CODE = [
  ...["abi", "evm.bytecode.object", "evm.deployedBytecode.object"],
  "evm.deployedBytecode.immutableReferences",
];

/** Where a contract comes to stand: as src/settlement/contracts.ts has it. */
const CREATE2_DEPLOYER = "0x4e59b44847b379578588920ca78fbf26c0b4956c";
const SALT = zeroHash;

const VENUE_CODES = join(root, "contracts", "venue-codes.json");
const PART_ADDRESSES = "contracts/src/PartAddresses.sol";

/** The compiler's reminder that transient storage is to be cleared: the executor does (test/settlement/random/merged.test.ts). */
const USES_TRANSIENT_STORAGE = "2394";

interface Range {
  readonly start: number;
  readonly length: number;
}

interface Compiled {
  readonly abi: readonly { readonly type: string }[];
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: {
      readonly object: string;
      readonly immutableReferences?: Readonly<Record<string, readonly Range[]>>;
    };
  };
}

interface CompilerOutput {
  readonly errors?: readonly {
    readonly severity: string;
    readonly errorCode?: string;
    readonly formattedMessage: string;
    readonly sourceLocation?: { readonly file: string };
  }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, Compiled>>>>;
  readonly sources?: Readonly<Record<string, { readonly ast: unknown }>>;
}

const solc = createRequire(import.meta.url)("solc") as Compiler & { version(): string };

function filesOf(folder: string): readonly string[] {
  const path = join(root, "contracts", folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".sol"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

/** The AST names what immutableReferences give by node id only, and ids change with the set of files. */
function immutableNames(output: CompilerOutput): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const walk = (node: unknown): void => {
    if (node === null || typeof node !== "object") return;
    if ("mutability" in node && node.mutability === "immutable" && "id" in node && "name" in node) {
      names.set(String(node.id), String(node.name));
    }
    for (const child of Object.values(node)) walk(child);
  };
  for (const source of Object.values(output.sources ?? {})) walk(source.ast);
  return names;
}

interface Venue {
  readonly name: string;
  /** The contract that trades with it, where it is not compiled into the executor. */
  readonly part?: string;
}

function readVenues(): readonly Venue[] {
  return existsSync(VENUE_CODES) ? (JSON.parse(readFileSync(VENUE_CODES, "utf8")) as readonly Venue[]) : [];
}

/** The parts' addresses as the executor is compiled with them. `files`: what the parts compile to. */
function partAddresses(venues: readonly Venue[], files: ReadonlyMap<string, string>): string {
  const withParts = venues.flatMap(({ name, part }) => (part === undefined ? [] : [{ name, part }]));
  const constants = [...new Set(withParts.map(({ part }) => part))].map((part) => {
    const { bytecode } = JSON.parse(files.get(`${part}.json`) ?? "{}") as { readonly bytecode: Hex };
    const place = getContractAddress({ opcode: "CREATE2", from: CREATE2_DEPLOYER, salt: SALT, bytecode });
    return `address constant ${constantOf(part)} = ${place};`;
  });
  const ways = withParts.map(({ name, part }) => `    if (venue == ${name}) return ${constantOf(part)};`);
  return `// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.34;

// Made by tools/contracts/compile-contracts.ts of the parts' code and contracts/venue-codes.json: the CREATE2 addresses at which the
// standard deployer puts exactly that code.

import {InvalidPayload} from "./Payload.sol";
import {
${withParts.map(({ name }) => `    ${name}`).join(",\n")}
} from "./VenueCodes.sol";

${constants.join("\n")}

/// The part that trades with a venue.
function partOf(uint256 venue) pure returns (address) {
${ways.join("\n")}
    revert InvalidPayload();
}
`;
}

/** CurvePools: CURVE_POOLS. */
const constantOf = (part: string) => part.replace(/(?<=[a-z0-9])[A-Z]/g, "_$&").toUpperCase();

interface Made {
  /** File name to file text of everything that one folder compiles to. */
  readonly files: ReadonlyMap<string, string>;
  /** Sources that are written by this tool, by their paths. */
  readonly sources: ReadonlyMap<string, string>;
}

function compile(folder: string): Made {
  const paths = filesOf(folder);
  const parts = folder === "src" ? readVenues().flatMap(({ part }) => part ?? []) : [];
  const pathsOfParts = [...new Set(parts)].map((part) => `contracts/src/venues/${part}.sol`);
  if (pathsOfParts.length === 0) return { files: compileOf(folder, paths, new Map()), sources: new Map() };
  const files = compileOf(folder, pathsOfParts, new Map());
  const sources = new Map([[PART_ADDRESSES, partAddresses(readVenues(), files)]]);
  const rest = paths.filter((path) => !pathsOfParts.includes(path) && path !== PART_ADDRESSES);
  return { files: new Map([...files, ...compileOf(folder, rest, sources)]), sources };
}

/** File name to file text of what these files compile to. `made`: sources that stand in for what is on the disk. */
function compileOf(
  folder: string,
  paths: readonly string[],
  made: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const read = new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(paths.map((path) => [path, { content: read.get(path) }])),
    settings: {
      ...SETTINGS,
      outputSelection: { "*": { "": ["ast"] }, ...Object.fromEntries(paths.map((path) => [path, { "*": CODE }])) },
    },
  };
  const resolve = (path: string) => {
    const text = made.get(path);
    if (text !== undefined) {
      read.set(path, text);
      return { contents: text };
    }
    const file = path.startsWith("contracts/") ? join(root, path) : join(root, "node_modules", path);
    if (!existsSync(file)) return { error: `no such file: ${path}` };
    const contents = readFileSync(file, "utf8");
    read.set(path, contents);
    return { contents };
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: resolve })) as CompilerOutput;
  for (const problem of output.errors ?? []) {
    if (problem.errorCode !== USES_TRANSIENT_STORAGE) process.stderr.write(`${problem.formattedMessage}\n`);
  }
  if (output.errors?.some((problem) => problem.severity === "error")) {
    throw new Error(`contracts/${folder} does not compile`);
  }

  const hash = createHash("sha256");
  for (const [path, text] of [...read].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${path}\n${text.length}\n${text}`);
  }
  const sourceHash = `0x${hash.digest("hex")}`;
  const names = immutableNames(output);
  const files = new Map<string, string>();
  for (const path of paths) {
    for (const [contractName, contract] of Object.entries(output.contracts?.[path] ?? {})) {
      const { bytecode, deployedBytecode } = contract.evm;
      if (bytecode.object === "") continue;
      const artifact = {
        contractName,
        sourceName: path,
        compiler: { version: solc.version(), settings: SETTINGS },
        sourceHash,
        abi: contract.abi,
        bytecode: `0x${bytecode.object}`,
        deployedBytecode: `0x${deployedBytecode.object}`,
        immutableReferences: Object.fromEntries(
          Object.entries(deployedBytecode.immutableReferences ?? {}).map(([id, places]) => [names.get(id), places]),
        ),
      };
      const name = `${contractName}.json`;
      if (files.has(name)) throw new Error(`two contracts are named ${contractName} in contracts/${folder}`);
      files.set(name, `${JSON.stringify(artifact, null, 2)}\n`);
    }
  }
  return files;
}

/** The folder of contracts/ that a JSON in contracts/out was made from. */
function originOf(name: string): string | undefined {
  const artifact = JSON.parse(readFileSync(join(outFolder, name), "utf8")) as { readonly sourceName: string };
  return artifact.sourceName.split("/")[1];
}

function main(): void {
  const { values, positionals } = parseArgs({
    options: { check: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((folder) => !FOLDERS.includes(folder));
  if (unknown.length > 0) throw new Error(`not a folder of contracts: ${unknown.join(", ")}`);
  const wanted = (positionals.length > 0 ? positionals : FOLDERS).filter((folder) => filesOf(folder).length > 0);
  mkdirSync(outFolder, { recursive: true });

  const differences: string[] = [];
  for (const folder of wanted) {
    const { files, sources } = compile(folder);
    const present = new Set(readdirSync(outFolder).filter((name) => name.endsWith(".json")));
    for (const [name, text] of files) {
      if (present.has(name) && originOf(name) !== folder) {
        throw new Error(`${name} is taken by contracts/${originOf(name)}: contract names must differ`);
      }
      const path = join(outFolder, name);
      const same = present.has(name) && readFileSync(path, "utf8") === text;
      if (!same && values.check) differences.push(`contracts/out/${name} is not what contracts/${folder} compiles to`);
      if (!same && !values.check) writeFileSync(path, text);
    }
    for (const name of present) {
      if (files.has(name) || originOf(name) !== folder) continue;
      if (values.check) differences.push(`contracts/out/${name} has no contract in contracts/${folder}`);
      else rmSync(join(outFolder, name));
    }
    for (const [path, text] of sources) {
      const same = existsSync(join(root, path)) && readFileSync(join(root, path), "utf8") === text;
      if (!same && values.check) differences.push(`${path} is not what the parts' code makes`);
      if (!same && !values.check) writeFileSync(join(root, path), text);
    }
    console.log(`contracts/${folder}: ${files.size} contracts`);
  }
  for (const difference of differences) console.error(difference);
  if (differences.length > 0) process.exitCode = 1;
}

main();
