import { afterEach, describe, expect, it } from "vitest";
import { migrateDatabase } from "../../../src/stores/postgres/migrate.ts";
import { MIGRATIONS, type Migration } from "../../../src/stores/postgres/migrations.ts";
import { openReplica } from "../../support/databases/replica.ts";
import { testDatabases, WITHOUT_POSTGRES } from "../../support/databases/test-postgres.ts";
import { PLAIN } from "../key-database.suite.ts";

const NEWEST = MIGRATIONS.at(-1)!.name;

/** Migration of a next version: it changes nothing that this one uses. */
const EXPANDED: Migration = {
  name: "9998-expand",
  statements: `
    ALTER TABLE tributary.keys ADD COLUMN tier text;
    ALTER TABLE tributary.usage ADD COLUMN bytes bigint NOT NULL DEFAULT 0;
    ALTER TABLE tributary.quotes ADD COLUMN maker text;
    CREATE TABLE tributary.tiers (name text PRIMARY KEY);
    CREATE INDEX quotes_by_maker ON tributary.quotes (maker);
  `,
};
const CONTRACTED: Migration = {
  name: "9999-contract",
  statements: "ALTER TABLE tributary.keys DROP COLUMN label",
  leastKnown: EXPANDED.name,
};
const ROW = { minute: 600, keyId: "k", method: "GetPrice", outcome: "ok", requests: 1, units: 1 };

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

describe.skipIf(WITHOUT_POSTGRES !== undefined)("a database", () => {
  const databases = testDatabases();

  it("is brought up to date by one of many that start at once, and by nobody a second time", async () => {
    const url = await databases.create();
    const all = await Promise.all(Array.from({ length: 6 }, () => migrateDatabase(url)));
    expect(all.map(({ at }) => at)).toEqual(all.map(() => NEWEST));
    expect(all.flatMap(({ made }) => made).sort()).toEqual(MIGRATIONS.map(({ name }) => name));
    expect(await migrateDatabase(url)).toEqual({ made: [], at: NEWEST });
  });

  it("stays as it was when a step fails, all steps of that run included", async () => {
    const url = await databases.create();
    const broken = { name: "9998-broken", statements: "CREATE TABLE tributary.half (); SELECT nothing" };
    await expect(migrateDatabase(url, [...MIGRATIONS, broken])).rejects.toThrow(/nothing/);
    const tables = await databases.query(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'tributary'");
    expect(tables.map(({ tablename }) => tablename)).not.toContain("half");
    expect(tables.map(({ tablename }) => tablename)).not.toContain("keys");
    expect(await migrateDatabase(url)).toMatchObject({ at: NEWEST });
  });

  it("that a newer version has expanded serves replicas of this one: running ones, and ones that start", async () => {
    const url = await databases.create();
    const running = await openReplica(url);
    ends.push(running.close);
    const [{ database: keys }, usage, switches] = [
      await running.keys(),
      await running.usage(),
      await running.switches(),
    ];
    const before = await keys.create({ ...PLAIN, label: "before" });
    let [isOver, added] = [false, 0];
    const working = (async () => {
      while (!isOver) {
        usage.add([ROW]);
        added += 1;
        await usage.lastUsed();
        await keys.update(before.record.id, { label: `at ${added}` });
      }
    })();
    await expect.poll(() => added).toBeGreaterThan(3);
    const { made } = await migrateDatabase(url, [...MIGRATIONS, EXPANDED]);
    expect(made).toEqual([EXPANDED.name]);
    const atChange = added;
    await expect.poll(() => added).toBeGreaterThan(atChange + 3);
    isOver = true;
    await working;
    expect(await switches.set({ kind: "source", id: "X", off: true, reason: "tried" })).toBe(true);

    const started = await openReplica(url);
    ends.push(started.close);
    const after = await (await started.keys()).database.create({ ...PLAIN, label: "after" });
    const listed = (await keys.list()).map(({ id }) => id);
    expect(listed).toEqual([before.record.id, after.record.id]);
    expect(await (await started.usage()).read({ from: 0, until: 6_000 })).toEqual([
      { ...ROW, requests: added, units: added },
    ]);
    expect(await migrateDatabase(url)).toEqual({ made: [], at: EXPANDED.name });
  });

  it("that has been contracted is refused by versions that do not know enough, in words", async () => {
    const url = await databases.create();
    await migrateDatabase(url, [...MIGRATIONS, EXPANDED, CONTRACTED]);
    await expect(migrateDatabase(url)).rejects.toThrow(
      /a newer version .* run a version that knows its step 9998-expand/,
    );
    expect(await migrateDatabase(url, [...MIGRATIONS, EXPANDED])).toEqual({ made: [], at: CONTRACTED.name });
  });

  it("waits for a table that others use, and does not keep them from it meanwhile", async () => {
    const url = await databases.create();
    await migrateDatabase(url);
    const holder = databases.query(
      url,
      "BEGIN; LOCK TABLE tributary.keys IN ACCESS SHARE MODE; SELECT pg_sleep(3); COMMIT",
    );
    await expect
      .poll(() => databases.query(url, "SELECT 1 FROM pg_locks WHERE relation = 'tributary.keys'::regclass"))
      .toHaveLength(1);
    expect(await migrateDatabase(url, [...MIGRATIONS, EXPANDED])).toMatchObject({ made: [EXPANDED.name] });
    await holder;
  });
});

it("has steps that only add, unless they say which version has to be gone", () => {
  const takesAway = /\b(DROP|RENAME|TRUNCATE|SET NOT NULL|ALTER COLUMN|DELETE FROM)\b/i;
  for (const { name, statements, leastKnown } of MIGRATIONS)
    if (takesAway.test(statements)) expect(leastKnown, name).toBeDefined();
  expect(takesAway.test(CONTRACTED.statements)).toBe(true);
  expect(takesAway.test(EXPANDED.statements)).toBe(false);
});
