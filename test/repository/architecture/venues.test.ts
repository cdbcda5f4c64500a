import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CODECS, VENUES } from "../../../src/venues/index.ts";
import { readTree } from "../../../tools/source-tree.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Files that a venue's folder has at the least: one that chains list, and one that is only traded at. */
const PARTS = {
  listed: ["about.ts", "index.ts", "record.ts", "source.ts"],
  traded: ["action.ts", "index.ts", "verify.ts"],
} as const;

/** Folders in which venues' words mean something else: curves of the same name, and the devnet's contracts. */
const OTHER_NAMES = ["venues", "pools", "snapshot", "devnet"];
/** Files that name a curve where it is called as a venue is. */
const CURVES_NAMED = ["settlement/gas-limit.ts"];

const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);
const imports = readTree(root, ["src"]).flatMap((file) =>
  file.imports.map(({ specifier }) => ({ file: file.path.replace("src/", ""), target: specifier })),
);

/** The folders that are venues: those with an index. */
function venueFolders(): readonly string[] {
  return files.flatMap((file) => /^venues\/([^/]+)\/index\.ts$/.exec(file)?.[1] ?? []);
}

const found = (wrong: (entry: { readonly file: string; readonly target: string }) => boolean) =>
  imports.filter(wrong).map(({ file, target }) => `src/${file} imports ${target}`);

describe("a venue is a module", () => {
  it("has venues as folders with all of their parts, each listed once in the index", () => {
    const folders = venueFolders();
    expect(folders.length).toBeGreaterThan(15);
    const listed = VENUES.map(({ protocol }) => protocol as string);
    const index = imports.filter(({ file }) => file === "venues/index.ts").map(({ target }) => target);
    for (const folder of folders) {
      const parts = files.filter((file) => dirname(file) === `venues/${folder}`).map((file) => basename(file));
      const isListed = parts.includes("record.ts");
      expect(parts, folder).toEqual(expect.arrayContaining([...PARTS[isListed ? "listed" : "traded"]]));
      expect(
        index.filter((target) => target === `./${folder}/index.ts`),
        folder,
      ).toHaveLength(1);
    }
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.length).toBe(folders.filter((folder) => files.includes(`venues/${folder}/record.ts`)).length);
  });

  it("lets nobody outside know a venue but through the index", () => {
    expect(
      found(({ file, target }) => {
        const path = normalize(join(dirname(file), target));
        return !file.startsWith("venues/") && /^venues\/[^/]+\//.test(path);
      }),
    ).toEqual([]);
    const actions = CODECS.flatMap(({ encoder }): readonly string[] => encoder.actions);
    const names = new Set([...venueFolders(), ...VENUES.map(({ protocol }) => protocol), ...actions]);
    // Makers sign orders, and the word is used everywhere.
    names.delete("maker-order");
    names.delete("rfq-order");
    const outside = files.filter((file) => !OTHER_NAMES.some((layer) => file.startsWith(`${layer}/`)));
    const naming = outside.flatMap((file) => {
      const words = readFileSync(join(root, "src", file), "utf8").matchAll(/"([a-z0-9-]+)"/g);
      return [...words].some(([, word = ""]) => names.has(word)) ? [file] : [];
    });
    expect(naming.filter((file) => !CURVES_NAMED.includes(file))).toEqual([]);
  });

  it("has what a venue writes read back by code that shares nothing with it", () => {
    const valuesOf = (file: string) => {
      const text = readFileSync(join(root, "src", file), "utf8");
      return [...text.matchAll(/^import (?!type )[^;]*?"([^"]+)"/gm)].map(([, target = ""]) => basename(target));
    };
    const written = files.filter((file) => /^venues\/[^/]+\/action\.ts$/.test(file));
    expect(written.length).toBeGreaterThan(12);
    for (const file of written) {
      expect(valuesOf(file)).not.toContain("verify.ts");
      expect(valuesOf(file.replace("action.ts", "verify.ts"))).not.toContain("action.ts");
      expect(valuesOf(file.replace("action.ts", "verify.ts"))).not.toContain("action-codec.ts");
    }
  });
});
