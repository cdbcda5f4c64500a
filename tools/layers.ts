/**
 * Prints how a tree of sources is built: layers and folders with files and lines, the arrows between them and those that run
 * back, the longest files and functions, functions with more than four parameters, the largest folders.
 *
 *   node tools/layers.ts            this tree
 *   node tools/layers.ts FOLDER     another one, for example an older version: git archive VERSION | tar -x -C FOLDER
 */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { functionsOf, readTree, type SourceFile } from "./source-tree.ts";

const root = process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url));
const FOLDERS = ["src", "fixtures", "test", "bench", "tools", "console/src", "examples"];
const MAX_PARAMETERS = 4;
const SHOWN = 10;

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly imports: number;
}

const files = readTree(
  root,
  FOLDERS.filter((folder) => existsSync(join(root, folder))),
);
const own = files.filter(({ path }) => path.startsWith("src/"));

/** The layer of a path in src, the folder at the top for any other. */
function layerOf(path: string): string | undefined {
  const parts = path.split("/");
  if (parts[0] !== "src") return parts[0];
  return parts.length > 2 ? parts[1] : undefined;
}

function chamberOf(path: string): string | undefined {
  const parts = path.split("/");
  return parts[0] === "src" && parts.length > 3 ? `${parts[1]}/${parts[2]}` : undefined;
}

function sizes(among: readonly SourceFile[], placeOf: (path: string) => string | undefined) {
  const counted = new Map<string, { files: number; lines: number }>();
  for (const { path, lines } of among) {
    const place = placeOf(path);
    if (place === undefined) continue;
    const before = counted.get(place) ?? { files: 0, lines: 0 };
    counted.set(place, { files: before.files + 1, lines: before.lines + lines });
  }
  return counted;
}

function arrowsBetween(among: readonly SourceFile[], placeOf: (path: string) => string | undefined): readonly Arrow[] {
  const counted = new Map<string, Arrow>();
  for (const { file, target } of among.flatMap(({ imports }) => imports)) {
    const from = placeOf(file);
    const to = target === undefined ? undefined : placeOf(target);
    if (from === undefined || to === undefined || from === to) continue;
    const key = `${from} → ${to}`;
    counted.set(key, { from, to, imports: (counted.get(key)?.imports ?? 0) + 1 });
  }
  return [...counted.values()];
}

/**
 * Arrows that no order of the places can turn downwards: from the ground up that place comes next which imports least from
 * those not yet placed, and what it imports from them runs back.
 */
function arrowsBack(arrows: readonly Arrow[]): readonly Arrow[] {
  const left = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  const back: Arrow[] = [];
  while (left.size > 0) {
    const open = [...left].map((place) => arrows.filter(({ from, to }) => from === place && left.has(to)));
    const weight = (all: readonly Arrow[]) => all.reduce((sum, { imports }) => sum + imports, 0);
    const least = open.reduce((best, each) => (weight(each) < weight(best) ? each : best));
    back.push(...least);
    left.delete([...left][open.indexOf(least)] as string);
  }
  return back;
}

function title(text: string): void {
  console.log(`\n${text}`);
}

function table(rows: readonly (readonly [name: string, ...figures: (number | string)[]])[]): void {
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, ...figures] of rows)
    console.log(`  ${name.padEnd(width)} ${figures.map((each) => String(each).padStart(7)).join(" ")}`);
}

function printRooms(): void {
  title("layer or folder, files, lines");
  const folders = [...sizes(own, chamberOf)];
  table(
    [...sizes(files, layerOf)].flatMap(([layer, { files: count, lines }]) => [
      [layer, count, lines] as const,
      ...folders
        .filter(([name]) => name.startsWith(`${layer}/`))
        .map(([name, inside]) => [`  ${name}`, inside.files, inside.lines] as const),
    ]),
  );
}

function printArrows(): void {
  const layers = arrowsBetween(own, layerOf);
  const back = arrowsBack(layers);
  title(`${layers.length} arrows between layers of src, ${back.length} run back`);
  table(back.map(({ from, to, imports }) => [`${from} → ${to}`, imports]));
  const inside = arrowsBetween(own, chamberOf).filter(({ from, to }) => dirname(from) === dirname(to));
  const insideBack = [...new Set(inside.map(({ from }) => dirname(from)))].flatMap((layer) =>
    arrowsBack(inside.filter(({ from }) => dirname(from) === layer)),
  );
  title(`${inside.length} arrows between folders of one layer, ${insideBack.length} run back`);
  table(insideBack.map(({ from, to, imports }) => [`${from} → ${to}`, imports]));
}

function printFunctions(): void {
  const all = own.flatMap(functionsOf);
  const longest = all.toSorted((a, b) => b.lines - a.lines);
  title(`${all.length} functions of src, ${all.filter(({ lines }) => lines > 60).length} above 60 lines; the longest`);
  table(longest.slice(0, SHOWN).map(({ name, path, lines }) => [`${path}: ${name}`, lines]));
  const wide = all.filter(({ parameters }) => parameters > MAX_PARAMETERS);
  title(`${wide.length} functions of src with more than ${MAX_PARAMETERS} parameters`);
  table(
    wide
      .toSorted((a, b) => b.parameters - a.parameters)
      .map(({ name, path, parameters }) => [`${path}: ${name}`, parameters]),
  );
}

function printLargest(): void {
  const above = own.filter(({ lines }) => lines > 300).length;
  title(
    `${own.length} files of src, ${own.reduce((sum, { lines }) => sum + lines, 0)} lines, ${above} files above 300; the longest`,
  );
  table(
    own
      .toSorted((a, b) => b.lines - a.lines)
      .slice(0, SHOWN)
      .map(({ path, lines }) => [path, lines]),
  );
  const folders = [...new Set(files.map(({ path }) => dirname(path)))];
  const entries = folders.map((folder) => [folder, readdirSync(join(root, folder)).length] as const);
  title("the folders with most entries");
  table(entries.toSorted((a, b) => b[1] - a[1]).slice(0, SHOWN * 2));
}

printRooms();
printArrows();
printFunctions();
printLargest();
