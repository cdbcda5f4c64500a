import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openKeys, openQuotes, openSwitches, openUsage } from "../../src/stores/open-stores.ts";
import { freePort, isTaken, startProgram } from "../support/process/program.ts";
import { cli } from "./cli.ts";

const DATABASES = ["keys.sqlite", "quotes.db", "switches.db", "usage.sqlite"];
const ROW = { minute: 60, keyId: "k1", method: "GetPrice", outcome: "ok", requests: 1, units: 1 };

let folder: string;
let dataDir: string;
let saved: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backup-"));
  dataDir = join(folder, "data");
  saved = join(folder, "saved");
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...words: string[]) => cli(words, { DATA_DIR: dataDir });
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const ids = async () => JSON.parse((await run("keys", "list", "--json")).stdout).map(({ id }: { id: string }) => id);
const newKey = async () => JSON.parse((await run("keys", "create", "--label", "wallet", "--json")).stdout).id;

/** Everything that a running service has open, with something in each; a first closing closes it. */
async function openService() {
  const parts = [openKeys({ dataDir, pepper: undefined }).database, openUsage(dataDir), openQuotes(dataDir)] as const;
  const switches = openSwitches(dataDir);
  parts[1].add([ROW]);
  await switches.set({ kind: "source", id: "Uniswap_V2", off: true, reason: "tried" });
  return { close: () => [...parts, switches].forEach((part) => void part.close()) };
}

describe("a backup", () => {
  it("of a running service has all that is in its write-ahead logs, and is restored as it was", async () => {
    const service = await openService();
    const id = await newKey();
    expect(await run("backup", saved)).toMatchObject({ code: 0, stderr: expect.not.stringContaining("KEY_PEPPER") });
    expect(readdirSync(saved)).toEqual(["backup.json", "key-pepper", ...DATABASES]);
    await newKey();
    service.close();
    const later = openUsage(dataDir);
    later.add([ROW]);
    later.close();

    const restored = await run("restore", saved);
    expect(restored).toMatchObject({ code: 0 });
    expect(await ids()).toEqual([id]);
    const usage = openUsage(dataDir);
    expect(await usage.read({ from: 0, until: 120 })).toEqual([ROW]);
    usage.close();
    const [, former = ""] = /what was there before is in (\S+):/.exec(restored.stdout) ?? [];
    expect(readdirSync(former).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(["key-pepper", ...DATABASES]);
    const before = await cli(["keys", "list", "--json"], { DATA_DIR: former });
    expect(JSON.parse(before.stdout)).toHaveLength(2);
  });

  it("is restored where nothing was, as on a new machine", async () => {
    (await openService()).close();
    const id = await newKey();
    await run("backup", saved);
    dataDir = join(folder, "elsewhere");
    const { code, stdout } = await run("restore", saved);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining("before") });
    expect(await ids()).toEqual([id]);
  });

  it("is open to its owner only, and so is what is restored from it", async () => {
    (await openService()).close();
    mkdirSync(saved, { mode: 0o755 });
    await run("backup", saved);
    expect(mode(saved)).toBe("700");
    for (const name of readdirSync(saved)) expect(mode(join(saved, name)), name).toBe("600");
    for (const name of readdirSync(saved)) chmodSync(join(saved, name), 0o644);
    await run("restore", saved);
    for (const name of ["key-pepper", ...DATABASES]) expect(mode(join(dataDir, name)), name).toBe("600");
  });

  it("is not made of nothing, nor over something", async () => {
    expect(await run("backup", saved)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("holds no databases"),
    });
    (await openService()).close();
    mkdirSync(saved);
    writeFileSync(join(saved, "mine"), "");
    expect(await run("backup", saved)).toMatchObject({ code: 1, stderr: expect.stringContaining("is not empty") });
    expect(await run("backup")).toMatchObject({ code: 2, stderr: expect.stringContaining("name a new folder") });
    expect(existsSync(join(saved, "backup.json"))).toBe(false);
  });

  it("says that KEY_PEPPER is not in it, and is restored with it only", async () => {
    const pepper = { DATA_DIR: dataDir, KEY_PEPPER: "p".repeat(32) };
    await cli(["keys", "create", "--label", "wallet"], pepper);
    expect((await cli(["backup", saved], pepper)).stderr).toContain("KEY_PEPPER is not in the backup");
    expect(await run("restore", saved)).toMatchObject({ code: 2, stderr: expect.stringContaining("set KEY_PEPPER") });
    const wrong = await cli(["restore", saved], { ...pepper, KEY_PEPPER: "q".repeat(32) });
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("another pepper") });
    expect(await cli(["restore", saved], pepper)).toMatchObject({ code: 0 });
  });
});

describe("a restore", () => {
  it("is refused while a service runs, and changes nothing", async () => {
    // Its node answers nothing: it runs, and waits.
    const chain = { CHAIN: "ethereum", RPC_URL: "http://127.0.0.1:9", LOG_LEVEL: "silent" };
    const port = await freePort();
    const program = startProgram({ ...chain, DATA_DIR: dataDir, PORT: String(port) });
    try {
      await expect.poll(() => isTaken(port)).toBe(true);
      const id = await newKey();
      expect(await run("backup", saved)).toMatchObject({ code: 0 });
      const there = readdirSync(dataDir).filter((name) => !name.startsWith("pools-"));
      expect(await run("restore", saved)).toMatchObject({ code: 1, stderr: expect.stringMatching(/in use: stop the/) });
      expect(readdirSync(dataDir).filter((name) => !name.startsWith("pools-"))).toEqual(there);
      expect(await ids()).toEqual([id]);
    } finally {
      expect(await program.end("SIGTERM")).toBe(0);
    }
    expect(await run("restore", saved)).toMatchObject({ code: 0 });
  });

  it.each([
    [
      "a file that was changed",
      (at: string) => writeFileSync(join(at, "usage.sqlite"), "other"),
      /not what was backed up/,
    ],
    ["a file that is missing", (at: string) => rmSync(join(at, "keys.sqlite")), /keys.sqlite is missing/],
    ["no list of its files", (at: string) => rmSync(join(at, "backup.json")), /is no backup/],
    ["another program's list", (at: string) => writeFileSync(join(at, "backup.json"), "{}"), /not of this program/],
  ])("is refused of a backup with %s, and changes nothing", async (_, spoil, says) => {
    (await openService()).close();
    const id = await newKey();
    await run("backup", saved);
    spoil(saved);
    const there = readdirSync(dataDir);
    expect(await run("restore", saved)).toMatchObject({ code: 1, stderr: expect.stringMatching(says) });
    expect(readdirSync(dataDir)).toEqual(there);
    expect(await ids()).toEqual([id]);
  });

  it("takes the place of a database that is damaged, and keeps that too", async () => {
    (await openService()).close();
    const id = await newKey();
    await run("backup", saved);
    writeFileSync(join(dataDir, "keys.sqlite"), "no database ".repeat(100));
    const { code, stdout } = await run("restore", saved);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("before-restore-") });
    expect(await ids()).toEqual([id]);
  });
});

it("a plain copy of the files of keys and switches of a running service loses none of them", async () => {
  const service = await openService();
  const id = await newKey();
  const copy = join(folder, "copy");
  mkdirSync(copy);
  for (const name of ["keys.sqlite", "key-pepper", "switches.db"]) copyFileSync(join(dataDir, name), join(copy, name));
  service.close();
  dataDir = copy;
  expect(await ids()).toEqual([id]);
  expect((await run("switches")).stdout).toContain("Uniswap_V2");
});
