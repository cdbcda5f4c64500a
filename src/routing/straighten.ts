import { createCycles } from "./cycles.ts";
import { byRank, type FlatGraph } from "./flat-graph.ts";
import { createNodeQueue } from "./node-queue.ts";

/** Gain at which a pool stands too far off to have a say. */
const FAR_OFF = 1.01;
/** Part of what a pool asks for that prices are raised to: what is missing is no gain yet, and rounding earns nothing. */
const ASKED = 1 - 5e-10;
/** How much narrower the slots are that join next than the widest that waits, and how often; then all do. */
const NARROWER = 4;
const BANDS = 24;
/** Looks at a token, on average, after which raising has lasted long enough: from what was, and from nothing. */
const MOST_LOOKS = { before: 8, nothing: 200 };

/**
 * Raises prices until no pool gains, but for pools out of line: those that gain far too much at first, and those that
 * close a cycle that earns with wider ones that are in line. That says which these are, widest first; and the least
 * prices at which no other gains are the same in whatever order they are raised. So what raised them the last time, which
 * is remembered, is where it begins the next time: that changes the time it takes and nothing else. Where even a start
 * from nothing takes more looks than there may be, prices stay as they were: only there could it have mattered what the
 * last block left. `before`: the prices to be raised, which also stand in the graph.
 */
export function createStraightener(flat: FlatGraph): (before: Float64Array) => void {
  const { size, rest, start, live, through, from, to, spot, spotBack, width, twin } = flat;
  /** The slot that raised the price of each node; -1 for none. Following these never leads back. */
  const by = new Int32Array(size).fill(-1);
  let hasRaised = false;
  const cycles = createCycles(spot.length);
  const { out } = cycles;
  const waiting = createNodeQueue(flat);
  /** Nodes at which slots ask that are narrower than those that have a say so far, and the widest of these slots. */
  let later: number[] = [];
  const isLater = new Uint8Array(size);
  let widestLater = 0;
  let narrowest = Number.POSITIVE_INFINITY;
  const settled = new Uint8Array(size);
  const rank = byRank(flat);
  let before: Float64Array = rest;

  const asks = (slot: number) => (spot[slot] as number) * ASKED * (rest[to[slot] as number] as number);
  const wide = (slot: number) => (width[slot] as number) * (before[from[slot] as number] as number);
  const isOut = (slot: number) =>
    out[slot] === 1 ||
    (spot[slot] as number) * (before[to[slot] as number] as number) >
      (before[from[slot] as number] as number) * FAR_OFF;
  const isNarrower = (slot: number, than: number) => {
    const [one, other] = [wide(slot), wide(than)];
    return one < other || (!(one > other) && rank(slot, than) > 0);
  };
  const waitForLater = (node: number, width: number) => {
    if (width > widestLater && Number.isFinite(width)) widestLater = width;
    if (isLater[node] === 1) return;
    isLater[node] = 1;
    later.push(node);
  };

  /** The slot of a node that asks most of its price; -1 when none that has a say asks more than it is. */
  const asking = (node: number): number => {
    let most = rest[node] as number;
    let best = -1;
    const end = live[node] as number;
    for (let slot = start[node] as number; slot < end; slot++) {
      const value = (spot[slot] as number) * ASKED * (rest[to[slot] as number] as number);
      if (value <= most || isOut(slot)) continue;
      if (narrowest > 0 && !(wide(slot) >= narrowest)) waitForLater(node, wide(slot));
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
    const least = cycle.reduce((least, slot) => (isNarrower(slot, least) ? slot : least));
    for (const slot of cycles.takeOut(least, cycle)) waiting.add(from[slot] as number);
    if (by[from[least] as number] === least) lower(from[least] as number);
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
      const price = asks(slot);
      by[node] = slot;
      rest[node] = price;
      const end = live[node] as number;
      for (let next = start[node] as number; next < end; next++) {
        const other = to[next] as number;
        const value = (spotBack[next] as number) * ASKED * price;
        if (value > (rest[other] as number) && !isOut(twin[next] as number)) waiting.add(other);
      }
    }
    return true;
  };
  /** Lets slots have their say, the widest first. */
  const raiseAll = (most: number): boolean => {
    narrowest = Number.POSITIVE_INFINITY;
    widestLater = 0;
    for (let i = 0; i < through.length; i++) {
      const node = through[i] as number;
      if (asking(node) !== -1) waitForLater(node, 0);
    }
    for (let band = 0; band <= BANDS && later.length > 0; band++) {
      narrowest = band < BANDS ? widestLater / NARROWER : 0;
      widestLater = 0;
      for (const node of later) {
        isLater[node] = 0;
        waiting.add(node);
      }
      later = [];
      if (!raise(most)) return false;
    }
    return true;
  };

  /** Whether a slot still closes a cycle that earns with wider ones that have a say. */
  const stillEarns = (slot: number, others: readonly number[]): boolean => {
    let earns = (spot[slot] as number) * ASKED;
    for (const other of others) earns *= (spot[other] as number) * ASKED;
    return earns > 1 && others.every((other) => !isOut(other) && isNarrower(slot, other));
  };
  /** Raises what the same slots raise as the last time. */
  const raiseAgain = () => {
    settled.fill(0);
    const path: number[] = [];
    for (let i = 0; i < through.length; i++) {
      const node = through[i] as number;
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
    waiting.clear();
    later = [];
    isLater.fill(0);
  };

  return (prices) => {
    before = prices;
    if (hasRaised) {
      waiting.clear();
      cycles.review(stillEarns);
      raiseAgain();
      if (raiseAll(MOST_LOOKS.before * size)) return;
      forget();
    }
    hasRaised = raiseAll(MOST_LOOKS.nothing * size);
    if (!hasRaised) forget();
  };
}
