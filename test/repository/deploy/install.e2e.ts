import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startProgram } from "../../support/process/program.ts";

const shell = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));
/** Parts of a clone that the product runs with. */
const PARTS = ["package.json", "package-lock.json", ".npmrc", "bin", "src", "gen", "contracts", "console"];
const MINUTES = 60_000;

/** The machine as an operator has it: its own Node, and nothing that npm has set for this test. */
const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || /^(npm_(?!config_(registry|cache|userconfig|.*proxy)$)|INIT_CWD|NODE|TRIBUTARY)/.test(name)
        ? []
        : [[name, value]],
    ),
  ),
  PATH: (process.env.PATH ?? "")
    .split(":")
    .filter((part) => !part.includes("node_modules"))
    .join(":"),
};

/** Whether the registry answered; says nothing of the packages when not. */
function isUnreachable(error: unknown): boolean {
  return /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b/.test(String(error));
}

describe("an install without development dependencies, on the machine's own Node", () => {
  let folder: string;
  let isOffline = false;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "install-"));
    for (const part of PARTS) cpSync(join(root, part), join(folder, part), { recursive: true });
    await shell("npm", ["ci", "--omit=dev", "--prefer-offline", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"], {
      cwd: folder,
      env: environment,
    }).catch((error) => {
      if (!isUnreachable(error)) throw error;
      isOffline = true;
    });
  }, 5 * MINUTES);
  afterAll(() => rmSync(folder, { recursive: true }));

  it("brings neither TypeScript nor tools", ({ skip }) => {
    skip(isOffline, "the registry cannot be reached");
    const found = readdirSync(join(folder, "node_modules"));
    expect(found).toContain("viem");
    expect(found.filter((name) => /typescript|vitest|esbuild|knip|biome/.test(name))).toEqual([]);
  });

  it("serves the devnet with npm start", { timeout: 2 * MINUTES }, async ({ skip }) => {
    skip(isOffline, "the registry cannot be reached");
    const options = { PORT: "0", DEVNET_PORT: "0", TRIBUTARY_API_KEY: "a-key-of-my-own" };
    const program = startProgram({ ...environment, ...options }, ["npm", "start"], folder);
    try {
      const [line] = await program.prints(/^curl .*$/m);
      const { stdout } = await shell("sh", ["-c", line]);
      expect(JSON.parse(stdout)).toMatchObject({ chainId: 31337, sellAmount: "1000000000000000000" });
    } finally {
      await program.end("SIGTERM");
    }
    expect(program.stderr()).toContain('"msg":"stopping"');
  });

  it("runs from the PATH, and says in a sentence what is missing without the Node that npm brings", async ({
    skip,
  }) => {
    skip(isOffline, "the registry cannot be reached");
    const onPath = join(folder, "on-path");
    symlinkSync(join(folder, "bin"), onPath);
    symlinkSync("tributary.js", join(folder, "bin", "tributary"));
    const env = { ...environment, PATH: `${onPath}:${environment.PATH}` };
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect((await shell("tributary", ["--version"], { env })).stdout).toBe(`tributary ${version}\n`);
    await expect(shell("tributary", ["no-command"], { env })).rejects.toMatchObject({ code: 2 });

    for (const name of readdirSync(join(folder, "node_modules"))) {
      if (name.startsWith("node-")) rmSync(join(folder, "node_modules", name), { recursive: true });
    }
    expect(existsSync(join(folder, "node_modules/viem"))).toBe(true);
    const { stdout: own } = await shell("node", ["--version"], { env });
    const run = shell("tributary", ["--version"], { env });
    if (Number(/^v(\d+)/.exec(own)?.[1]) >= 24) expect((await run).stdout).toContain(version);
    else {
      const sentence = `Tributary needs Node 24 and this is ${own.trim()}: install Node 24, or run npm ci without --omit=optional in Tributary's folder.\n`;
      await expect(run).rejects.toMatchObject({ code: 1, stderr: sentence });
    }
  });
});
