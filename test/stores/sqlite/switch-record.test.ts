import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSwitchRecord } from "../../../src/stores/sqlite/switch-record.ts";

const V2_OFF = { kind: "source", id: "Uniswap_V2", off: true, reason: "pays too little" } as const;

test("the file is looked at once a second, and what was read holds until then and while it cannot be read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "switches-"));
  const file = join(folder, "switches.db");
  const faults: unknown[] = [];
  let nowMs = 1_000;
  const service = openSwitchRecord(file, { now: () => nowMs, onFault: (error) => faults.push(error) });
  const before = service.off();
  const operator = openSwitchRecord(file, { now: () => nowMs });
  await operator.set(V2_OFF);
  nowMs += 999;
  expect(service.off()).toBe(before);
  nowMs += 1;
  const after = service.off();
  expect([...after.source]).toEqual(["Uniswap_V2"]);
  expect(faults).toEqual([]);
  service.close();
  nowMs += 1_000;
  expect(service.off()).toBe(after);
  expect(faults).toHaveLength(1);
  operator.close();
  rmSync(folder, { recursive: true });
});
