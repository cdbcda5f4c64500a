import type { UsageRow } from "./usage-database.ts";

/** Spans that usage is added up over, in seconds. Hours and days are those of UTC. */
export const SPANS = { minute: 60, hour: 3_600, day: 86_400 } as const;

/** Grouping of usage: by spans, and by key or by account. */
export interface UsageGrouping {
  readonly per: keyof typeof SPANS;
  readonly by: "key" | "account";
}

/** Adds up what the keys of each account did. A key of no known account stands for itself. */
export function sumByAccount(rows: readonly UsageRow[], accountOf: (keyId: string) => string): readonly UsageRow[] {
  const sums = new Map<string, UsageRow>();
  for (const row of rows) {
    const keyId = accountOf(row.keyId);
    const name = JSON.stringify([row.minute, keyId, row.method, row.outcome]);
    const { requests, units } = sums.get(name) ?? { requests: 0, units: 0 };
    sums.set(name, { ...row, keyId, requests: requests + row.requests, units: units + row.units });
  }
  return [...sums.values()];
}

/** Usage as a table with a head; times as UTC timestamps. */
export function usageTable(rows: readonly UsageRow[], { per, by }: UsageGrouping): readonly (readonly string[])[] {
  return [
    [per, by, "method", "outcome", "requests", "units"],
    ...rows.map(({ minute, keyId, method, outcome, requests, units }) => [
      new Date(minute * 1_000).toISOString(),
      ...[keyId, method, outcome, String(requests), String(units)],
    ]),
  ];
}

/** Usage for programs; times in unix seconds. */
export function usageJson(rows: readonly UsageRow[], { per, by }: UsageGrouping): readonly object[] {
  return rows.map(({ minute, keyId, ...rest }) => ({
    [per]: minute,
    [by === "key" ? "keyId" : "account"]: keyId,
    ...rest,
  }));
}

/** A table as CSV (RFC 4180). */
export function csv(table: readonly (readonly string[])[]): string {
  return table.map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
