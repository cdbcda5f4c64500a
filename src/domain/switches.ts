/** Things that an operator can switch off. */
export type SwitchKind = "source" | "pool" | "token";

/** One change, on record for good. */
export interface SwitchEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: SwitchKind;
  /** Name of the source, id of the pool, address of the token; the latter two in lower case. */
  readonly id: string;
  readonly off: boolean;
  /** Why, in the operator's words. */
  readonly reason: string;
}

/** Names that are switched off, by kind. */
export type SwitchedOff = Readonly<Record<SwitchKind, ReadonlySet<string>>>;

/** Nothing is switched off. */
export const ALL_ON: Readonly<SwitchedOff> = { source: new Set(), pool: new Set(), token: new Set() };

/** Names that are off after a record of changes, oldest first. */
export function switchedOff(events: readonly SwitchEvent[]): SwitchedOff {
  const off = { source: new Set<string>(), pool: new Set<string>(), token: new Set<string>() };
  for (const event of events) {
    if (event.off) off[event.kind].add(event.id);
    else off[event.kind].delete(event.id);
  }
  return off;
}

/** Record of the operator's switches, kept where other processes may write too. */
export interface SwitchRecord {
  /** Switches that are off now: the same object until they change. Another process's change is seen within a second. */
  off(): SwitchedOff;
  /** Puts a change on record. False when it changes nothing. */
  set(change: Omit<SwitchEvent, "at">): Promise<boolean>;
  /** All changes ever, oldest first. */
  history(): Promise<readonly SwitchEvent[]>;
  close(): void;
}
