import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openKeys, openSwitches } from "../../src/stores/open-stores.ts";

let folder: string;
let dataDir: string;
let umask: number;
beforeEach(() => {
  umask = process.umask(0o022);
  folder = mkdtempSync(join(tmpdir(), "data-folder-"));
  dataDir = join(folder, "data");
});
afterEach(() => {
  process.umask(umask);
  rmSync(folder, { recursive: true });
});

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const modes = () => Object.fromEntries(readdirSync(dataDir).map((name) => [name, mode(join(dataDir, name))]));
/** Works with what a service keeps, and tells the modes of all files while it is open. */
async function modesInUse(): Promise<Readonly<Record<string, string>>> {
  const keys = openKeys({ dataDir, pepper: undefined }).database;
  const switches = openSwitches(dataDir);
  await switches.set({ kind: "source", id: "Uniswap_V2", off: true, reason: "tried" });
  const found = modes();
  switches.close();
  keys.close();
  return found;
}

it("what a service keeps is for its owner only, with the logs beside it, in a folder that was open to all", async () => {
  mkdirSync(dataDir, { mode: 0o755 });
  const found = await modesInUse();
  expect(Object.keys(found)).toEqual(
    expect.arrayContaining(["keys.sqlite", "keys.sqlite-shm", "keys.sqlite-wal", "switches.db", "switches.db-wal"]),
  );
  for (const [name, is] of Object.entries(found)) expect(is, name).toBe("600");
  expect(mode(dataDir)).toBe("700");
});

it("files that an earlier program left open to all are closed", async () => {
  await modesInUse();
  chmodSync(dataDir, 0o755);
  for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o644);
  const { "key-pepper": _, ...found } = await modesInUse();
  for (const [name, is] of Object.entries(found)) expect(is, name).toBe("600");
  expect(mode(dataDir)).toBe("700");
});

it("a folder with other things in it keeps its mode, and what is ours in it is closed all the same", async () => {
  mkdirSync(dataDir, { mode: 0o755 });
  writeFileSync(join(dataDir, "site.html"), "");
  const { "site.html": other, ...found } = await modesInUse();
  expect(other).toBe("644");
  for (const [name, is] of Object.entries(found)) expect(is, name).toBe("600");
  expect(mode(dataDir)).toBe("755");
});
