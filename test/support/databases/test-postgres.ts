import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll } from "vitest";

/** The server that tests make databases of their own on; TEST_POSTGRES names another one. */
const SERVER = process.env.TEST_POSTGRES ?? "postgres://postgres@127.0.0.1:5432/postgres";

/** Why tests with a database cannot run here; undefined when they can. */
export const WITHOUT_POSTGRES = await reasonWithout();

/** Databases of one test file, dropped after its tests. */
export interface TestDatabases {
  /** The URL of a new, empty database. */
  create(): Promise<string>;
  /** Rows of a statement, by a connection of its own. */
  query(url: string, text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

export function testDatabases(): TestDatabases {
  const names: string[] = [];
  afterAll(async () => {
    for (const name of names) await onServer(SERVER, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
  return {
    async create() {
      const name = `tributary_test_${randomBytes(6).toString("hex")}`;
      await onServer(SERVER, `CREATE DATABASE ${name} TEMPLATE template0`);
      names.push(name);
      const url = new URL(SERVER);
      url.pathname = `/${name}`;
      return url.href;
    },
    query: onServer,
  };
}

async function reasonWithout(): Promise<string | undefined> {
  try {
    await onServer(SERVER, "SELECT 1");
    return undefined;
  } catch (error) {
    const reason = `no PostgreSQL at ${new URL(SERVER).host} (${error instanceof Error ? error.message : error})`;
    process.stderr.write(`skipped: ${reason}; start one, or name it with TEST_POSTGRES\n`);
    return reason;
  }
}

async function onServer(url: string, text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
