import { byRank, type FlatGraph } from "./flat-graph.ts";
import { createNodeQueue } from "./node-queue.ts";

/** What raised prices the last time: where it is begun the next time. Following the slots of `by` never leads back. */
export interface Raises {
  /** The slot that raised the price of each node; -1 for none. */
  readonly by: Int32Array;
  /** Slots out of line, each with the other slots of a cycle that earns; these are wider, and in line. */
  readonly cycles: Map<number, readonly number[]>;
}

/** Gain at which a pool stands too far off to have a say. */
const FAR_OFF = 1.01;
/** Part of what a pool asks for that prices are raised to: what is missing is no gain yet, and rounding earns nothing. */
const ASKED = 1 - 5e-10;
/** How much narrower the slots are that join next, and how often; then all do. */
const NARROWER = 4;
const BANDS = 24;
/** Looks at a token, on average, after which raising has lasted long enough: from what was, and from nothing. */
const MOST_LOOKS = { before: 8, nothing: 200 };

export function noRaises(size: number): Raises {
  return { by: new Int32Array(size).fill(-1), cycles: new Map() };
}

/**
 * Raises prices until no pool gains, but for pools out of line: those that gain far too much at first, and those that
 * close a cycle that earns with wider ones that are in line. That says which these are, widest first; and the least
 * prices at which no other gains are the same in whatever order they are raised. So `raises`, what the last block left,
 * changes the time that it takes and nothing else, and is renewed. Where even a start from nothing takes more looks than
 * there may be, prices stay as they were: only there could it have mattered what the last block left.
 */
