import { openDatabase, transaction } from "../../ops/database.ts";

/** How often a key has called a method in one minute, with one outcome. */
export interface UsageRow {
  /** Unix seconds of the minute's start. */
  readonly minute: number;
  readonly keyId: string;
  /** Name of the service's method. */
  readonly method: string;
  /** "ok", or the kind of refusal that was answered; "ABANDONED" when the caller left before. */
  readonly outcome: string;
  readonly requests: number;
  /** Units that were charged. */
  readonly units: number;
}

const VERSIONS = [
  `CREATE TABLE usage (
     minute INTEGER NOT NULL,
     key_id TEXT NOT NULL,
     method TEXT NOT NULL,
     outcome TEXT NOT NULL,
     requests INTEGER NOT NULL,
     units INTEGER NOT NULL,
     PRIMARY KEY (minute, key_id, method, outcome)
   ) STRICT, WITHOUT ROWID;`,
];

/** Usage, kept in a file. Several services may add to it. */
export interface UsageDatabase {
  /** Adds all rows or none of them; what is added is on the disk when the call returns. */
  add(rows: readonly UsageRow[]): void;
  /** Rows of the minutes from `from` to before `until`, unix seconds; by time, then key. */
  read(filter: {
    readonly from: number;
    readonly until: number;
    readonly keyId?: string | undefined;
  }): readonly UsageRow[];
  /** Takes away the oldest rows of before `minute`, unix seconds, at most so many. How many it took. */
  forget(minute: number, most: number): number;
  /** The last minute that each key was used in, unix seconds. */
  lastUsed(): ReadonlyMap<string, number>;
  close(): void;
}

/** @throws Error when the file cannot be used */
export function openUsageDatabase(file: string): UsageDatabase {
  const database = openDatabase(file, VERSIONS);
  const insert = database.prepare(
    `INSERT INTO usage (minute, key_id, method, outcome, requests, units) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, units = units + excluded.units`,
  );
  const select = database.prepare(
    `SELECT minute, key_id, method, outcome, requests, units FROM usage
     WHERE minute >= ?1 AND minute < ?2 AND (?3 IS NULL OR key_id = ?3)
     ORDER BY minute, key_id, method, outcome`,
  );
  const remove = database.prepare(
    `DELETE FROM usage WHERE (minute, key_id, method, outcome) IN
       (SELECT minute, key_id, method, outcome FROM usage WHERE minute < ? ORDER BY minute LIMIT ?)`,
  );
  const last = database.prepare("SELECT key_id, max(minute) AS minute FROM usage GROUP BY key_id");
  return {
    add(rows) {
      if (rows.length === 0) return;
      transaction(database, () => {
        for (const { minute, keyId, method, outcome, requests, units } of rows) {
          insert.run(minute, keyId, method, outcome, requests, units);
        }
      });
    },
    read: ({ from, until, keyId }) =>
      select.all(from, until, keyId ?? null).map((row) => ({
        minute: row.minute as number,
        keyId: row.key_id as string,
        method: row.method as string,
        outcome: row.outcome as string,
        requests: row.requests as number,
        units: row.units as number,
      })),
    forget: (minute, most) => Number(remove.run(minute, most).changes),
    lastUsed: () => new Map(last.all().map((row) => [row.key_id as string, row.minute as number])),
    close: () => database.close(),
  };
}
