import { ALL_ON, type SwitchEvent, type SwitchRecord, switchedOff } from "../../domain/switches.ts";

/** Switches of one process, gone when it ends. */
export function createMemorySwitchRecord(now: () => number = Date.now): SwitchRecord {
  const events: SwitchEvent[] = [];
  let off = ALL_ON;
  return {
    off: () => off,
    async set({ kind, id, off: isOff, reason }) {
      if (off[kind].has(id) === isOff) return false;
      if (reason === "") throw new Error("a change of switches needs a reason");
      events.push({ at: now(), kind, id, off: isOff, reason });
      off = switchedOff(events);
      return true;
    },
    history: async () => [...events],
    close() {},
  };
}
