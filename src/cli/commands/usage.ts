import { setTimeout as sleep } from "node:timers/promises";
import type { UsageDatabase } from "../../api/usage/usage-database.ts";
import { csv, SPANS, sumByAccount, type UsageGrouping, usageJson, usageTable } from "../../api/usage/usage-view.ts";
import { withStores } from "../../compose/stores.ts";
import { EXIT, type ExitCode, type Invocation, UsageError } from "../command.ts";
import { DEFAULT_SPAN } from "../command-options.ts";
import { configurationOf } from "../connection/configuration.ts";
import { durationOf, momentOf } from "../view/duration.ts";
import { columns } from "../view/table.ts";

/** Later than any minute. */
const FOR_EVER_MS = 8.64e15;

export async function usage(given: Invocation): Promise<ExitCode> {
  const grouping = groupingOf(given);
  const filter = filterOf(given, SPANS[grouping.per]);
  const rows = await withStores(configurationOf(given), async (stores) => (await stores.usage()).read(filter));
  const wanted = given.text("account");
  const accountOf =
    grouping.by === "account" || wanted !== undefined ? await accountsOf(given) : (keyId: string) => keyId;
  const kept = wanted === undefined ? rows : rows.filter(({ keyId }) => accountOf(keyId) === wanted);
  const shown = grouping.by === "account" ? sumByAccount(kept, accountOf) : kept;
  if (given.has("csv")) given.print(csv(usageTable(shown, grouping)).trimEnd());
  else if (given.has("json")) given.print(JSON.stringify(usageJson(shown, grouping), null, 2));
  else given.print(columns(usageTable(shown, grouping), [4, 5]).join("\n"));
  return EXIT.ok;
}

/** @throws UsageError */
function groupingOf({ text }: Invocation): UsageGrouping {
  const [per, by] = [text("per") ?? "minute", text("by") ?? "key"];
  if (per !== "minute" && per !== "hour" && per !== "day") {
    throw new UsageError(`--per: ${per} is not a span: give minute, hour or day`);
  }
  if (by !== "key" && by !== "account") throw new UsageError(`--by: ${by} is not a caller: give key or account`);
  return { per, by };
}

/** Whole spans from --from on. @throws UsageError */
function filterOf({ text }: Invocation, spanSeconds: number): Parameters<UsageDatabase["read"]>[0] {
  const to = text("to");
  const fromMs = sinceOf("from", text("from") ?? DEFAULT_SPAN);
  const untilMs = to === undefined ? FOR_EVER_MS : momentOf("to", to, Date.now());
  return {
    from: Math.floor(fromMs / 1_000 / spanSeconds) * spanSeconds,
    until: Math.ceil(untilMs / 1_000),
    keyId: text("key"),
    spanSeconds,
  };
}

/** Account of each key. The key of TRIBUTARY_API_KEY is in no database: it stands for itself. */
async function accountsOf(given: Invocation): Promise<(keyId: string) => string> {
  const keys = await withStores(configurationOf(given), async (stores) => (await stores.keys()).database.list());
  const accounts = new Map(keys.map(({ id, account }) => [id, account]));
  return (keyId) => accounts.get(keyId) ?? keyId;
}

/** Rows that are taken away at a time, and milliseconds between: a service that writes meanwhile waits for no more. */
const FORGET_AT_A_TIME = 5_000;
const FORGET_EVERY_MS = 50;

export async function usageForget(given: Invocation): Promise<ExitCode> {
  const before = given.text("before");
  if (before === undefined) throw new UsageError("give --before: a date, or a span back from now such as 400d");
  const minute = Math.floor(sinceOf("before", before) / 60_000) * 60;
  const rows = await withStores(configurationOf(given), async (stores) => {
    const usage = await stores.usage();
    for (let sum = 0; ; await sleep(FORGET_EVERY_MS)) {
      const taken = await usage.forget(minute, FORGET_AT_A_TIME);
      sum += taken;
      if (taken < FORGET_AT_A_TIME) return sum;
    }
  });
  given.print(`${rows} rows from before ${new Date(minute * 1_000).toISOString()} are deleted`);
  return EXIT.ok;
}

/** Unix milliseconds of a date, or of a span back from now. @throws UsageError */
function sinceOf(option: string, text: string): number {
  return /^\d+[smhd]$/.test(text) ? Date.now() - durationOf(option, text) : momentOf(option, text, 0);
}
