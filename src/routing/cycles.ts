/** Slots out of line: each closes a cycle that earns with others that are wider, and in line. */
export interface Cycles {
  /** 1 for a slot out of line. */
  readonly out: Uint8Array;
  /** Takes a slot of a cycle out of line. Returns those that are in line again: their cycles lie over it. */
  takeOut(slot: number, cycle: readonly number[]): readonly number[];
  /** Lets those have their say again whose cycle, the slot itself first, is not one that earns any more. */
  review(earns: (slot: number, others: readonly number[]) => boolean): void;
  clear(): void;
}

/** `slots`: how many there are. */
export function createCycles(slots: number): Cycles {
  /** The other slots of the cycle of each that is out of line. */
  const others = new Map<number, readonly number[]>();
  const out = new Uint8Array(slots);
  /** Marks slots that some cycle may lie over. */
  const inCycle = new Uint8Array(slots);
  const keepOut = (slot: number, rest: readonly number[]) => {
    out[slot] = 1;
    others.set(slot, rest);
    for (const other of rest) inCycle[other] = 1;
  };
  const listen = (slot: number) => {
    out[slot] = 0;
    others.delete(slot);
  };
  return {
    out,
    takeOut(slot, cycle) {
      const back = inCycle[slot] === 0 ? [] : [...others].filter(([, rest]) => rest.includes(slot)).map(([one]) => one);
      for (const one of back) listen(one);
      keepOut(
        slot,
        cycle.filter((other) => other !== slot),
      );
      return back;
    },
    review(earns) {
      inCycle.fill(0);
      for (const [slot, rest] of others) {
        if (earns(slot, rest)) keepOut(slot, rest);
        else listen(slot);
      }
    },
    clear() {
      for (const slot of others.keys()) out[slot] = 0;
      others.clear();
      inCycle.fill(0);
    },
  };
}
