import type { UsageDatabase, UsageRow } from "../../api/usage/usage-database.ts";

/** Usage of one process, gone when it ends. */
export function createMemoryUsageDatabase(): UsageDatabase {
  let kept: readonly UsageRow[] = [];
  return {
    add(rows) {
      for (const { minute, requests, units } of rows) {
        if (![minute, requests, units].every(Number.isSafeInteger))
          throw new RangeError("usage is counted in integers");
      }
      kept = summed([...kept, ...rows]);
    },
    read: async ({ from, until, keyId, spanSeconds = 60 }) =>
      summed(
        kept
          .filter((row) => row.minute >= from && row.minute < until && (keyId === undefined || row.keyId === keyId))
          .map((row) => ({ ...row, minute: row.minute - (row.minute % spanSeconds) })),
      ),
    async forget(minute, most) {
      const old = Math.min(kept.filter((row) => row.minute < minute).length, most);
      kept = kept.slice(old);
      return old;
    },
    // Rows stand in the order of time: a key's last one wins.
    lastUsed: async () => new Map(kept.map((row) => [row.keyId, row.minute])),
    close() {},
  };
}

/** One row per minute, key, method and outcome, in that order. */
function summed(rows: readonly UsageRow[]): readonly UsageRow[] {
  const sums = new Map<string, UsageRow>();
  for (const row of rows) {
    const { minute, keyId, method, outcome } = row;
    const name = JSON.stringify([minute, keyId, method, outcome]);
    const { requests, units } = sums.get(name) ?? { requests: 0, units: 0 };
    sums.set(name, { minute, keyId, method, outcome, requests: requests + row.requests, units: units + row.units });
  }
  return [...sums.values()].sort(
    (a, b) =>
      a.minute - b.minute || compare(a.keyId, b.keyId) || compare(a.method, b.method) || compare(a.outcome, b.outcome),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
