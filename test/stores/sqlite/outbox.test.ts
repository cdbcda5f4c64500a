import { copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { UsageRow } from "../../../src/api/usage/usage-database.ts";
import { Outbox } from "../../../src/stores/sqlite/outbox.ts";
import { quoteOf } from "../quote-log.suite.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outbox-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const ROW = { minute: 600, keyId: "k", method: "GetPrice", outcome: "ok", requests: 1, units: 2 };
const fileOf = (name = "outbox.sqlite") => join(folder, name);

/** All usage that waits, batch by batch. */
function drain(outbox: Outbox): readonly UsageRow[] {
  const rows: UsageRow[] = [];
  for (let batch = outbox.nextBatch(); batch !== undefined; batch = outbox.nextBatch()) {
    rows.push(...batch.rows);
    outbox.dropBatch(batch);
  }
  return rows;
}
const sumOf = (rows: readonly UsageRow[]) =>
  rows.reduce((sum, row) => ({ requests: sum.requests + row.requests, units: sum.units + row.units }), {
    requests: 0,
    units: 0,
  });

describe("an outbox", () => {
  it("makes no file while nothing waits, and one for its owner only", () => {
    const outbox = new Outbox(fileOf());
    expect([outbox.nextBatch(), outbox.nextQuotes(5), outbox.sizes()]).toEqual([undefined, [], { rows: 0, quotes: 0 }]);
    expect(() => statSync(fileOf())).toThrow();
    outbox.count([ROW]);
    expect(statSync(fileOf()).mode & 0o777).toBe(0o600);
    outbox.close();
  });

  it("keeps what waits over another opening, and a batch as it was until it has arrived", () => {
    const first = new Outbox(fileOf());
    first.count([ROW, ROW]);
    const batch = first.nextBatch();
    first.count([ROW]);
    first.record(quoteOf("a"));
    first.close();
    const second = new Outbox(fileOf());
    expect(second.nextBatch()).toEqual(batch);
    expect(batch?.rows).toEqual([{ ...ROW, requests: 2, units: 4 }]);
    second.dropBatch(batch!);
    const next = second.nextBatch()!;
    expect(next.rows).toEqual([ROW]);
    expect(next.number).toBeGreaterThan(batch!.number);
    expect(next.writer).not.toBe(batch!.writer);
    expect(second.nextQuotes(5).map(({ requestId, writer }) => [requestId, writer])).toEqual([["a", batch!.writer]]);
    second.close();
  });

  it("of a file that was copied names what both have alike, and what they add apart", () => {
    const original = new Outbox(fileOf());
    original.count([ROW]);
    const both = original.nextBatch();
    original.close();
    copyFileSync(fileOf(), fileOf("copy.sqlite"));
    const openings = [new Outbox(fileOf()), new Outbox(fileOf("copy.sqlite"))];
    expect(openings.map((outbox) => outbox.nextBatch())).toEqual([both, both]);
    const added = openings.map((outbox) => {
      outbox.dropBatch(both!);
      outbox.count([ROW]);
      return outbox.nextBatch()!.writer;
    });
    expect(new Set(added).size).toBe(2);
    for (const outbox of openings) outbox.close();
  });

  it("loses no call, whatever is added and however full it gets", () => {
    const row = fc.record({
      minute: fc.integer({ min: 0, max: 3_000 }).map((minutes) => minutes * 60),
      keyId: fc.constantFrom("a", "b"),
      method: fc.constantFrom("GetPrice", "GetQuote"),
      outcome: fc.constantFrom("ok", "UNAVAILABLE"),
      requests: fc.integer({ min: 1, max: 1_000 }),
      units: fc.integer({ min: 0, max: 1_000 }),
    });
    let runs = 0;
    let merged = 0;
    fc.assert(
      fc.property(
        fc.array(fc.array(row, { minLength: 1, maxLength: 8 }), { minLength: 100, maxLength: 120 }),
        (additions) => {
          runs += 1;
          const outbox = new Outbox(fileOf(`${runs}.sqlite`), { mostRows: 40 });
          for (const rows of additions) outbox.count(rows);
          const waiting = outbox.sizes().rows;
          const rows = drain(outbox);
          expect(sumOf(rows)).toEqual(sumOf(additions.flat()));
          // Looked at with the hundredth addition: three days of eight combinations are fewer than it may hold.
          const [before, after] = [additions.slice(0, 100).flat(), additions.slice(100).flat()];
          expect(waiting).toBeLessThanOrEqual(40 + after.length);
          if (new Set(before.map(({ requests: _, units: __, ...name }) => JSON.stringify(name))).size > 40) merged += 1;
          outbox.close();
        },
      ),
      { seed: 39, numRuns: 5, endOnFailure: true },
    );
    expect([runs, merged]).toEqual([5, 5]);
  });

  it("holds no more quotes than are kept at all: the newest", () => {
    const outbox = new Outbox(fileOf(), { mostQuotes: 10 });
    for (let n = 0; n < 1_000; n += 1) outbox.record(quoteOf(`q${n}`));
    expect(outbox.nextQuotes(50).map(({ requestId }) => requestId)).toEqual(
      Array.from({ length: 10 }, (_, n) => `q${990 + n}`),
    );
    outbox.dropQuotes(outbox.nextQuotes(4).at(-1)!.number);
    expect(outbox.sizes()).toEqual({ rows: 0, quotes: 6 });
    outbox.close();
  });

  it("adds all rows of a call or none", () => {
    const outbox = new Outbox(fileOf());
    expect(() => outbox.count([ROW, { ...ROW, minute: Number.NaN }])).toThrow();
    expect(drain(outbox)).toEqual([]);
    outbox.close();
  });
});
