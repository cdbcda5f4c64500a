import { afterEach, describe, expect, test } from "vitest";
import type { SwitchRecord } from "../../src/domain/switches.ts";

const V2_OFF = { kind: "source", id: "Uniswap_V2", off: true, reason: "pays too little" } as const;

/** Longest time until what another process has switched is seen, milliseconds. */
const SEEN_WITHIN_MS = 1_000;

/** Holds every implementation of SwitchRecord to the same. `create` answers what opens one state again and again. */
export function describeSwitchRecord(name: string, create: (now: () => number) => () => SwitchRecord) {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0).reverse()) end();
  });

  function world() {
    const clock = { now: 1_000 };
    const open = create(() => clock.now);
    return {
      clock,
      open() {
        const record = open();
        ends.push(record.close);
        return record;
      },
    };
  }

  describe(`switches kept ${name}`, () => {
    test("are all on at first", () => {
      const record = world().open();
      const { source, pool, token } = record.off();
      expect([source.size, pool.size, token.size]).toEqual([0, 0, 0]);
      expect(record.history()).toEqual([]);
    });

    test("stay as they were set over another opening, and every change is on record", () => {
      const { open, clock } = world();
      const first = open();
      expect(first.set(V2_OFF)).toBe(true);
      expect(first.set(V2_OFF)).toBe(false);
      expect([...first.off().source]).toEqual(["Uniswap_V2"]);
      clock.now = 2_000;
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

    test("change nothing when what is on is switched on, or the other kind has that id", () => {
      const record = world().open();
      expect(record.set({ ...V2_OFF, off: false })).toBe(false);
      expect(record.history()).toEqual([]);
      record.set(V2_OFF);
      expect(record.set({ ...V2_OFF, kind: "pool" })).toBe(true);
      expect([[...record.off().source], [...record.off().pool]]).toEqual([["Uniswap_V2"], ["Uniswap_V2"]]);
    });

    test("are seen by others in time, and are the same object until they change", () => {
      const { open, clock } = world();
      const service = open();
      const before = service.off();
      clock.now += SEEN_WITHIN_MS;
      expect(service.off()).toBe(before);
      open().set(V2_OFF);
      clock.now += SEEN_WITHIN_MS;
      const after = service.off();
      expect([...after.source]).toEqual(["Uniswap_V2"]);
      clock.now += SEEN_WITHIN_MS;
      expect(service.off()).toBe(after);
      expect(before.source.size).toBe(0);
    });

    test("do not change without a reason", () => {
      const record = world().open();
      expect(() => record.set({ ...V2_OFF, reason: "" })).toThrow();
      expect(record.history()).toEqual([]);
      expect(record.off().source.size).toBe(0);
    });
  });
}
