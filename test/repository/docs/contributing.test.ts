import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { MIGRATIONS } from "../../../src/stores/postgres/migrations.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");
/** Variables that change what a test does; the runner's own and the switch for long runs are none. */
const KNOB = /process\.env\.((?!TRIBUTARY_(?:LONG|TEST_LOGS)\b)(?:TRIBUTARY_\w+|CASES|SEED))\b/g;

it("CONTRIBUTING.md names every variable that makes a random run another one", () => {
  const [, table = ""] = /<!-- knobs -->\n([\s\S]*?)\n\n/.exec(read("CONTRIBUTING.md")) ?? [];
  const told = new Map<string, readonly string[]>();
  for (const [row] of table.matchAll(/^\| `test.*$/gm)) {
    const names = [...row.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name as string);
    for (const [, file] of row.matchAll(/`(test\/\S+)`/g)) {
      told.set(file as string, names.filter((name) => name !== "TRIBUTARY_LONG").sort());
    }
  }
  const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" });
  const used = files
    .filter((file) => /\.(test|e2e)\.ts$/.test(file))
    .map((file) => join("test", file))
    .map(
      (file) => [file, [...new Set([...read(file).matchAll(KNOB)].map(([, name]) => name as string))].sort()] as const,
    )
    .filter(([, names]) => names.length > 0);
  expect(new Map(used)).toEqual(told);
});

it("the upgrade notes name every step of PostgreSQL's tables after the first", () => {
  const notes = read("docs/releases.md");
  for (const { name } of MIGRATIONS.slice(1)) expect(notes).toContain(name);
});
