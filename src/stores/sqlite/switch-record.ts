import { type SwitchEvent, type SwitchKind, type SwitchRecord, switchedOff } from "../../domain/switches.ts";
import { openDatabase, settle } from "./database.ts";

const VERSIONS = [
  `CREATE TABLE switches (
     number INTEGER PRIMARY KEY,
     at INTEGER NOT NULL,
     kind TEXT NOT NULL CHECK (kind IN ('source', 'pool', 'token')),
     id TEXT NOT NULL,
     off INTEGER NOT NULL,
     reason TEXT NOT NULL CHECK (reason <> '')
   ) STRICT;`,
];

/** Milliseconds for which a look at the file is trusted. */
const LOOK_EVERY_MS = 1_000;

/**
 * Once read, the switches stay as they were while the file cannot be read; `onFault` is told.
 * @throws Error when the file cannot be used
 */
export function openSwitchRecord(
  file: string,
  options: { readonly now?: () => number; readonly onFault?: (error: unknown) => void } = {},
): SwitchRecord {
  const { now = Date.now, onFault = () => {} } = options;
  const database = openDatabase(file, VERSIONS);
  const version = () => Number(database.prepare("PRAGMA data_version").get()?.data_version);
  const history = (): readonly SwitchEvent[] =>
    database
      .prepare("SELECT at, kind, id, off, reason FROM switches ORDER BY number")
      .all()
      .map((row) => ({
        at: Number(row.at),
        kind: row.kind as SwitchKind,
        id: String(row.id),
        off: row.off === 1,
        reason: String(row.reason),
      }));
  let known = version();
  let lookedAt = now();
  let off = switchedOff(history());

  return {
    off() {
      if (now() - lookedAt < LOOK_EVERY_MS) return off;
      lookedAt = now();
      try {
        const latest = version();
        if (latest !== known) off = switchedOff(history());
        known = latest;
      } catch (error) {
        onFault(error);
      }
      return off;
    },
    async set(change) {
      const current = switchedOff(history());
      if (current[change.kind].has(change.id) === change.off) return false;
      database
        .prepare("INSERT INTO switches (at, kind, id, off, reason) VALUES (?, ?, ?, ?, ?)")
        .run(now(), change.kind, change.id, change.off ? 1 : 0, change.reason);
      settle(database);
      off = switchedOff(history());
      return true;
    },
    history: async () => history(),
    close: () => database.close(),
  };
}
