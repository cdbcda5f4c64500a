import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readChainFile, type Venues } from "./chain-file.ts";
import type { ChainRecord } from "./chain-record.ts";

const FOLDER = fileURLToPath(new URL("./records/", import.meta.url));

/** The names of the chains whose records come along, sorted. */
export function knownChains(): readonly string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length))
    .sort();
}

/**
 * The record of a chain that comes along, by `name` in any letter case, or of the operator's own `file`, with these kinds of
 * venues.
 * @throws Error naming the chains that there are, or what is wrong with the file.
 */
export function readChainRecord(
  which: { readonly name?: string | undefined; readonly file?: string | undefined },
  venues: Venues,
): ChainRecord {
  if (which.file !== undefined) return readChainFile(which.file, venues);
  const name = which.name?.toLowerCase() ?? "";
  if (knownChains().includes(name)) return readChainFile(`${FOLDER}${name}.json`, venues);
  throw new Error(
    `${JSON.stringify(which.name)} is not a known chain: give one of ${knownChains().join(", ")}, or a record in CHAIN_FILE`,
  );
}
