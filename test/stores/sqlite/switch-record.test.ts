import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SwitchRecord } from "../../../src/domain/switches.ts";
import { openSwitchRecord } from "../../../src/stores/sqlite/switch-record.ts";

let folder: string;
let nowMs = 0;
const opened: SwitchRecord[] = [];
const open = () => {
  const record = openSwitchRecord(join(folder, "switches.db"), { now: () => nowMs });
  opened.push(record);
  return record;
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "switches-"));
  nowMs = 1_000;
});
afterEach(() => {
  for (const record of opened.splice(0)) record.close();
  rmSync(folder, { recursive: true });
});

const V2_OFF = { kind: "source", id: "Uniswap_V2", off: true, reason: "pays too little" } as const;

test("what is switched off stays off over a restart, and every change is on record", () => {
  const first = open();
  expect(first.set(V2_OFF)).toBe(true);
  expect(first.set(V2_OFF)).toBe(false);
  expect([...first.off().source]).toEqual(["Uniswap_V2"]);
  nowMs = 2_000;
  const second = open();
  expect([...second.off().source]).toEqual(["Uniswap_V2"]);
  expect(second.set({ ...V2_OFF, off: false, reason: "mended" })).toBe(true);
  expect(second.off().source.size).toBe(0);
  expect(second.set({ kind: "token", id: "0xaa", off: true, reason: "hacked" })).toBe(true);
  expect(second.history()).toEqual([
    { ...V2_OFF, at: 1_000 },
    { ...V2_OFF, off: false, reason: "mended", at: 2_000 },
    { kind: "token", id: "0xaa", off: true, reason: "hacked", at: 2_000 },
  ]);
});

test("another process's change is seen within a second, and what has not changed stays the same object", () => {
  const service = open();
  const before = service.off();
  open().set(V2_OFF);
  expect(service.off()).toBe(before);
  nowMs += 1_000;
  const after = service.off();
  expect([...after.source]).toEqual(["Uniswap_V2"]);
  nowMs += 1_000;
  expect(service.off()).toBe(after);
});

test("a change without a reason is refused", () => {
  expect(() => open().set({ ...V2_OFF, reason: "" })).toThrow();
});
