import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openKeys, openQuotes, openStores, openSwitches, openUsage } from "../../src/stores/open-stores.ts";
import { MIGRATIONS } from "../../src/stores/postgres/migrations.ts";
import { quoteOf } from "../stores/quote-log.suite.ts";
import { PEPPER } from "../support/databases/replica.ts";
import { testDatabases, WITHOUT_POSTGRES } from "../support/databases/test-postgres.ts";
import { cli } from "./cli.ts";

const NEWEST = MIGRATIONS.at(-1)!.name;
const ROW = { minute: 600, keyId: "k", method: "GetPrice", outcome: "ok", requests: 2, units: 3 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "migrate-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("without DATABASE_URL, migrate says what it is for", async () => {
  const outcome = await cli(["migrate"], { DATA_DIR: folder });
  expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining("DATABASE_URL is not set") });
  const without = await cli(["migrate"], { DATABASE_URL: "postgres://127.0.0.1/none" });
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining("KEY_PEPPER is needed with DATABASE_URL") });
});

describe.skipIf(WITHOUT_POSTGRES !== undefined)("with PostgreSQL", () => {
  const databases = testDatabases();
  const world = async () => ({ DATABASE_URL: await databases.create(), KEY_PEPPER: PEPPER, DATA_DIR: folder });

  it("migrate makes the tables once, and is done the second time", async () => {
    const environment = await world();
    const said = [...MIGRATIONS.map(({ name }) => `made ${name}`), `the tables are at ${NEWEST}`].join("\n");
    expect(await cli(["migrate"], environment)).toMatchObject({ code: 0, stdout: said });
    expect(readFileSync(new URL("../../docs/database.md", import.meta.url), "utf8")).toContain(`\n${said}\n`);
    expect(await cli(["migrate"], environment)).toMatchObject({ code: 0, stdout: `the tables are at ${NEWEST}` });
  });

  it("keys, usage and switches are those of the database, and no file is made", async () => {
    const environment = await world();
    const json = async (...words: string[]) => {
      const { code, stdout, stderr } = await cli([...words, "--json"], environment);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return JSON.parse(stdout);
    };
    const { id } = await json("keys", "create", "--account", "acme", "--rate", "5");
    expect(await json("keys", "update", id, "--label", "wallet")).toMatchObject({ label: "wallet", unitsPerSecond: 5 });
    expect(await json("keys", "rotate", id)).toMatchObject({ id });
    const elsewhere = await openStores({
      ...{ dataDir: join(folder, "replica"), pepper: PEPPER },
      postgres: { settings: { url: environment.DATABASE_URL } },
    });
    const minute = Math.floor(Date.now() / 60_000) * 60;
    (await elsewhere.usage()).add([{ ...ROW, keyId: id, minute }]);
    await elsewhere.close();
    expect(await json("usage", "--by", "account", "--per", "day")).toMatchObject([{ account: "acme", requests: 2 }]);
    expect(await json("keys", "list")).toMatchObject([{ id, lastUsedAt: new Date(minute * 1_000).toISOString() }]);
    expect(await cli(["usage", "forget", "--before", "2999-01-01"], environment)).toMatchObject({
      stdout: expect.stringContaining("1 rows from before"),
    });
    await cli(["switch", "off", "source", "Uniswap_V2", "--reason", "tried"], environment);
    expect(await json("switches")).toMatchObject([{ kind: "source", id: "Uniswap_V2", off: true, reason: "tried" }]);
    expect(await databases.query(environment.DATABASE_URL, "SELECT count(*)::int AS n FROM tributary.keys")).toEqual([
      { n: 1 },
    ]);
  });

  it("backup and restore name PostgreSQL's own programs", async () => {
    const environment = await world();
    const backup = await cli(["backup", "monday"], environment);
    expect(backup).toMatchObject({ code: 2, stderr: expect.stringContaining("pg_dump --format=custom") });
    const restore = await cli(["restore", "monday.dump"], environment);
    expect(restore).toMatchObject({ code: 2, stderr: expect.stringContaining("pg_restore --clean") });
  });

  describe("--from-sqlite", () => {
    /** A data folder with something of everything, and what it holds. */
    async function filled(pepper = PEPPER) {
      const keys = openKeys({ dataDir: folder, pepper }).database;
      const usage = openUsage(folder);
      const quotes = openQuotes(folder);
      const switches = openSwitches(folder);
      const terms = {
        label: "",
        expiresAt: null,
        methods: ["GetPrice"],
        origins: null,
        integrator: null,
        surplus: null,
        limit: null,
      };
      const made = [await keys.create({ ...terms, account: "a" }), await keys.create({ ...terms, account: "b" })];
      await keys.rotate(made[0]!.record.id, 1_000);
      await keys.revoke(made[1]!.record.id);
      for (let day = 0; day < 3; day += 1)
        usage.add([
          { ...ROW, minute: day * 86_400 + 60 },
          { ...ROW, minute: day * 86_400 },
        ]);
      for (const id of ["a", "b", "a"]) quotes.record(quoteOf(id));
      await switches.set({ kind: "source", id: "X", off: true, reason: "r" });
      await switches.set({ kind: "source", id: "X", off: false, reason: "s" });
      const all = { from: 0, until: 2 ** 40 };
      const held = {
        keys: await keys.list(),
        usage: await usage.read(all),
        quotes: await quotes.find("a"),
        switches: await switches.history(),
      };
      const close = () => [keys, usage, quotes, switches].forEach((store) => void store.close());
      return { held, close };
    }
    const read = async (environment: Awaited<ReturnType<typeof world>>) => {
      const place = { dataDir: join(folder, "new"), pepper: PEPPER };
      const stores = await openStores({ ...place, postgres: { settings: { url: environment.DATABASE_URL } } });
      const keys = (await (await stores.keys()).database.list()).map((key) => ({
        ...key,
        secrets: key.secrets.map((secret) => ({ ...secret, digest: new Uint8Array(secret.digest) })),
      }));
      const held = {
        keys,
        usage: await (await stores.usage()).read({ from: 0, until: 2 ** 40 }),
        quotes: await (await stores.quotes()).find("a"),
        switches: await (await stores.switches()).history(),
      };
      await stores.close();
      return held;
    };

    it("copies everything, once", async () => {
      const environment = await world();
      const { held, close } = await filled();
      const inUse = await cli(["migrate", "--from-sqlite"], environment);
      expect(inUse).toMatchObject({ code: 1, stderr: expect.stringContaining("in use: stop the service") });
      close();
      const { code, stdout } = await cli(["migrate", "--from-sqlite"], environment);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringContaining("2 keys, 6 rows of usage, 3 quotes, 2 changes of switches"),
      });
      expect(await read(environment)).toEqual(held);
      const again = await cli(["migrate", "--from-sqlite"], environment);
      expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("keys is not empty") });
      expect(await read(environment)).toEqual(held);
    });

    it("copies nothing with another pepper, or of a folder with nothing in it", async () => {
      const environment = await world();
      const none = await cli(["migrate", "--from-sqlite"], environment);
      expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("holds no databases") });
      const { close } = await filled("another pepper, which is long enough");
      close();
      const other = await cli(["migrate", "--from-sqlite"], environment);
      expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining("made with another pepper") });
      expect(await read(environment)).toEqual({ keys: [], usage: [], quotes: [], switches: [] });
    });
  });
});
