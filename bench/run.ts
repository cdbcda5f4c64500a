/** Runs the benchmarks named in the arguments, all of them without any: the folders of bench/ that have a bench.ts. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL(".", import.meta.url));
const known = readdirSync(root).filter((name) => existsSync(join(root, name, "bench.ts")));
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(", ")}; there are ${known.join(", ")}`);
  process.exit(2);
}
for (const name of asked.length > 0 ? asked : known) {
  console.log(`# ${name}`);
  const { status } = spawnSync(process.execPath, [join(root, name, "bench.ts")], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
