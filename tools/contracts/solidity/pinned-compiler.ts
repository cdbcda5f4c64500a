import { createRequire } from "node:module";
import { join } from "node:path";
import { type PinnedPackage, unpack } from "../npm-package.ts";

/** A contract as the compiler puts it out; `deployedBytecode` where it was asked for. */
export interface Compiled {
  readonly abi: readonly unknown[];
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode?: { readonly object: string };
  };
}

/** The compiler's own typings lack the import callback. */
export interface Compiler {
  compile(
    input: string,
    callbacks: { import(path: string): { readonly contents: string } | { readonly error: string } },
  ): string;
}

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Readonly<Record<string, Compiled>>>>;
}

/** One contract of a file, by its name. @throws Error that says what the compiler complains of */
export type Compile = (
  files: readonly string[],
  settings: Readonly<Record<string, unknown>>,
) => (file: string, name: string) => Compiled;

/** A compiler of its own version. `read`: a source by the path that it is imported by; it throws where there is none. */
export async function createCompiler(version: PinnedPackage, read: (path: string) => string): Promise<Compile> {
  const require = createRequire(import.meta.url);
  const wrap = require("solc/wrapper") as (module: unknown) => Compiler;
  const compiler = wrap(require(join(await unpack(version), "soljson.js")));
  const callbacks = {
    import(path: string) {
      try {
        return { contents: read(path) };
      } catch {
        return { error: `no such file: ${path}` };
      }
    },
  };
  return (files, settings) => {
    const sources = Object.fromEntries(files.map((file) => [file, { content: read(file) }]));
    const input = { language: "Solidity", sources, settings };
    const output = JSON.parse(compiler.compile(JSON.stringify(input), callbacks)) as Output;
    const errors = (output.errors ?? []).filter(({ severity }) => severity === "error");
    if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));
    return (file, name) => {
      const contract = output.contracts[file]?.[name];
      if (contract === undefined) throw new Error(`${file} has no ${name}`);
      return contract;
    };
  };
}

/** The fields of a kept artifact, one to a line, and of its ABI one entry. */
export function artifactOf(name: string, { abi, evm }: Compiled, more: readonly string[] = []): string {
  const fields = [
    `"contractName": ${JSON.stringify(name)}`,
    `"abi": [\n${abi.map((item) => `    ${JSON.stringify(item)}`).join(",\n")}\n  ]`,
    `"bytecode": "0x${evm.bytecode.object}"`,
    ...(evm.deployedBytecode === undefined ? [] : [`"deployedBytecode": "0x${evm.deployedBytecode.object}"`]),
    ...more,
  ];
  return `{\n  ${fields.join(",\n  ")}\n}\n`;
}
