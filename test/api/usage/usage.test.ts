import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { UsageRow } from "../../../src/api/usage/usage-database.ts";
import { createUsageMeter } from "../../../src/api/usage/usage-meter.ts";
import { csv, sumByAccount, usageTable } from "../../../src/api/usage/usage-view.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { openUsageDatabase } from "../../../src/stores/sqlite/usage-database.ts";

const SILENT = createLogger("silent");
const MINUTE = 1_800_000_000;
const ALL = { from: 0, until: 2 ** 40 };
const CALL = { keyId: "k1", method: "GetPrice", outcome: "ok", units: 1 };

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end();
});

function openBook() {
  const folder = mkdtempSync(join(tmpdir(), "usage-"));
  ends.push(() => rmSync(folder, { recursive: true }));
  const open = () => {
    const database = openUsageDatabase(join(folder, "usage.sqlite"));
    ends.push(database.close);
    return database;
  };
  return open;
}

function meterOn(database: { add(rows: readonly UsageRow[]): void }, clock = { now: MINUTE * 1_000 }) {
  const meter = createUsageMeter(database, { logger: SILENT, now: () => clock.now });
  ends.push(() => {
    try {
      meter.stop();
    } catch {}
  });
  return meter;
}

test("each call is counted in its minute, by key, method and outcome", () => {
  const open = openBook();
  const database = open();
  const clock = { now: MINUTE * 1_000 };
  const meter = meterOn(database, clock);
  meter.count(CALL);
  clock.now += 59_999;
  meter.count(CALL);
  meter.count({ ...CALL, method: "GetQuote", units: 5 });
  meter.flush();
  meter.count({ ...CALL, outcome: "UNAVAILABLE" });
  meter.count(CALL);
  clock.now += 1;
  meter.count(CALL);
  meter.count({ ...CALL, keyId: "k0" });
  meter.stop();
  const rows = [
    { minute: MINUTE, keyId: "k1", method: "GetPrice", outcome: "UNAVAILABLE", requests: 1, units: 1 },
    { minute: MINUTE, keyId: "k1", method: "GetPrice", outcome: "ok", requests: 3, units: 3 },
    { minute: MINUTE, keyId: "k1", method: "GetQuote", outcome: "ok", requests: 1, units: 5 },
    { minute: MINUTE + 60, keyId: "k0", method: "GetPrice", outcome: "ok", requests: 1, units: 1 },
    { minute: MINUTE + 60, keyId: "k1", method: "GetPrice", outcome: "ok", requests: 1, units: 1 },
  ];
  expect(open().read(ALL)).toEqual(rows);
  expect(database.read({ ...ALL, keyId: "k0" })).toEqual([rows[3]]);
  expect(database.read({ from: MINUTE + 60, until: MINUTE + 120 })).toEqual(rows.slice(3));
  expect(database.read({ from: MINUTE, until: MINUTE + 60 })).toEqual(rows.slice(0, 3));
  expect(database.lastUsed()).toEqual(
    new Map([
      ["k0", MINUTE + 60],
      ["k1", MINUTE + 60],
    ]),
  );
});

test("two services add to the same minute", () => {
  const open = openBook();
  const [one, two] = [open(), open()];
  for (const meter of [meterOn(one), meterOn(two)]) {
    meter.count(CALL);
    meter.stop();
  }
  expect(one.read(ALL)).toMatchObject([{ requests: 2, units: 2 }]);
});

test("what cannot be written is written later, once", () => {
  const database = openBook()();
  let broken = true;
  const add = (rows: readonly UsageRow[]) => {
    if (broken) throw new Error("disk full");
    database.add(rows);
  };
  const meter = meterOn({ add });
  meter.count(CALL);
  meter.flush();
  meter.count(CALL);
  expect(() => meter.stop()).toThrow("disk full");
  expect(database.read(ALL)).toEqual([]);
  broken = false;
  meter.flush();
  meter.flush();
  expect(database.read(ALL)).toMatchObject([{ requests: 2 }]);
});

test("a row that cannot be written takes its whole batch back", () => {
  const database = openBook()();
  const row = { ...CALL, minute: MINUTE, requests: 1 };
  expect(() => database.add([row, { ...row, minute: Number.NaN }])).toThrow();
  expect(database.read(ALL)).toEqual([]);
});

test("usage is added up over hours and days of UTC", () => {
  const database = openBook()();
  const row = { ...CALL, requests: 1, units: 2 };
  const day = MINUTE - (MINUTE % 86_400);
  database.add([0, 59, 60, 24 * 60 - 1, 24 * 60].map((minute) => ({ ...row, minute: day + minute * 60 })));
  const per = (spanSeconds: number) =>
    database.read({ ...ALL, spanSeconds }).map((it) => [it.minute - day, it.requests]);
  expect(per(3_600)).toEqual([
    [0, 2],
    [3_600, 1],
    [23 * 3_600, 1],
    [86_400, 1],
  ]);
  expect(per(86_400)).toEqual([
    [0, 4],
    [86_400, 1],
  ]);
});

test("CSV, with what has commas and quotes in it", () => {
  const row = { ...CALL, minute: MINUTE, requests: 7, units: 7 };
  const table = (rows: readonly (typeof row)[]) => csv(usageTable(rows, { per: "minute", by: "key" }));
  expect(table([row])).toBe(
    "minute,key,method,outcome,requests,units\r\n2027-01-15T08:00:00.000Z,k1,GetPrice,ok,7,7\r\n",
  );
  expect(table([])).toBe("minute,key,method,outcome,requests,units\r\n");
  const byAccount = sumByAccount([row, { ...row, keyId: "k2" }], () => 'Acme, "Inc"');
  expect(csv(usageTable(byAccount, { per: "hour", by: "account" })).split("\r\n")[1]).toBe(
    '2027-01-15T08:00:00.000Z,"Acme, ""Inc""",GetPrice,ok,14,14',
  );
});
