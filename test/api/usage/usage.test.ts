import { expect, test } from "vitest";
import type { UsageRow } from "../../../src/api/usage/usage-database.ts";
import { createUsageMeter } from "../../../src/api/usage/usage-meter.ts";
import { csv, sumByAccount, usageTable } from "../../../src/api/usage/usage-view.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { createMemoryUsageDatabase } from "../../../src/stores/memory/usage-database.ts";

const SILENT = createLogger("silent");
const MINUTE = 1_800_000_000;
const ALL = { from: 0, until: 2 ** 40 };
const CALL = { keyId: "k1", method: "GetPrice", outcome: "ok", units: 1 };

test("what cannot be written is written later, once", async () => {
  const database = createMemoryUsageDatabase();
  let broken = true;
  const add = (rows: readonly UsageRow[]) => {
    if (broken) throw new Error("disk full");
    database.add(rows);
  };
  const meter = createUsageMeter({ add }, { logger: SILENT, now: () => MINUTE * 1_000 });
  meter.count(CALL);
  meter.flush();
  meter.count(CALL);
  expect(() => meter.stop()).toThrow("disk full");
  expect(await database.read(ALL)).toEqual([]);
  broken = false;
  meter.flush();
  meter.flush();
  expect(await database.read(ALL)).toMatchObject([{ requests: 2 }]);
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
