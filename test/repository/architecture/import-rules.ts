import type { Import, SourceFile } from "../../../tools/source-tree.ts";

/** A layer whose folders stand in an order: each may import those above it, and the importable files of the layer. */
export interface LayerFolders {
  readonly folders: readonly string[];
  /** Files beside the folders that these may import, from src. */
  readonly importable: readonly string[];
  /** Files beside the folders that put them together, from src: no folder may import them. */
  readonly assembly: readonly string[];
}

/** A layer of which each folder is a thing of its own, a curve or a venue: a new one is not named here. */
export interface Modules {
  /** Folders that all others may import. */
  readonly shared: readonly string[];
  /** Other folders that a folder may import. */
  readonly borrows: Readonly<Record<string, readonly string[]>>;
  readonly importable: readonly string[];
  readonly assembly: readonly string[];
}

export type Layers = Readonly<Record<string, readonly string[]>>;

/** The layer of a file or an import's target: the folder in src, the folder at the top outside of it. */
export function layerOf(path: string): string {
  const [top, layer, ...rest] = path.split("/");
  if (top !== "src") return top as string;
  return rest.length > 0 ? (layer as string) : "src itself";
}

/** The folder of a file in a layer of src; undefined for files beside the folders and for other layers. */
function folderOf(path: string, layer: string): string | undefined {
  const parts = path.split("/");
  return parts[0] === "src" && parts[1] === layer && parts.length > 3 ? parts[2] : undefined;
}

function wrong(files: readonly SourceFile[], isWrong: (entry: Import & { readonly target: string }) => boolean) {
  const entries = files.flatMap(({ imports }) => imports);
  return entries
    .filter(
      (entry): entry is Import & { readonly target: string } => entry.target !== undefined && isWrong(entry as never),
    )
    .map(({ file, specifier }) => `${file} imports ${specifier}`);
}

/** Imports from one layer into another that the table does not name. Layers that are not in the table are free. */
export function importsAcrossLayers(files: readonly SourceFile[], table: Layers): readonly string[] {
  return wrong(files, ({ file, target }) => {
    const allowed = table[layerOf(file)];
    return allowed !== undefined && layerOf(target) !== layerOf(file) && !allowed.includes(layerOf(target));
  });
}

/** Imports from src of what is beside it, other than those whose file and target begin as one of the pairs says. */
export function importsOutOfSource(
  files: readonly SourceFile[],
  allowed: readonly (readonly [from: string, to: string])[],
): readonly string[] {
  return wrong(files, ({ file, target }) => {
    if (!file.startsWith("src/") || target.startsWith("src/")) return false;
    return !allowed.some(([from, to]) => file.startsWith(from) && target.startsWith(to));
  });
}

/** Imports between the folders of a layer against their order, and of files beside them that are not importable. */
export function importsAgainstOrder(
  files: readonly SourceFile[],
  layer: string,
  { folders, importable }: LayerFolders,
) {
  return wrongInside(files, layer, importable, (from, to) => folders.indexOf(to) <= folders.indexOf(from));
}

/** Imports between folders of a layer that are things of their own, and of files beside them that are not importable. */
export function importsBetweenModules(
  files: readonly SourceFile[],
  layer: string,
  { shared, borrows, importable }: Modules,
) {
  const sharedFor = (from: string) => (shared.includes(from) ? shared.slice(0, shared.indexOf(from)) : shared);
  return wrongInside(files, layer, importable, (from, to) =>
    [...sharedFor(from), ...(borrows[from] ?? [])].includes(to),
  );
}

function wrongInside(
  files: readonly SourceFile[],
  layer: string,
  importable: readonly string[],
  mayImport: (from: string, to: string) => boolean,
): readonly string[] {
  return wrong(files, ({ file, target }) => {
    const from = folderOf(file, layer);
    if (from === undefined || layerOf(target) !== layer) return false;
    const to = folderOf(target, layer);
    if (to === undefined) return !importable.includes(target.slice("src/".length));
    return to !== from && !mayImport(from, to);
  });
}

/** Loans of modules that nobody takes any more. */
export function unusedBorrows(files: readonly SourceFile[], layer: string, { borrows }: Modules): readonly string[] {
  const taken = new Set(
    files.flatMap(({ imports }) =>
      imports.map(({ file, target = "" }) => `${folderOf(file, layer)} → ${folderOf(target, layer)}`),
    ),
  );
  const loans = Object.entries(borrows).flatMap(([from, all]) => all.map((to) => `${from} → ${to}`));
  return loans.filter((loan) => !taken.has(loan));
}

/** Files of src that no table names: beside the folders of a layer, deeper than a folder, or in a folder of a flat layer. */
export function unlistedFiles(
  files: readonly SourceFile[],
  folders: Readonly<Record<string, LayerFolders>>,
  modules: Readonly<Record<string, Modules>>,
): readonly string[] {
  return files
    .map(({ path }) => path)
    .filter((path) => {
      const [top, layer = "", ...rest] = path.split("/");
      if (top !== "src") return false;
      if (rest.length === 0) return path !== "src/main.ts";
      const known = folders[layer] ?? modules[layer];
      if (known === undefined) return rest.length > 1;
      if (rest.length === 1) return ![...known.importable, ...known.assembly].includes(path.slice("src/".length));
      return rest.length > 2 || ("folders" in known && !known.folders.includes(rest[0] as string));
    });
}
