/**
 * Writes the tables that the documentation takes from the code, between `<!-- table: name -->` and `<!-- /table -->`; with
 * `--check` it compares them instead.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listOptions } from "../src/ops/config.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What stands between the marks of each name. */
const TABLES: Readonly<Record<string, () => string>> = {
  options: () =>
    table(
      ["variable", "default", "meaning"],
      listOptions().map(({ name, defaultValue, description }) => [
        `\`${name}\``,
        defaultValue === "" ? "" : `\`${defaultValue}\``,
        description,
      ]),
    ),
};

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

const check = process.argv.includes("--check");
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs")).map((file) => join("docs", file)),
].filter((page) => page.endsWith(".md"));

const used = new Set<string>();
const stale: string[] = [];
for (const page of pages) {
  const text = readFileSync(join(root, page), "utf8");
  const fresh = text.replace(
    /(<!-- table: ([a-z-]+) -->\n)[\s\S]*?(\n<!-- \/table -->)/g,
    (_, open, name: string, close) => {
      const make = TABLES[name];
      if (make === undefined) throw new Error(`${page}: no table is called ${name}`);
      used.add(name);
      return `${open}${make()}${close}`;
    },
  );
  if (fresh === text) continue;
  if (check) stale.push(page);
  else writeFileSync(join(root, page), fresh);
}

for (const name of Object.keys(TABLES)) if (!used.has(name)) stale.push(`no page shows the table ${name}`);
for (const line of stale) console.error(`out of date: ${line}`);
console.log(stale.length === 0 ? `${pages.length} pages up to date` : "run npm run docs");
process.exitCode = stale.length === 0 ? 0 : 1;
