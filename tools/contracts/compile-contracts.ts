/**
 * Compiles our Solidity with solc from npm and writes one JSON per contract into contracts/out.
 *
 *   node tools/contracts/compile-contracts.ts                  contracts whose sources have changed, in every folder
 *   node tools/contracts/compile-contracts.ts src devnet       only those of contracts/src and contracts/devnet
 *   node tools/contracts/compile-contracts.ts --check          compiles all and compares; exit code 1 and a list on any difference
 *
 * The executor knows the addresses of its parts (contracts/venue-codes.json names them) as constants: parts are compiled
 * first, and what their code makes of the CREATE2 deployer is written into contracts/src/PartAddresses.sol.
 *
 * A folder is compiled on its own, so that a broken file in one does not stop the others. Contract names are unique
 * over all folders, since a contract's JSON carries its name. Imports that are not relative come from node_modules.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Artifact, compileOf, isCurrent, placeOf } from "./solidity/contract-compiler.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const outFolder = join(root, "contracts", "out");

/** Folders of contracts/ that hold sources; those without any are passed over. */
const FOLDERS = ["src", "test", "devnet", "lens"];

const VENUE_CODES = join(root, "contracts", "venue-codes.json");
const PART_ADDRESSES = "contracts/src/PartAddresses.sol";

function filesOf(folder: string): readonly string[] {
  const path = join(root, "contracts", folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".sol"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
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
    return `address constant ${constantOf(part)} = ${placeOf(files.get(`${part}.json`) ?? "{}")};`;
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

/** `kept`: file texts of what was compiled before, used where that is current. */
function compile(folder: string, kept: ReadonlyMap<string, string>): Made {
  const paths = filesOf(folder);
  const parts = folder === "src" ? readVenues().flatMap(({ part }) => part ?? []) : [];
  const pathsOfParts = [...new Set(parts)].map((part) => `contracts/src/venues/${part}.sol`);
  if (pathsOfParts.length === 0) return { files: compileChanged(folder, paths, new Map(), kept), sources: new Map() };
  const files = compileChanged(folder, pathsOfParts, new Map(), kept);
  const sources = new Map([[PART_ADDRESSES, partAddresses(readVenues(), files)]]);
  const rest = paths.filter((path) => !pathsOfParts.includes(path) && path !== PART_ADDRESSES);
  return { files: new Map([...files, ...compileChanged(folder, rest, sources, kept)]), sources };
}

/** Compiles the files of which no kept result is current; file texts of all of them. */
function compileChanged(
  folder: string,
  paths: readonly string[],
  made: ReadonlyMap<string, string>,
  kept: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const current = [...kept].flatMap(([name, text]) => {
    const artifact = JSON.parse(text) as Artifact;
    return paths.includes(artifact.sourceName) && isCurrent(artifact, made)
      ? [{ name, text, path: artifact.sourceName }]
      : [];
  });
  const changed = paths.filter((path) => !current.some((each) => each.path === path));
  const compiled = changed.length > 0 ? compileOf(folder, changed, made) : new Map<string, string>();
  for (const name of compiled.keys()) console.log(`contracts/${folder}: ${name} compiled`);
  return new Map([...current.map(({ name, text }) => [name, text] as const), ...compiled]);
}

/** Every JSON in contracts/out by its name. */
function compiledBefore(): ReadonlyMap<string, string> {
  const names = readdirSync(outFolder).filter((name) => name.endsWith(".json"));
  return new Map(names.map((name) => [name, readFileSync(join(outFolder, name), "utf8")]));
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
    const { files, sources } = compile(folder, values.check ? new Map() : compiledBefore());
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
  if (differences.length > 0) {
    console.error("run npm run contracts");
    process.exitCode = 1;
  }
}

main();
