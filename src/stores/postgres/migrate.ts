import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect, sql } from "kysely";
import { type MigrationResult, Migrator } from "kysely/migration";
import pg from "pg";
import { connectionOf, databaseError } from "./database.ts";
import { MIGRATIONS, type Migration } from "./migrations.ts";

/** The schema that all tables stand in. */
const SCHEMA = "tributary";

const APPLIED = "migrations";

/** Milliseconds until a connection has to be there. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Milliseconds that a step waits for a table that others use: it goes back then and tries again, so that they wait no longer. */
const LOCK_TIMEOUT_MS = 2_000;

/** Tries for such a table, and milliseconds between. */
const TRIES = 30;
const TRY_EVERY_MS = 500;

/** Codes of PostgreSQL: a lock that could not be had in time, and a cycle of locks. */
const BUSY = ["55P03", "40P01"];

/** Result of a migration. */
export interface Migrated {
  /** Names of the steps that were made now. */
  readonly made: readonly string[];
  /** The newest step that the database has; a newer program may have made it. */
  readonly at: string;
}

/**
 * Brings the tables up to date: all steps or none. Of several processes that begin at once one does it and the others wait. A
 * database that a newer program has brought further stays as it is, unless this program cannot work with it.
 * @throws Error when it cannot be reached or changed, or a newer program has left this one behind
 */
export async function migrateDatabase(url: string, migrations: readonly Migration[] = MIGRATIONS): Promise<Migrated> {
  const pool = new pg.Pool({
    ...connectionOf(url),
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
  });
  pool.on("error", () => {});
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    for (let left = TRIES; ; left -= 1) {
      try {
        return await upToDate(database, migrations);
      } catch (error) {
        const failure = databaseError(error);
        if (left === 1 || !BUSY.includes(failure.code ?? "")) throw failure;
        await sleep(TRY_EVERY_MS);
      }
    }
  } finally {
    await database.destroy();
  }
}

async function upToDate(database: Kysely<unknown>, migrations: readonly Migration[]): Promise<Migrated> {
  const applied = await appliedSteps(database);
  const known = migrations.map(({ name }) => name);
  await checkLeastKnown(database, applied, known);
  if (known.every((name) => applied.includes(name))) return { made: [], at: applied.at(-1)! };
  const migrator = new Migrator({
    db: database,
    provider: {
      getMigrations: async () => Object.fromEntries(migrations.map((each) => [each.name, stepOf(each)])),
    },
    migrationTableSchema: SCHEMA,
    migrationTableName: APPLIED,
    migrationLockTableName: `${APPLIED}_lock`,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) {
    // Another process may have brought the database further than this one knows, since it looked.
    const now = await appliedSteps(database);
    if (now.length > applied.length) return upToDate(database, migrations);
    throw error;
  }
  return { made: results.filter(wasMade).map(({ migrationName }) => migrationName), at: known.at(-1)! };
}

function wasMade({ status }: MigrationResult): boolean {
  return status === "Success";
}

function stepOf({ statements, leastKnown }: Migration) {
  return {
    async up(database: Kysely<unknown>) {
      await sql.raw(statements).execute(database);
      if (leastKnown === undefined) return;
      await sql`CREATE TABLE IF NOT EXISTS tributary.least_known (name text NOT NULL)`.execute(database);
      await sql`INSERT INTO tributary.least_known VALUES (${leastKnown})`.execute(database);
    },
  };
}

/** Names of the steps that a database has, oldest first; none where there is no table of them yet. */
async function appliedSteps(database: Kysely<unknown>): Promise<readonly string[]> {
  if (!(await hasTable(database, APPLIED))) return [];
  const { rows } = await sql<{ name: string }>`SELECT name FROM tributary.migrations ORDER BY name`.execute(database);
  return rows.map(({ name }) => name);
}

/** @throws Error when a step was made after which this program does not know enough */
async function checkLeastKnown(
  database: Kysely<unknown>,
  applied: readonly string[],
  known: readonly string[],
): Promise<void> {
  if (applied.every((name) => known.includes(name)) || !(await hasTable(database, "least_known"))) return;
  const { rows } = await sql<{ name: string }>`SELECT name FROM tributary.least_known`.execute(database);
  const missing = rows.find(({ name }) => !known.includes(name))?.name;
  if (missing === undefined) return;
  throw new Error(
    `a newer version of this program has changed the database: run a version that knows its step ${missing}`,
  );
}

async function hasTable(database: Kysely<unknown>, name: string): Promise<boolean> {
  const { rows } = await sql`SELECT 1 WHERE to_regclass(${`${SCHEMA}.${name}`}) IS NOT NULL`.execute(database);
  return rows.length > 0;
}
