/** Copies of the project in which other contracts stand in contracts/out than those that are shipped. */
import { cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { compileOf, placeOf } from "../solidity/contract-compiler.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const OUT = join("contracts", "out");

/** Not needed, or too large: what was installed is linked. */
const LEFT_OUT = [".git", ".cache", "node_modules"];
/** Caches of suites that forge has compiled already. */
const COMPILED = [join(".cache", "foundry", "cache"), join(".cache", "foundry", "out")];

/** The contracts that the executor runs as its own code, in contracts/src/venues. */
export const PARTS: readonly string[] = [
  ...new Set(
    (
      JSON.parse(readFileSync(join(root, "contracts", "venue-codes.json"), "utf8")) as readonly { part?: string }[]
    ).flatMap(({ part }) => part ?? []),
  ),
];

export const shipped = (file: string): string => readFileSync(join(root, OUT, file), "utf8");
export const pathOfContract = (name: string): string =>
  `contracts/src/${PARTS.includes(name) ? `venues/${name}` : name}.sol`;

/** `of`: what is copied of the project's folder; all of it unless told. */
export function makeCopy(of: readonly string[] = [""]): string {
  const copy = mkdtempSync(join(tmpdir(), "tributary-mutants-"));
  const filter = (path: string) => !LEFT_OUT.includes(relative(root, path));
  for (const each of of) cpSync(join(root, each), join(copy, each), { recursive: true, filter });
  for (const each of COMPILED) {
    if (existsSync(join(root, each))) cpSync(join(root, each), join(copy, each), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** Files of the project that forge's suites need. */
export const FOR_FORGE: readonly string[] = ["contracts", "package.json", join("tools", "contracts", "foundry")];

export function put(copy: string, files: ReadonlyMap<string, string>): void {
  for (const [file, json] of files) writeFileSync(join(copy, OUT, file), json);
}

/** A part with other code stands at another address, which the executor is told in place of the one that it knows. */
export function atNewPlaces(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const parts = PARTS.map((part) => `${part}.json`).filter((file) => files.has(file));
  if (parts.length === 0) return files;
  const wordOf = (file: string) => placeOf(file).slice(2).toLowerCase();
  const executor = parts.reduce(
    (json, part) => json.replaceAll(wordOf(shipped(part)), wordOf(files.get(part) as string)),
    files.get("Executor.json") ?? shipped("Executor.json"),
  );
  return new Map([...files, ["Executor.json", executor]]);
}

/** Code that is not shipped may be large, and is compiled faster for it. */
const QUICKLY = { optimizer: { enabled: true, runs: 1 } };

/** Compiles contracts of contracts/src with these sources in place of theirs. */
export function compileContracts(
  names: readonly string[],
  texts: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return atNewPlaces(new Map(names.flatMap((name) => [...compileOf("src", [pathOfContract(name)], texts, QUICKLY)])));
}
