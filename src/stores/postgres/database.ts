import pg from "pg";
import { messageOf } from "../../domain/message-of.ts";
import type { Row } from "../rows.ts";

/** Connection settings of the database. */
export interface DatabaseSettings {
  /** `postgres://user:password@host:port/name`, with sslmode and what else libpq knows as parameters. */
  readonly url: string;
  /** Connections at most. */
  readonly connections?: number;
}

/** Runs one statement. @throws Error as `Database.query` */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

const CONNECTIONS = 4;

/** Milliseconds until a connection has to be there, waiting for a free one included. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Milliseconds after which the database ends a statement, or one that waits for a lock. */
const STATEMENT_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 3_000;

/** Milliseconds after which a statement without an answer is given up, whatever the database does: the network may be gone. */
const ANSWER_TIMEOUT_MS = 7_000;

/** Milliseconds after which the database ends a transaction whose process says nothing more. */
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000;

/** Milliseconds that ending the connections may take. */
const END_TIMEOUT_MS = 1_000;

const INT8 = 20;

/** Connections to one database, bounded in number and in time. */
export class Database {
  readonly #pool: pg.Pool;

  /** Connects with the first statement. @throws Error when the URL names files that cannot be read */
  constructor({ url, connections = CONNECTIONS }: DatabaseSettings) {
    this.#pool = new pg.Pool({
      ...connectionOf(url),
      max: connections,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: 30_000,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
      allowExitOnIdle: true,
    });
    // A connection that breaks while nobody uses it: the next statement takes another one and says what is wrong.
    this.#pool.on("error", () => {});
  }

  /** Runs one statement. @throws Error that says why not, without what is secret in the URL */
  async query(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    try {
      const { rows } = await this.#pool.query<Row>(text, [...values]);
      return rows;
    } catch (error) {
      throw databaseError(error);
    }
  }

  /**
   * Does all of `work` or nothing of it. When the answer to the commit is lost nobody knows which: work that must not be done
   * twice has to leave a mark in the database.
   * @throws Error what `work` throws, and as `query`
   */
  async transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw databaseError(error);
    });
    // A connection that breaks between two statements shows in the next one.
    const onError = () => {};
    client.on("error", onError);
    const query: Query = async (text, values = []) => {
      try {
        return (await client.query<Row>(text, [...values])).rows;
      } catch (error) {
        throw databaseError(error);
      }
    };
    try {
      await query("BEGIN");
      const result = await work(query);
      await query("COMMIT");
      client.off("error", onError);
      client.release();
      return result;
    } catch (error) {
      // The database rolls back when the connection ends; a ROLLBACK might wait for an answer that never comes.
      client.release(true);
      throw error;
    }
  }

  /** Ends all connections, those that do not answer as well. */
  async close(): Promise<void> {
    await Promise.race([this.#pool.end(), new Promise((resolve) => setTimeout(resolve, END_TIMEOUT_MS).unref())]);
  }
}

/** Client options that every connection shares. */
export function connectionOf(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: "tributary",
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Numbers of eight bytes are counts and times here, and fit.
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === INT8 ? (text: string) => Number(text) : pg.types.getTypeParser(oid, format as "text"),
    } as pg.CustomTypesConfig,
  };
}

/** Error with the driver's message and code alone: the driver's errors carry connections, and these the URL. */
export function databaseError(error: unknown): Error & { readonly code?: string } {
  const code = codeOf(error);
  // A name with several addresses fails once per address.
  const causes = error instanceof AggregateError ? error.errors.map(messageOf) : [messageOf(error)];
  const said = [...new Set(causes)].join("; ");
  return Object.assign(new Error(said === "" ? (code ?? "the database does not answer") : said), code && { code });
}

function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : undefined;
}
