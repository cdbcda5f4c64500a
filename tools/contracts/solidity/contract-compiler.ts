/** Our own contracts as solc from npm compiles them. tools/contracts/compile-contracts.ts writes what comes out into contracts/out. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { type Address, getContractAddress, type Hex, zeroHash } from "viem";
import type { Compiler } from "./pinned-compiler.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

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

/** CREATE2 deployer and salt of a contract's address, as in src/settlement/contracts.ts. */
const CREATE2_DEPLOYER = "0x4e59b44847b379578588920ca78fbf26c0b4956c";
const SALT = zeroHash;

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

/** A compiled contract as its file in contracts/out says where it comes from. */
export interface Artifact {
  readonly sourceName: string;
  readonly sourceHash: string;
  readonly compiler: { readonly version: string; readonly settings: unknown };
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

/** Address at which the standard deployer puts a part. `file`: its compiled artifact as JSON. */
export function placeOf(file: string): Address {
  const { bytecode } = JSON.parse(file) as { readonly bytecode: Hex };
  return getContractAddress({ opcode: "CREATE2", from: CREATE2_DEPLOYER, salt: SALT, bytecode });
}

/** A source's text, from `made` or from the disk; undefined where there is none. */
function textOf(path: string, made: ReadonlyMap<string, string>): string | undefined {
  const file = path.startsWith("contracts/") ? join(root, path) : join(root, "node_modules", path);
  return made.get(path) ?? (existsSync(file) ? readFileSync(file, "utf8") : undefined);
}

/** Finds what is imported, and notes it in `read`. */
function resolver(made: ReadonlyMap<string, string>, read = new Map<string, string>()) {
  return (path: string) => {
    const contents = textOf(path, made);
    if (contents === undefined) return { error: `no such file: ${path}` };
    read.set(path, contents);
    return { contents };
  };
}

const IMPORT = /^\s*import\s[^;"]*"([^"]+)"/gm;

/** Digest of a file and of all that it imports. */
function sourceHashOf(path: string, made: ReadonlyMap<string, string>): Hex {
  const read = new Map<string, string>();
  const left = [path];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const text = textOf(next, made);
    if (text === undefined || read.has(next)) continue;
    read.set(next, text);
    const folder = posix.dirname(next);
    for (const [, name = ""] of text.matchAll(IMPORT))
      left.push(name.startsWith(".") ? posix.join(folder, name) : name);
  }
  const hash = createHash("sha256");
  for (const [each, text] of [...read].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${each}\n${text.length}\n${text}`);
  return `0x${hash.digest("hex")}`;
}

/** Whether a compiled contract is of this compiler, these settings and the sources as they are now. */
export function isCurrent(artifact: Artifact, made: ReadonlyMap<string, string>): boolean {
  const { version, settings } = artifact.compiler;
  if (version !== solc.version() || JSON.stringify(settings) !== JSON.stringify(SETTINGS)) return false;
  return artifact.sourceHash === sourceHashOf(artifact.sourceName, made);
}

/** One file with all that it imports, as the compiler's standard JSON input: what block explorers verify code by. */
export function standardInputOf(path: string) {
  const read = new Map([[path, readFileSync(join(root, path), "utf8")]]);
  const sourcesOf = () => Object.fromEntries([...read].map(([each, content]) => [each, { content }]));
  const parse = { language: "Solidity", sources: sourcesOf(), settings: { outputSelection: { "*": { "": ["ast"] } } } };
  solc.compile(JSON.stringify(parse), { import: resolver(new Map(), read) });
  const outputSelection = { [path]: { "*": CODE } };
  return { language: "Solidity", sources: sourcesOf(), settings: { ...SETTINGS, outputSelection } };
}

/**
 * File name to file text of what these files compile to. `made`: sources that stand in for what is on the disk. `more`:
 * settings that stand in for those of code that is shipped.
 */
export function compileOf(
  folder: string,
  paths: readonly string[],
  made: ReadonlyMap<string, string>,
  more: Readonly<Record<string, unknown>> = {},
): ReadonlyMap<string, string> {
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(paths.map((path) => [path, { content: textOf(path, made) }])),
    settings: {
      ...SETTINGS,
      ...more,
      outputSelection: { "*": { "": ["ast"] }, ...Object.fromEntries(paths.map((path) => [path, { "*": CODE }])) },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: resolver(made) })) as CompilerOutput;
  for (const problem of output.errors ?? []) {
    if (problem.errorCode !== USES_TRANSIENT_STORAGE) process.stderr.write(`${problem.formattedMessage}\n`);
  }
  if (output.errors?.some((problem) => problem.severity === "error")) {
    throw new Error(`contracts/${folder} does not compile`);
  }

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
        sourceHash: sourceHashOf(path, made),
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
