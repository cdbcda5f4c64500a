/**
 * Runs the benchmarks named in the arguments, all of them without any: the folders of bench/ that have a bench.ts. `hostile`
 * is run by its name only, since it takes ten minutes; `--seconds` makes it shorter and `--only` picks attacks.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("./", import.meta.url));
const folders = readdirSync(root).filter((name) => existsSync(join(root, name, "bench.ts")));
const scripts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(folders.map((name) => [name, join(root, name, "bench.ts")])),
  hostile: join(root, "api", "hostile.ts"),
};
const { positionals: asked, values } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: "string" }, only: { type: "string" } },
});
const unknown = asked.filter((name) => scripts[name] === undefined);
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(", ")}; there are ${Object.keys(scripts).join(", ")}`);
  process.exit(2);
}
const flags = Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);
for (const name of asked.length > 0 ? asked : folders) {
  console.log(`# ${name}`);
  const { status } = spawnSync(process.execPath, [scripts[name]!, ...(name === "hostile" ? flags : [])], {
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}
