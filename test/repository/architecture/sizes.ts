import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { NamedFunction } from "../../../tools/source-tree.ts";

const NOT_OURS = /^(node_modules|dist|results|out|bundle)$/;

/** Largest size of anything that is not on the list of exceptions. */
export interface Limit {
  readonly most: number;
  readonly unit: string;
  /** Advice about one that is larger. */
  readonly remedy: string;
}

export const ENTRIES: Limit = { most: 20, unit: "entries", remedy: "make folders of what belongs together" };
export const LINES_OF_FILE: Limit = { most: 300, unit: "lines", remedy: "split it by what it does" };
export const LINES_OF_FUNCTION: Limit = { most: 60, unit: "lines", remedy: "name its parts" };
export const PARAMETERS: Limit = { most: 4, unit: "parameters", remedy: "make those one object that travel together" };

/**
 * Counts the entries of every folder below these, by path from the root. What grows with every curve and venue is not counted:
 * their folders in src, and all that is in the same folder of test.
 */
export function folderSizes(
  root: string,
  folders: readonly string[],
  modules: readonly string[],
): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  const count = (folder: string): void => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true }).filter(({ name }) => !NOT_OURS.test(name));
    const isOfModules = modules.some((layer) => folder === `src/${layer}`);
    const grows = modules.some((layer) => folder === `test/${layer}`);
    if (!grows)
      sizes.set(folder, isOfModules ? entries.filter((entry) => !entry.isDirectory()).length : entries.length);
    for (const entry of entries) if (entry.isDirectory()) count(join(folder, entry.name));
  };
  for (const folder of folders) count(folder);
  return sizes;
}

/** Sizes above the limit or above their own figure on the list, and figures of the list that are too high by now. */
export function complaintsAboutSizes(
  sizes: ReadonlyMap<string, number>,
  { most, unit, remedy }: Limit,
  exceptions: Readonly<Record<string, number>>,
): readonly string[] {
  const tooLarge = [...sizes].filter(([name, size]) => size > (exceptions[name] ?? most));
  const shrunk = Object.entries(exceptions).filter(([name, figure]) => {
    const size = sizes.get(name) ?? 0;
    return size < figure || size <= most;
  });
  return [
    ...tooLarge.map(([name, size]) => `${name} has ${size} ${unit}: ${remedy}`),
    ...shrunk.map(([name]) => `${name} has ${sizes.get(name) ?? 0} ${unit}: lower its figure, or take it off the list`),
  ];
}

/** A figure of each function by path and name; the largest of those that share a name. */
export function functionSizes(
  functions: readonly NamedFunction[],
  figure: "lines" | "parameters",
): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const { path, name, [figure]: size } of functions) {
    const key = `${path}: ${name}`;
    sizes.set(key, Math.max(size, sizes.get(key) ?? 0));
  }
  return sizes;
}
