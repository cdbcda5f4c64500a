import { setTimeout as sleep } from "node:timers/promises";
import { openUsage } from "../../api/accounts.ts";
import { usageCsv } from "../../api/usage/usage-csv.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { DEFAULT_SPAN } from "../command-options.ts";
import { configurationOf } from "../configuration.ts";
import { durationOf, momentOf } from "../duration.ts";
import { columns } from "../table.ts";
import { withDatabase } from "../with-database.ts";

/** Later than any minute. */
const FOR_EVER_MS = 8.64e15;

export async function usage(given: Invocation): Promise<ExitCode> {
  const from = given.text("from") ?? DEFAULT_SPAN;
  const to = given.text("to");
  const fromMs = sinceOf("from", from);
  const untilMs = to === undefined ? FOR_EVER_MS : momentOf("to", to, Date.now());
  const { DATA_DIR: dataDir } = configurationOf(given);
  const filter = {
    from: Math.floor(fromMs / 60_000) * 60,
    until: Math.ceil(untilMs / 1_000),
    keyId: given.text("key"),
  };
  const rows = withDatabase(
    () => openUsage(dataDir),
    (usage) => usage.read(filter),
  );
  if (given.has("csv")) given.print(usageCsv(rows).trimEnd());
  else if (given.has("json")) given.print(JSON.stringify(rows, null, 2));
  else {
    const head = ["minute", "key", "method", "outcome", "requests", "units"];
    const lines = rows.map((row) => [
      ...[new Date(row.minute * 1_000).toISOString(), row.keyId, row.method, row.outcome],
      ...[String(row.requests), String(row.units)],
    ]);
    given.print(columns([head, ...lines], [4, 5]).join("\n"));
  }
  return EXIT.ok;
}

/** Rows that are taken away at a time, and milliseconds between: a service that writes meanwhile waits for no more. */
const FORGET_AT_A_TIME = 5_000;
const FORGET_EVERY_MS = 50;

export async function usageForget(given: Invocation): Promise<ExitCode> {
  const before = given.text("before");
  if (before === undefined) throw new UsageError("--before is required: a date, or a span back from now such as 400d");
  const minute = Math.floor(sinceOf("before", before) / 60_000) * 60;
  const { DATA_DIR: dataDir } = configurationOf(given);
  let rows = 0;
  for (let isMore = true; isMore; ) {
    const taken = withDatabase(
      () => openUsage(dataDir),
      (usage) => usage.forget(minute, FORGET_AT_A_TIME),
    );
    rows += taken;
    isMore = taken === FORGET_AT_A_TIME;
    if (isMore) await sleep(FORGET_EVERY_MS);
  }
  given.print(`${rows} rows of before ${new Date(minute * 1_000).toISOString()} are forgotten`);
  return EXIT.ok;
}

/** Unix milliseconds of a date, or of a span back from now. @throws UsageError */
function sinceOf(option: string, text: string): number {
  return /^\d+[smhd]$/.test(text) ? Date.now() - durationOf(option, text) : momentOf(option, text, 0);
}
