import type { UsageDatabase } from "../../api/usage/usage-database.ts";
import { usageRowOf } from "../rows.ts";
import { openDatabase, transaction } from "./database.ts";

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

/** Usage in a file: what is added is on the disk when the call returns. @throws Error when the file cannot be used */
export function openUsageDatabase(file: string): UsageDatabase {
  const database = openDatabase(file, VERSIONS);
  const insert = database.prepare(
    `INSERT INTO usage (minute, key_id, method, outcome, requests, units) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, units = units + excluded.units`,
  );
  const select = database.prepare(
    `SELECT minute - minute % :span AS start, key_id, method, outcome, sum(requests) AS requests, sum(units) AS units
     FROM usage
     WHERE minute >= :from AND minute < :until AND (:keyId IS NULL OR key_id = :keyId)
     GROUP BY start, key_id, method, outcome
     ORDER BY start, key_id, method, outcome`,
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
    read: async ({ from, until, keyId, spanSeconds = 60 }) =>
      select.all({ from, until, keyId: keyId ?? null, span: spanSeconds }).map(usageRowOf),
    forget: async (minute, most) => Number(remove.run(minute, most).changes),
    lastUsed: async () => new Map(last.all().map((row) => [row.key_id as string, row.minute as number])),
    close: () => database.close(),
  };
}
