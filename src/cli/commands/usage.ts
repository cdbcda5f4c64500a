import { openUsage } from "../../api/accounts.ts";
import { usageCsv } from "../../api/usage/usage-csv.ts";
import { ConfigError } from "../../ops/config.ts";
import { type Command, EXIT } from "../command.ts";
import { CONFIGURATION_OPTIONS, configurationOf } from "../configuration.ts";
import { durationOf, momentOf } from "../duration.ts";
import { columns } from "../table.ts";

const DEFAULT_SPAN = "1d";

/** Later than any minute. */
const FOR_EVER_MS = 8.64e15;

export const usage: Command = {
  name: "usage",
  about: "Says how often each key has called what, minute by minute.",
  takes: "",
  options: {
    from: { value: "when", about: `a date, or a span back from now; ${DEFAULT_SPAN} without it` },
    to: { value: "when", about: "a date; now without it" },
    key: { value: "id", about: "of this key only" },
    csv: { about: "print CSV" },
    json: { about: "print JSON" },
    ...CONFIGURATION_OPTIONS,
  },
  example: "usage --from 30d --csv",
  async run(given) {
    const from = given.text("from") ?? DEFAULT_SPAN;
    const to = given.text("to");
    const fromMs = /^\d+[smhd]$/.test(from) ? Date.now() - durationOf("from", from) : momentOf("from", from, 0);
    const untilMs = to === undefined ? FOR_EVER_MS : momentOf("to", to, Date.now());
    const { DATA_DIR: dataDir } = configurationOf(given);
    const rows = readUsage(dataDir, {
      from: Math.floor(fromMs / 60_000) * 60,
      until: Math.ceil(untilMs / 1_000),
      keyId: given.text("key"),
    });
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
  },
};

function readUsage(
  dataDir: string,
  filter: { readonly from: number; readonly until: number; readonly keyId: string | undefined },
) {
  try {
    const database = openUsage(dataDir);
    try {
      return database.read(filter);
    } finally {
      database.close();
    }
  } catch (error) {
    throw new ConfigError([`DATA_DIR: ${error instanceof Error ? error.message : error}`]);
  }
}
