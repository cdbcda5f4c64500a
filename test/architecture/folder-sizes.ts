import { readdirSync } from "node:fs";
import { join } from "node:path";

const NOT_OURS = /^(node_modules|dist|results|out|bundle)$/;

/** How many entries a folder may have that is not on the list of exceptions. */
const MOST_ENTRIES = 20;

/**
 * Counts the entries of every folder below these, by path from the root. Rooms of src that have a folder for each curve or
 * venue count their files alone.
 */
export function folderSizes(
  root: string,
  folders: readonly string[],
  modules: readonly string[],
): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  const count = (folder: string): void => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true }).filter(({ name }) => !NOT_OURS.test(name));
    const isOfModules = modules.some((room) => folder === `src/${room}`);
    sizes.set(folder, isOfModules ? entries.filter((entry) => !entry.isDirectory()).length : entries.length);
    for (const entry of entries) if (entry.isDirectory()) count(join(folder, entry.name));
  };
  for (const folder of folders) count(folder);
  return sizes;
}

/** Folders above the limit or above their own figure on the list, and figures of the list that are too high by now. */
export function complaintsAboutSizes(
  sizes: ReadonlyMap<string, number>,
  exceptions: Readonly<Record<string, number>>,
): readonly string[] {
  const tooLarge = [...sizes].filter(([folder, size]) => size > (exceptions[folder] ?? MOST_ENTRIES));
  const shrunk = Object.entries(exceptions).filter(([folder, most]) => {
    const size = sizes.get(folder) ?? 0;
    return size < most || size <= MOST_ENTRIES;
  });
  return [
    ...tooLarge.map(([folder, size]) => `${folder} has ${size} entries: give it chambers`),
    ...shrunk.map(
      ([folder]) => `${folder} has ${sizes.get(folder) ?? 0} entries: lower its figure, or take it off the list`,
    ),
  ];
}
