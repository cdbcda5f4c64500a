import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const pages = globSync("docs/audit/*.md", { cwd: root }).map((page) => readFileSync(join(root, page), "utf8"));
const files = new Map(
  globSync(["contracts/foundry/test/*.sol", "test/settlement/**/*.test.ts"], { cwd: root }).map((path) => [
    basename(path),
    readFileSync(join(root, path), "utf8"),
  ]),
);

/** A suite between backticks, and the test of it that is named. */
const NAMED = /`([A-Za-z-]+(?:\.invariant)?\.(?:t\.sol|test\.ts))(?:: (\w+))?`/g;
const named = pages.flatMap((page) => [...page.matchAll(NAMED)].map(([, file = "", test]) => ({ file, test })));

describe("the audit package", () => {
  it("names tests that are there", () => {
    expect(named.length).toBeGreaterThan(40);
    const missing = named.filter(({ file, test }) => {
      const text = files.get(file);
      return text === undefined || (test !== undefined && !text.includes(`function ${test}(`));
    });
    expect(missing).toEqual([]);
  });

  it("says of every rule where it is shown", () => {
    const rows = pages.flatMap((page) => page.split("\n")).filter((line) => /^\| C\d+b?: /.test(line));
    const rules = rows.map((row) => /^\| (C\d+b?)/.exec(row)?.[1]);
    expect(rules).toEqual(["C1", "C2", "C2b", ...Array.from({ length: 15 }, (_, i) => `C${i + 3}`)]);
    for (const row of rows) expect(row.match(NAMED), row).not.toBeNull();
  });
});
