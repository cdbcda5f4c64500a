import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readChainFile } from "../../../src/chain/chains/chain-file.ts";
import { VENUES } from "../../../src/venues/index.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");

it("the README links to pages that exist", () => {
  for (const [, path] of readme.matchAll(/\]\(([^)#:]+)\)/g)) {
    expect(() => readFileSync(join(root, path as string)), path).not.toThrow();
  }
});

/** Pages of the site alone: its front, and the viewer of the API's description. */
const OF_THE_SITE = ["index.md", "reference.md"];

it("the README leads to every page of docs", () => {
  const pages = readdirSync(join(root, "docs")).filter((file) => file.endsWith(".md") && !OF_THE_SITE.includes(file));
  for (const page of pages) {
    expect(readme).toContain(`](docs/${page})`);
  }
});

describe("docs/chains.md", () => {
  it("has a line for each protocol", () => {
    const page = readFileSync(join(root, "docs", "chains.md"), "utf8");
    const lines = page.split("\n").filter((line) => line.startsWith("| `"));
    for (const { protocol } of VENUES)
      expect(
        lines.some((line) => line.split("|")[1]?.includes(`\`${protocol}\``)),
        protocol,
      ).toBe(true);
  });

  it("shows a record that can be read", () => {
    const page = readFileSync(join(root, "docs", "chains.md"), "utf8");
    const folder = mkdtempSync(join(tmpdir(), "chains-"));
    try {
      const file = join(folder, "chain.json");
      writeFileSync(file, page.match(/```json\n([\s\S]*?)```/)?.[1] ?? "");
      expect(readChainFile(file, VENUES)).toMatchObject({
        chainId: 1,
        venues: [{ feeNum: 3n }, { protocol: "uniswap-v3" }],
      });
      writeFileSync(file, '{"chainId": 1, "name": "", "venues": []}');
      expect(() => readChainFile(file, VENUES)).toThrow(/wrappedNative/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
