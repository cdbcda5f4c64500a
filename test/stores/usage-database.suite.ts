import { afterEach, describe, expect, test } from "vitest";
import type { UsageDatabase } from "../../src/api/usage/usage-database.ts";
import { createUsageMeter } from "../../src/api/usage/usage-meter.ts";
import { createLogger } from "../../src/ops/logger.ts";

const MINUTE = 1_800_000_000;
const ALL = { from: 0, until: 2 ** 40 };
const CALL = { keyId: "k1", method: "GetPrice", outcome: "ok", units: 1 };
const ROW = { ...CALL, minute: MINUTE, requests: 1, units: 2 };

/** Holds every implementation of UsageDatabase to the same. `create` answers what opens one state again and again. */
export function describeUsageDatabase(name: string, create: () => () => UsageDatabase | Promise<UsageDatabase>) {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0).reverse()) end();
  });

  function world() {
    const open = create();
    return async () => {
      const database = await open();
      ends.push(database.close);
      return database;
    };
  }

  function meterOn(database: UsageDatabase, clock = { now: MINUTE * 1_000 }) {
    return createUsageMeter(database, { logger: createLogger("silent"), now: () => clock.now });
  }

  describe(`usage kept ${name}`, () => {
    test("is each call in its minute, by key, method and outcome", async () => {
      const open = world();
      const database = await open();
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
      const other = await open();
      await expect.poll(() => other.read(ALL)).toEqual(rows);
      expect(await database.read({ ...ALL, keyId: "k0" })).toEqual([rows[3]]);
      expect(await database.read({ from: MINUTE + 60, until: MINUTE + 120 })).toEqual(rows.slice(3));
      expect(await database.read({ from: MINUTE, until: MINUTE + 60 })).toEqual(rows.slice(0, 3));
      expect(await database.lastUsed()).toEqual(
        new Map([
          ["k0", MINUTE + 60],
          ["k1", MINUTE + 60],
        ]),
      );
    });

    test("is nothing at first, and after no rows", async () => {
      const database = await world()();
      database.add([]);
      expect(await database.read(ALL)).toEqual([]);
      expect(await database.lastUsed()).toEqual(new Map());
      expect(await database.forget(MINUTE, 10)).toBe(0);
      expect(await database.read({ ...ALL, keyId: "nobody" })).toEqual([]);
    });

    test("adds up what two services count in the same minute", async () => {
      const open = world();
      const [one, two] = [await open(), await open()];
      for (const meter of [meterOn(one), meterOn(two)]) {
        meter.count(CALL);
        meter.stop();
      }
      await expect.poll(() => one.read(ALL)).toMatchObject([{ requests: 2, units: 2 }]);
    });

    test("loses a whole batch with a row that cannot be written, and nothing else", async () => {
      const database = await world()();
      database.add([ROW]);
      expect(() => database.add([ROW, { ...ROW, minute: Number.NaN }])).toThrow();
      expect(await database.read(ALL)).toEqual([ROW]);
    });

    test("is added up over hours and days of UTC", async () => {
      const database = await world()();
      const day = MINUTE - (MINUTE % 86_400);
      database.add([0, 59, 60, 24 * 60 - 1, 24 * 60].map((minute) => ({ ...ROW, minute: day + minute * 60 })));
      const per = async (spanSeconds: number) =>
        (await database.read({ ...ALL, spanSeconds })).map((it) => [it.minute - day, it.requests]);
      expect(await per(3_600)).toEqual([
        [0, 2],
        [3_600, 1],
        [23 * 3_600, 1],
        [86_400, 1],
      ]);
      expect(await per(86_400)).toEqual([
        [0, 4],
        [86_400, 1],
      ]);
    });

    test("forgets its oldest rows, so many at a time, and none that is not old", async () => {
      const open = world();
      const database = await open();
      const minutes = [3, 1, 2, 0, 4].map((minute) => MINUTE + 60 * minute);
      database.add(minutes.map((minute) => ({ ...ROW, minute })));
      const other = await open();
      const left = async () => (await other.read(ALL)).map(({ minute }) => (minute - MINUTE) / 60);
      expect(await database.forget(MINUTE + 180, 2)).toBe(2);
      expect(await left()).toEqual([2, 3, 4]);
      expect(await database.forget(MINUTE + 180, 2)).toBe(1);
      expect(await database.forget(MINUTE + 180, 2)).toBe(0);
      expect(await left()).toEqual([3, 4]);
    });
  });
}
