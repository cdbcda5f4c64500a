import { setTimeout as sleep } from "node:timers/promises";
import type { Digest } from "../../api/keys/pepper.ts";
import type { SwitchRecord } from "../../domain/switches.ts";
import { Outbox } from "../sqlite/outbox.ts";
import type { Stores } from "../stores.ts";
import { ChangeListener } from "./change-listener.ts";
import { Database, type DatabaseSettings, databaseError } from "./database.ts";
import { Delivery } from "./delivery.ts";
import { openKeyDatabase } from "./key-database.ts";
import { migrateDatabase } from "./migrate.ts";
import { openQuoteLog } from "./quote-log.ts";
import { openSwitchRecord } from "./switch-record.ts";
import { openUsageDatabase } from "./usage-database.ts";

/** Database that all replicas share, and this replica's outbox. */
export interface PostgresOptions {
  readonly settings: DatabaseSettings;
  /** Path of the file with writes that wait for the database. */
  readonly outboxFile: string;
  /** Digest of keys, equal on all replicas. */
  readonly digest: () => Digest;
  /** Quotes that are kept; older ones are dropped. */
  readonly mostQuotes: number | undefined;
  /** Milliseconds between two deliveries of what waits. */
  readonly deliverEveryMs?: number;
  /** Milliseconds that a start waits for a database that is not there yet; none: it has to be. */
  readonly patienceMs?: number;
  /** Told of what cannot be written or heard, and when it can be again (undefined). */
  readonly onOutage?: (reason: string | undefined) => void;
}

/** Milliseconds between two tries to reach a database that is not there yet. */
const TRY_EVERY_MS = 500;

/** Codes of what passes by itself: no connection, a name not known yet, a server that starts or stops, too many connections. */
const PASSING = /^(E[A-Z_]+|57P0[123]|53300|08...)$/;

/** The driver's messages, without a code, about connections that break or time out. */
const CUT_OFF = /terminated|timeout/i;

/**
 * Opens the stores of all replicas, with tables that are up to date. What waited from the last run goes out from now on.
 * @throws Error when the database cannot be reached or used
 */
export async function openPostgres(place: PostgresOptions): Promise<Stores> {
  const { settings, outboxFile, mostQuotes, deliverEveryMs, onOutage } = place;
  await reached(() => migrateDatabase(settings.url), place.patienceMs ?? 0);
  const database = new Database(settings);
  const changes = new ChangeListener(settings.url);
  const outbox = new Outbox(outboxFile, mostQuotes === undefined ? {} : { mostQuotes });
  const delivery = new Delivery(outbox, database, {
    ...(mostQuotes !== undefined && { mostQuotes }),
    ...(deliverEveryMs !== undefined && { everyMs: deliverEveryMs }),
    onFault: (reason) => onOutage?.(reason),
    onRecovery: () => onOutage?.(undefined),
  });
  delivery.start();
  const followed: SwitchRecord[] = [];
  return {
    async keys() {
      const digest = place.digest();
      return { database: await openKeyDatabase({ database, changes, digest }), digest };
    },
    usage: async () => openUsageDatabase(database, outbox, delivery),
    quotes: async () => openQuoteLog(database, outbox, delivery),
    async switches(onFault) {
      const record = await openSwitchRecord(database, changes, onFault === undefined ? {} : { onFault });
      followed.push(record);
      return record;
    },
    waiting: () => ({ ...outbox.sizes(), isReached: !delivery.failing }),
    async close() {
      for (const record of followed) record.close();
      await delivery.stop();
      await changes.close();
      outbox.close();
      await database.close();
    },
  };
}

/** Tries until the database is there. @throws Error when it is not in time, or says that it never will */
async function reached<T>(work: () => Promise<T>, patienceMs: number): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const failure = databaseError(error);
      const isPassing = failure.code === undefined ? CUT_OFF.test(failure.message) : PASSING.test(failure.code);
      if (!isPassing || performance.now() > until) throw failure;
      await sleep(TRY_EVERY_MS);
    }
  }
}
