import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** A file or folder of the project between backticks, from its root. */
const PATH = /`((?:bench|bin|contracts|deploy|docs|examples|fixtures|proto|src|test|tools)\/[A-Za-z0-9_./-]*)`/g;

it("names files and folders that are there", () => {
  const pages = globSync(["*.md", "docs/**/*.md"], { cwd: root });
  const named = pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(PATH)].map(([, path = ""]) => ({ page, path })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
});
