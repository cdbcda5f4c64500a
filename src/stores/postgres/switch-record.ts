import {
  ALL_ON,
  type SwitchEvent,
  type SwitchedOff,
  type SwitchKind,
  type SwitchRecord,
  switchedOff,
} from "../../domain/switches.ts";
import type { ChangeListener } from "./change-listener.ts";
import type { Database, Query } from "./database.ts";

/** Milliseconds between two looks at the switches, where nobody tells of a change. */
const LOOK_EVERY_MS = 500;

/**
 * Switches in PostgreSQL, for all replicas. Once read they stay as they were while the database does not answer; `onFault` is
 * told once of each outage. @throws Error when they cannot be read at first
 */
export async function openSwitchRecord(
  database: Database,
  changes: ChangeListener,
  options: { readonly now?: () => number; readonly onFault?: (error: unknown) => void } = {},
): Promise<SwitchRecord> {
  const { now = Date.now, onFault = () => {} } = options;
  const query: Query = (text, values) => database.query(text, values);
  const copy = new SwitchCopy(query, onFault);
  await copy.read();
  const ends: (() => void)[] = [];

  return {
    off() {
      // A command that sets a switch has nothing to follow.
      if (ends.length === 0) ends.push(copy.follow(), changes.on("switches", copy.look));
      return copy.off;
    },
    async set(change) {
      const events = await database.transaction(async (inside) => {
        // The lock orders concurrent changes: the second change of one switch to the same position has no effect.
        await inside("LOCK TABLE tributary.switches IN SHARE ROW EXCLUSIVE MODE");
        const before = switchedOff(await readEvents(inside));
        if (before[change.kind].has(change.id) === change.off) return undefined;
        await addEvent(inside, { ...change, at: now() });
        return readEvents(inside);
      });
      if (events !== undefined) copy.take(events);
      return events !== undefined;
    },
    history: () => readEvents(query),
    close() {
      for (const end of ends.splice(0)) end();
    },
  };
}

/** Cached copy of the switches as last read. */
class SwitchCopy {
  readonly #query: Query;
  readonly #onFault: (error: unknown) => void;
  #version = Number.NaN;
  #events: readonly SwitchEvent[] = [];
  #off = ALL_ON;
  #isLooking = false;
  #isFailing = false;

  constructor(query: Query, onFault: (error: unknown) => void) {
    this.#query = query;
    this.#onFault = onFault;
  }

  get off(): SwitchedOff {
    return this.#off;
  }

  async read(): Promise<void> {
    const [row] = await this.#query("SELECT version FROM tributary.changes WHERE topic = 'switches'");
    const version = Number(row?.version);
    if (version !== this.#version) this.take(await readEvents(this.#query));
    this.#version = version;
  }

  /** Events are never taken back: where as many are known they are the same, and `off` stays the same object. */
  take(events: readonly SwitchEvent[]): void {
    if (events.length === this.#events.length) return;
    this.#events = events;
    this.#off = switchedOff(events);
  }

  readonly look = async (): Promise<void> => {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.read();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#onFault(error);
      this.#isFailing = true;
    } finally {
      this.#isLooking = false;
    }
  };

  /** Looks from now on. What is returned ends it. */
  follow(): () => void {
    const timer = setInterval(this.look, LOOK_EVERY_MS);
    timer.unref();
    return () => clearInterval(timer);
  }
}

/** Puts a change on record. */
export async function addEvent(query: Query, { at, kind, id, off, reason }: SwitchEvent): Promise<void> {
  await query("INSERT INTO tributary.switches (at, kind, id, is_off, reason) VALUES ($1, $2, $3, $4, $5)", [
    ...[at, kind, id, off, reason],
  ]);
}

async function readEvents(query: Query): Promise<readonly SwitchEvent[]> {
  const rows = await query("SELECT at, kind, id, is_off, reason FROM tributary.switches ORDER BY number");
  return rows.map((row) => ({
    at: row.at as number,
    kind: row.kind as SwitchKind,
    id: row.id as string,
    off: row.is_off as boolean,
    reason: row.reason as string,
  }));
}
