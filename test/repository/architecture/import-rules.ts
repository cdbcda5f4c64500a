import type { Import, SourceFile } from "../../../tools/source-tree.ts";

/** A room whose folders stand in an order: each may import those above it, and the room's words. */
export interface Chambers {
  readonly chambers: readonly string[];
  /** Files beside the chambers that these may import, from src. */
  readonly words: readonly string[];
  /** Files beside the chambers that put them together, from src: no chamber may import them. */
  readonly frame: readonly string[];
}

/** A room of which each folder is a thing of its own, a curve or a venue: a new one is not named here. */
export interface Modules {
  /** Folders that all others may import. */
  readonly shared: readonly string[];
  /** Other folders that a folder may import. */
  readonly borrows: Readonly<Record<string, readonly string[]>>;
  readonly words: readonly string[];
  readonly frame: readonly string[];
}

export type Rooms = Readonly<Record<string, readonly string[]>>;

/** The room of a file or an import's target: the folder in src, the folder at the top outside of it. */
export function roomOf(path: string): string {
  const [top, room, ...rest] = path.split("/");
  if (top !== "src") return top as string;
  return rest.length > 0 ? (room as string) : "src itself";
}

/** The folder of a file in a room of src; undefined for files beside the folders and for other rooms. */
function folderOf(path: string, room: string): string | undefined {
  const parts = path.split("/");
  return parts[0] === "src" && parts[1] === room && parts.length > 3 ? parts[2] : undefined;
}

function wrong(files: readonly SourceFile[], isWrong: (entry: Import & { readonly target: string }) => boolean) {
  const entries = files.flatMap(({ imports }) => imports);
  return entries
    .filter(
      (entry): entry is Import & { readonly target: string } => entry.target !== undefined && isWrong(entry as never),
    )
    .map(({ file, specifier }) => `${file} imports ${specifier}`);
}

/** Imports from one room into another that the table does not name. Rooms that are not in the table are free. */
export function importsAcrossRooms(files: readonly SourceFile[], table: Rooms): readonly string[] {
  return wrong(files, ({ file, target }) => {
    const allowed = table[roomOf(file)];
    return allowed !== undefined && roomOf(target) !== roomOf(file) && !allowed.includes(roomOf(target));
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

/** Imports between the folders of a room against their order, and of files beside them that are no words. */
export function importsAgainstOrder(files: readonly SourceFile[], room: string, { chambers, words }: Chambers) {
  return wrongInside(files, room, words, (from, to) => chambers.indexOf(to) <= chambers.indexOf(from));
}

/** Imports between folders of a room that are things of their own, and of files beside them that are no words. */
export function importsBetweenModules(files: readonly SourceFile[], room: string, { shared, borrows, words }: Modules) {
  const sharedFor = (from: string) => (shared.includes(from) ? shared.slice(0, shared.indexOf(from)) : shared);
  return wrongInside(files, room, words, (from, to) => [...sharedFor(from), ...(borrows[from] ?? [])].includes(to));
}

function wrongInside(
  files: readonly SourceFile[],
  room: string,
  words: readonly string[],
  mayImport: (from: string, to: string) => boolean,
): readonly string[] {
  return wrong(files, ({ file, target }) => {
    const from = folderOf(file, room);
    if (from === undefined || roomOf(target) !== room) return false;
    const to = folderOf(target, room);
    if (to === undefined) return !words.includes(target.slice("src/".length));
    return to !== from && !mayImport(from, to);
  });
}

/** Loans of modules that nobody takes any more. */
export function unusedLoans(files: readonly SourceFile[], room: string, { borrows }: Modules): readonly string[] {
  const taken = new Set(
    files.flatMap(({ imports }) =>
      imports.map(({ file, target = "" }) => `${folderOf(file, room)} → ${folderOf(target, room)}`),
    ),
  );
  const loans = Object.entries(borrows).flatMap(([from, all]) => all.map((to) => `${from} → ${to}`));
  return loans.filter((loan) => !taken.has(loan));
}

/** Files of src that no table names: beside the folders of a room, deeper than a chamber, or in a folder of a flat room. */
export function strangers(
  files: readonly SourceFile[],
  chambers: Readonly<Record<string, Chambers>>,
  modules: Readonly<Record<string, Modules>>,
): readonly string[] {
  return files
    .map(({ path }) => path)
    .filter((path) => {
      const [top, room = "", ...rest] = path.split("/");
      if (top !== "src") return false;
      if (rest.length === 0) return path !== "src/main.ts";
      const known = chambers[room] ?? modules[room];
      if (known === undefined) return rest.length > 1;
      if (rest.length === 1) return ![...known.words, ...known.frame].includes(path.slice("src/".length));
      return rest.length > 2 || ("chambers" in known && !known.chambers.includes(rest[0] as string));
    });
}
