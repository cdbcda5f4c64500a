/**
 * Builds console/dist/console.js from console/src: one script that loads nothing. With `--check` it compares instead.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "console/dist/console.js");

const result = await build({
  absWorkingDir: root,
  entryPoints: ["console/src/main.ts"],
  bundle: true,
  write: false,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "inline",
});
const text = result.outputFiles[0]?.text ?? "";
if (process.argv.includes("--check")) {
  const same = readFileSync(target, "utf8") === text;
  console.log(same ? "console.js is up to date" : "out of date: console/dist/console.js; run node tools/console.ts");
  process.exitCode = same ? 0 : 1;
} else writeFileSync(target, text);
