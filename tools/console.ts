/**
 * Builds what the service serves to browsers into console/dist: the console and the page of the API's reference from
 * console/src, and the reference's viewer (Redoc) as its package has it. None of them loads anything from elsewhere. With
 * `--check` it compares instead.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "console/dist");
/** The one thing that the viewer would load from elsewhere: its maker's logo. */
const LOGO = "https://cdn.redoc.ly/redoc/logo-mini.svg";

async function bundle(entry: string): Promise<string> {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    target: "es2022",
    legalComments: "inline",
  });
  return result.outputFiles[0]?.text ?? "";
}

function viewer(): string {
  const read = (path: string) => readFileSync(fileURLToPath(import.meta.resolve(path)), "utf8");
  const script = read("redoc/bundles/redoc.standalone.js");
  if (script.split(LOGO).length !== 2) throw new Error("Redoc loads its logo in another way: look at what it loads");
  const licences = [read("redoc/LICENSE"), read("redoc/bundles/redoc.standalone.js.LICENSE.txt")];
  const notice = licences.map((licence) => licence.replaceAll("*/", "").replaceAll("/*!", "").trim()).join("\n\n");
  return `/*!\n${notice}\n*/\n${script.replace(LOGO, "data:,").replace(/\n\/\/# sourceMappingURL=\S+\s*$/, "\n")}`;
}

const files = {
  "console.js": await bundle("console/src/main.ts"),
  "docs.js": await bundle("console/src/docs.ts"),
  "viewer.js": viewer(),
};
for (const [name, text] of Object.entries(files)) {
  const target = join(folder, name);
  if (!process.argv.includes("--check")) {
    writeFileSync(target, text);
    continue;
  }
  const same = readFileSync(target, "utf8") === text;
  console.log(same ? `${name} is up to date` : `out of date: console/dist/${name}; run node tools/console.ts`);
  if (!same) process.exitCode = 1;
}
