import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Asks for help of everything there is, and prints which modules that has loaded. */
const SCRIPT = `
import { registerHooks } from "node:module";
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
const { run } = await import("./src/cli/run.ts");
const { commands } = await import("./src/cli/commands/index.ts");
const silent = { environment: {}, print() {}, note() {} };
for (const words of [[], ["keys"], ...commands.map(({ name }) => name.split(" "))]) {
  if ((await run([...words, "--help"], silent)) !== 0) throw new Error(words.join(" "));
}
console.log(JSON.stringify(loaded));
`;

it("help of every command loads nothing of the service, and no package", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", SCRIPT], { cwd: root });
  const loaded = (JSON.parse(stdout) as string[])
    .filter((url) => url.startsWith("file:"))
    .map((url) => url.split(root)[1]);
  expect(loaded).toContain("src/cli/help.ts");
  expect(loaded.filter((file) => file?.startsWith("node_modules/"))).toEqual([]);
  const rooms = loaded.filter((file) => !file?.startsWith("src/cli/"));
  expect(rooms.toSorted()).toEqual([
    "package.json",
    "src/api/rest/nearest-names.ts",
    "src/domain/message-of.ts",
    "src/ops/version.ts",
  ]);
});
