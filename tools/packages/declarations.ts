import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PACKAGES } from "./names.ts";
import { root } from "./package-folder.ts";

/** Writes the types of sources and of all that they name into a folder, under the paths of the repository. */
export function writeDeclarations(folder: string, sources: readonly string[]): void {
  const options = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      emitDeclarationOnly: true,
      declaration: true,
      rootDir: root,
      outDir: folder,
      typeRoots: [join(root, "node_modules/@types")],
    },
    include: [],
    files: sources.map((source) => join(root, source)),
  };
  mkdirSync(folder, { recursive: true });
  const settings = join(folder, "tsconfig.json");
  writeFileSync(settings, JSON.stringify(options));
  execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", settings], { cwd: root, stdio: "inherit" });
  rmSync(settings);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".d.ts")) continue;
    const file = join(folder, name);
    writeFileSync(file, withPublishedNames(readFileSync(file, "utf8")));
  }
}

/** Code whose imports name JavaScript, and the package of the contract in place of its folder here. */
export function withPublishedNames(code: string): string {
  return code
    .replaceAll(/(from "|import\("|import ")#gen\/([^"]+)\.ts"/g, `$1${PACKAGES.proto}/$2"`)
    .replaceAll(/(from "|import\("|import ")(\.[^"]+)\.ts"/g, '$1$2.js"');
}
