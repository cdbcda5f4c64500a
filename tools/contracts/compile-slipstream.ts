/**
 * Compiles Slipstream's pool, its factory and three modules for fees into `contracts/slipstream/`, as their makers do it: no
 * package has them. `node tools/contracts/compile-slipstream.ts CLONE`, a clone of github.com/velodrome-finance/slipstream. The result
 * is committed.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type PinnedPackage, unpack } from "./npm-package.ts";
import { artifactOf, createCompiler } from "./solidity/pinned-compiler.ts";

const COMMIT = "193a6b85f836a229b76a8df3541a284a2368427b";

const LIBRARIES: readonly (PinnedPackage & { readonly imported: string })[] = [
  {
    name: "@openzeppelin/contracts",
    version: "3.4.2-solc-0.7",
    integrity: "sha512-W6QmqgkADuFcTLzHL8vVoNBtkwjvQRpYIAom7KiUNoLKghyx3FgH0GBjt8NRvigV1ZmMOBllvE1By1C+bi8WpA==",
    imported: "@openzeppelin/contracts/",
  },
  {
    name: "@nomad-xyz/excessively-safe-call",
    version: "0.0.1-rc.1",
    integrity: "sha512-Q5GVakBy8J1kWjydH6W5LNbkYY+Cw2doBiLodOfbFGujeng6zM+EtMLb/V+vkWbskbM81y2r+LG5NmxsxyElPA==",
    imported: "@nomad-xyz/",
  },
];

const COMPILER: PinnedPackage = {
  name: "solc",
  version: "0.7.6",
  integrity: "sha512-WsR/W7CXwh2VnmZapB4JrsDeLlshoKBz5Pz/zYNulB6LBsOEHI2Zj/GeKLMFcvv57OHiXHvxq5ZOQB+EdqxlxQ==",
};

/** Of foundry.toml in their repository. */
const OPTIMIZER = { enabled: true, runs: 200 };
const CORE = "contracts/core";
const CONTRACTS: readonly { readonly name: string; readonly file: string }[] = [
  { name: "CLPool", file: `${CORE}/CLPool.sol` },
  { name: "CLFactory", file: `${CORE}/CLFactory.sol` },
  { name: "CustomSwapFeeModule", file: `${CORE}/fees/CustomSwapFeeModule.sol` },
  { name: "DynamicSwapFeeModule", file: `${CORE}/fees/DynamicSwapFeeModule.sol` },
  { name: "CustomUnstakedFeeModule", file: `${CORE}/fees/CustomUnstakedFeeModule.sol` },
];

const [clone] = process.argv.slice(2);
if (clone === undefined) throw new Error("usage: node tools/contracts/compile-slipstream.ts CLONE");
const folders = new Map<string, string>();
for (const library of LIBRARIES) folders.set(library.imported, await unpack(library));

/** A source by the path that it is imported by. */
function read(path: string): string {
  for (const [imported, folder] of folders)
    if (path.startsWith(imported)) return readFileSync(join(folder, path.slice(imported.length)), "utf8");
  return execFileSync("git", ["-C", clone as string, "show", `${COMMIT}:${path}`], { encoding: "utf8" });
}

const compile = await createCompiler(COMPILER, read);
const contractOf = compile(
  CONTRACTS.map(({ file }) => file),
  { optimizer: OPTIMIZER, outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } } },
);
const target = fileURLToPath(new URL("../../contracts/slipstream", import.meta.url));
mkdirSync(target, { recursive: true });
for (const { name, file } of CONTRACTS) {
  writeFileSync(join(target, `${name}.json`), artifactOf(name, contractOf(file, name)));
  console.log(name);
}