export function straighten(flat: FlatGraph, raises: Raises): void {
  const { size, rest, start, live, dead, from, to, spot, twin, width } = flat;
  const { by, cycles } = raises;
  const before = rest.slice();
  const muted = new Uint8Array(spot.length);
  /** Marks slots that some cycle may lie over. */
  const inCycle = new Uint8Array(spot.length);
  const waiting = createNodeQueue(flat);
  /** Nodes at which slots ask that are narrower than those that have a say so far. */
  let later: number[] = [];
  const isLater = new Uint8Array(size);
  let narrowest = Number.POSITIVE_INFINITY;
  const rank = byRank(flat);

  const asks = (slot: number) => (spot[slot] as number) * ASKED * (rest[to[slot] as number] as number);
  const wide = (slot: number) => (width[slot] as number) * (before[from[slot] as number] as number);
  const isOut = (slot: number) =>
    muted[slot] === 1 ||
    (spot[slot] as number) * (before[to[slot] as number] as number) >
      (before[from[slot] as number] as number) * FAR_OFF;
  const isNarrower = (slot: number, than: number) => {
    const [one, other] = [wide(slot), wide(than)];
    return one < other || (!(one > other) && rank(slot, than) > 0);
  };
  const waitForLater = (node: number) => {
    if (isLater[node] === 1) return;
    isLater[node] = 1;
    later.push(node);
  };

  /** The slot of a node that asks most of its price; -1 when none that has a say asks more than it is. */
  const asking = (node: number): number => {
    let most = rest[node] as number;
    let best = -1;
    for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
      const value = asks(slot);
      if (value <= most || isOut(slot)) continue;
      if (narrowest > 0 && !(wide(slot) >= narrowest)) waitForLater(node);
      else {
        most = value;
        best = slot;
      }
    }
    return best;
  };

  /** The cycle that `slot` of `node` would close; undefined when it closes none. */
  const cycleOf = (node: number, slot: number): number[] | undefined => {
    const cycle = [slot];
    for (let here = to[slot] as number; here !== node; ) {
      const next = by[here] as number;
      if (next === -1) return undefined;
      cycle.push(next);
      here = to[next] as number;
    }
    return cycle;
  };

  /** Takes the narrowest slot of a cycle out; those have their say again that were out because of it. */
  const mute = (cycle: readonly number[]) => {
    const out = cycle.reduce((least, slot) => (isNarrower(slot, least) ? slot : least));
    if (inCycle[out] === 1)
      for (const [slot, others] of cycles) {
        if (!others.includes(out)) continue;
        listen(slot);
        waiting.add(from[slot] as number);
      }
    keepOut(
      out,
      cycle.filter((slot) => slot !== out),
    );
    if (by[from[out] as number] === out) lower(from[out] as number);
  };
  const keepOut = (slot: number, others: readonly number[]) => {
    muted[slot] = 1;
    cycles.set(slot, others);
    for (const other of others) inCycle[other] = 1;
  };
  const listen = (slot: number) => {
    muted[slot] = 0;
    cycles.delete(slot);
  };

  /** Lowers a node to what asks most of it after the slot that raised it, and all that have been raised with it. */
  const lower = (root: number) => {
    by[root] = -1;
    let best = -1;
    let most = before[root] as number;
    for (let slot = start[root] as number; slot < (live[root] as number); slot++) {
      const value = asks(slot);
      if (value <= most || isOut(slot) || !(wide(slot) >= narrowest) || cycleOf(root, slot) !== undefined) continue;
      best = slot;
      most = value;
    }
    by[root] = best;
    // What asks more than the price was is for the node to find, when it is its turn: others hear of it then.
    rest[root] = Math.min(rest[root] as number, most);
    const lowered = [root];
    for (const node of lowered) {
      waiting.add(node);
      for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
        const other = to[slot] as number;
        const reverse = twin[slot] as number;
        if (by[other] !== reverse || asks(reverse) >= (rest[other] as number)) continue;
        rest[other] = Math.max(asks(reverse), before[other] as number);
        if (rest[other] === before[other]) by[other] = -1;
        lowered.push(other);
      }
    }
  };

  /** Raises the prices of those that wait, and of whom that concerns; false where it takes more looks than there may be. */
  const raise = (most: number): boolean => {
    for (let node = waiting.next(); node !== -1; node = waiting.next()) {
      if (waiting.taken() > most) return false;
      let slot = asking(node);
      while (slot !== -1) {
        const cycle = cycleOf(node, slot);
        if (cycle === undefined) break;
        mute(cycle);
        slot = asking(node);
      }
      if (slot === -1) continue;
      by[node] = slot;
      rest[node] = asks(slot);
      for (let next = start[node] as number; next < (live[node] as number); next++) {
        const reverse = twin[next] as number;
        if (asks(reverse) > (rest[to[next] as number] as number) && !isOut(reverse)) waiting.add(to[next] as number);
      }
    }
    return true;
  };
  /** Lets slots have their say, the widest first. */
  const raiseAll = (most: number): boolean => {
    narrowest = Number.POSITIVE_INFINITY;
    for (let node = 0; node < size; node++) if (dead[node] === 0 && asking(node) !== -1) waitForLater(node);
    narrowest = 0;
    for (const node of later)
      for (let slot = start[node] as number; slot < (live[node] as number); slot++)
        if (wide(slot) > narrowest && Number.isFinite(wide(slot))) narrowest = wide(slot);
    for (let band = 0; band <= BANDS && later.length > 0; band++) {
      narrowest = band < BANDS ? narrowest / NARROWER : 0;
      for (const node of later) {
        isLater[node] = 0;
        waiting.add(node);
      }
      later = [];
      if (!raise(most)) return false;
    }
    return true;
  };

  /** Keeps those cycles that still earn, and only for their narrowest slots. */
  const reviewCycles = () => {
    for (const slot of cycles.keys()) muted[slot] = 1;
    for (const [slot, others] of cycles) {
      let earns = (spot[slot] as number) * ASKED;
      for (const other of others) earns *= (spot[other] as number) * ASKED;
      if (earns > 1 && others.every((other) => !isOut(other) && isNarrower(slot, other))) keepOut(slot, others);
      else listen(slot);
    }
  };
  /** Raises what the same slots raise as the last time. */
  const raiseAgain = () => {
    const settled = new Uint8Array(size);
    const path: number[] = [];
    for (let node = 0; node < size; node++) {
      for (let here = node; by[here] !== -1 && settled[here] === 0; here = to[by[here] as number] as number) {
        settled[here] = 1;
        path.push(here);
      }
      for (let next = path.pop(); next !== undefined; next = path.pop()) {
        const slot = by[next] as number;
        const value = isOut(slot) ? 0 : asks(slot);
        if (value > (rest[next] as number)) rest[next] = value;
        else by[next] = -1;
      }
    }
  };
  const forget = () => {
    rest.set(before);
    by.fill(-1);
    cycles.clear();
    muted.fill(0);
    waiting.clear();
    later = [];
    isLater.fill(0);
  };

  if (by.some((slot) => slot !== -1)) {
    reviewCycles();
    raiseAgain();
    if (raiseAll(MOST_LOOKS.before * size)) return;
    forget();
  }
  if (!raiseAll(MOST_LOOKS.nothing * size)) forget();
}
