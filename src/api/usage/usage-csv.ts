import type { UsageRow } from "./usage-database.ts";

const COLUMNS = ["minute", "key", "method", "outcome", "requests", "units"];

/** Usage as CSV (RFC 4180): minutes as UTC timestamps. None of the texts can hold a comma or a quote. */
export function usageCsv(rows: readonly UsageRow[]): string {
  const lines = rows.map(({ minute, keyId, method, outcome, requests, units }) =>
    [new Date(minute * 1_000).toISOString(), keyId, method, outcome, requests, units].join(","),
  );
  return [COLUMNS.join(","), ...lines].map((line) => `${line}\r\n`).join("");
}
