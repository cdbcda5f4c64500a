import type { UsageDatabase, UsageRow } from "../../api/usage/usage-database.ts";
import { usageRowOf } from "../rows.ts";
import type { Outbox, UsageBatch } from "../sqlite/outbox.ts";
import type { Database, Query } from "./database.ts";
import type { Delivery } from "./delivery.ts";

/**
 * Usage in PostgreSQL, of all replicas. What is added is on this machine's disk when the call returns and goes out from there;
 * reading shows it at once here, elsewhere when it has arrived.
 */
export function openUsageDatabase(database: Database, outbox: Outbox, delivery: Delivery): UsageDatabase {
  const current: Query = async (text, values) => {
    await delivery.flush();
    return database.query(text, values);
  };
  return {
    add: (rows) => outbox.count(rows),
    async read({ from, until, keyId, spanSeconds = 60 }) {
      const rows = await current(
        `SELECT minute - minute % $4::bigint AS start, key_id, method, outcome,
                sum(requests)::bigint AS requests, sum(units)::bigint AS units
         FROM tributary.usage
         WHERE minute >= $1 AND minute < $2 AND ($3::text IS NULL OR key_id = $3)
         GROUP BY start, key_id, method, outcome
         ORDER BY start, key_id, method, outcome`,
        [from, until, keyId ?? null, spanSeconds],
      );
      return rows.map(usageRowOf);
    },
    async forget(minute, most) {
      const [row] = await current(
        `WITH forgotten AS (
           DELETE FROM tributary.usage WHERE (minute, key_id, method, outcome) IN
             (SELECT minute, key_id, method, outcome FROM tributary.usage WHERE minute < $1 ORDER BY minute LIMIT $2)
           RETURNING 1)
         SELECT count(*) AS rows FROM forgotten`,
        [minute, most],
      );
      return Number(row?.rows);
    },
    async lastUsed() {
      // From key to key by the index: reading all rows takes minutes where there are years of them.
      const rows = await current(
        `WITH RECURSIVE used AS (
           SELECT min(key_id) AS key_id FROM tributary.usage
           UNION ALL
           SELECT (SELECT min(key_id) FROM tributary.usage WHERE key_id > used.key_id) FROM used WHERE key_id IS NOT NULL)
         SELECT key_id, (SELECT max(minute) FROM tributary.usage WHERE usage.key_id = used.key_id) AS minute
         FROM used WHERE key_id IS NOT NULL`,
      );
      return new Map(rows.map((row) => [row.key_id as string, row.minute as number]));
    },
    close() {},
  };
}

/** Counts a batch, unless it has been counted before. */
export async function countBatch(database: Database, { writer, number, rows }: UsageBatch): Promise<void> {
  await database.transaction(async (query) => {
    await query("INSERT INTO tributary.writers (writer, delivered) VALUES ($1, 0) ON CONFLICT DO NOTHING", [writer]);
    const [row] = await query("SELECT delivered FROM tributary.writers WHERE writer = $1 FOR UPDATE", [writer]);
    if (Number(row?.delivered) >= number) return;
    await addUsage(query, rows);
    await query("UPDATE tributary.writers SET delivered = $2, seen_at = now() WHERE writer = $1", [writer, number]);
  });
}

/** Adds rows up with those that are there. */
export async function addUsage(query: Query, rows: readonly UsageRow[]): Promise<void> {
  // In one order, so that two replicas that add to the same rows wait for each other, and not in a circle.
  await query(
    `INSERT INTO tributary.usage (minute, key_id, method, outcome, requests, units)
     SELECT minute, key_id, method, outcome, sum(requests), sum(units)
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
       AS added (minute, key_id, method, outcome, requests, units)
     GROUP BY minute, key_id, method, outcome
     ORDER BY minute, key_id COLLATE "C", method COLLATE "C", outcome COLLATE "C"
     ON CONFLICT (minute, key_id, method, outcome)
       DO UPDATE SET requests = usage.requests + excluded.requests, units = usage.units + excluded.units`,
    [
      rows.map(({ minute }) => minute),
      rows.map(({ keyId }) => keyId),
      rows.map(({ method }) => method),
      rows.map(({ outcome }) => outcome),
      rows.map(({ requests }) => requests),
      rows.map(({ units }) => units),
    ],
  );
}
