import { afterEach, describe, expect, test } from "vitest";
import type { SwitchRecord } from "../../src/domain/switches.ts";

const V2_OFF = { kind: "source", id: "Uniswap_V2", off: true, reason: "pays too little" } as const;

/** Longest time until what another process has switched is seen, milliseconds. */
const SEEN_WITHIN_MS = 1_000;

/** Holds every implementation of SwitchRecord to the same. `create` answers what opens one state again and again. */
export function describeSwitchRecord(
  name: string,
  create: (now: () => number) => () => SwitchRecord | Promise<SwitchRecord>,
) {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0).reverse()) end();
  });

  function world() {
    const clock = { now: 1_000 };
    const open = create(() => clock.now);
    return {
      clock,
      async open() {
        const record = await open();
        ends.push(record.close);
        return record;
      },
    };
  }

  describe(`switches kept ${name}`, () => {
    test("are all on at first", async () => {
      const record = await world().open();
      const { source, pool, token } = record.off();
      expect([source.size, pool.size, token.size]).toEqual([0, 0, 0]);
      expect(await record.history()).toEqual([]);
    });

    test("stay as they were set over another opening, and every change is on record", async () => {
      const { open, clock } = world();
      const first = await open();
      expect(await first.set(V2_OFF)).toBe(true);
      expect(await first.set(V2_OFF)).toBe(false);
      expect([...first.off().source]).toEqual(["Uniswap_V2"]);
      clock.now = 2_000;
      const second = await open();
      expect([...second.off().source]).toEqual(["Uniswap_V2"]);
      expect(await second.set({ ...V2_OFF, off: false, reason: "mended" })).toBe(true);
      expect(second.off().source.size).toBe(0);
      expect(await second.set({ kind: "token", id: "0xaa", off: true, reason: "hacked" })).toBe(true);
      expect(await second.history()).toEqual([
        { ...V2_OFF, at: 1_000 },
        { ...V2_OFF, off: false, reason: "mended", at: 2_000 },
        { kind: "token", id: "0xaa", off: true, reason: "hacked", at: 2_000 },
      ]);
    });

    test("change nothing when what is on is switched on, or the other kind has that id", async () => {
      const record = await world().open();
      expect(await record.set({ ...V2_OFF, off: false })).toBe(false);
      expect(await record.history()).toEqual([]);
      await record.set(V2_OFF);
      expect(await record.set({ ...V2_OFF, kind: "pool" })).toBe(true);
      expect([[...record.off().source], [...record.off().pool]]).toEqual([["Uniswap_V2"], ["Uniswap_V2"]]);
    });

    test("are seen by others in time, and are the same object until they change", async () => {
      const { open, clock } = world();
      const service = await open();
      const before = service.off();
      clock.now += SEEN_WITHIN_MS;
      expect(service.off()).toBe(before);
      await (await open()).set(V2_OFF);
      clock.now += SEEN_WITHIN_MS;
      await expect.poll(() => [...service.off().source]).toEqual(["Uniswap_V2"]);
      const after = service.off();
      clock.now += SEEN_WITHIN_MS;
      expect(service.off()).toBe(after);
      expect(before.source.size).toBe(0);
    });

    test("do not change without a reason", async () => {
      const record = await world().open();
      await expect(record.set({ ...V2_OFF, reason: "" })).rejects.toThrow();
      expect(await record.history()).toEqual([]);
      expect(record.off().source.size).toBe(0);
    });
  });
}
