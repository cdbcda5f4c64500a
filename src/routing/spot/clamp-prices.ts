import { type FlatGraph, MIN_GAIN } from "../edges/flat-graph.ts";

/** Part of what a pool asks for that prices keep to: what is missing is no gain yet, and rounding earns nothing. */
const ASKED = 1 - 5e-10;
/** Gain at which a pool stands too far off to have a say. */
const FAR_OFF = 1.01;
/** Sweeps over the tokens whose neighbours have moved: most move in the first, and few after the third. */
const MAX_SWEEPS = 16;
/** Relative change below which a price stays. */
const MIN_CHANGE = 1e-12;
/** Rounds in which prices may rise after that, and sweeps in which they are put into the middle. */
const MAX_ROUNDS = 12;
const CENTRING = 2;

/**
 * Moves prices, `before`, until no pool gains, as far as that can be, and writes them into `rest`. A pool that sells a token
 * at `spot` asks that its price is at least spot * that of the other one. One node after the other moves as little as it takes
 * to leave all its pools without a gain. Where these contradict each other, pools around it earn whatever its price is: then
 * it has the price at which the gains weigh least, each by the width of its pool. At last prices that have moved are put into
 * the middle of what their pools leave them. A function of the pools alone.
 */
export function clampPrices(flat: FlatGraph, before: Float64Array): void {
  const { rest, through, start, live, to, spot, spotBack } = flat;
  rest.set(before);
  const isOpen = new Uint8Array(flat.size);
  for (const node of through) isOpen[node] = 1;
  let moved = true;
  for (let sweep = 0; sweep < MAX_SWEEPS && moved; sweep++) {
    moved = false;
    for (let i = 0; i < through.length; i++) {
      const node = through[sweep % 2 === 0 ? i : through.length - 1 - i] as number;
      if (isOpen[node] === 0) continue;
      isOpen[node] = 0;
      const price = rest[node] as number;
      const own = before[node] as number;
      const [first, end] = [start[node] as number, live[node] as number];
      let low = 0;
      let high = Number.POSITIVE_INFINITY;
      for (let slot = first; slot < end; slot++) {
        const target = to[slot] as number;
        const other = rest[target] as number;
        const otherOwn = before[target] as number;
        const there = (spot[slot] as number) * ASKED;
        const back = (spotBack[slot] as number) * ASKED;
        if (there * other > low && there * otherOwn <= FAR_OFF * own) low = there * other;
        if (back * high > other && back * own <= FAR_OFF * otherOwn) high = other / back;
      }
      const next = low <= high ? Math.min(high, Math.max(low, price)) : leastGain(flat, before, node, high, low);
      if (Math.abs(next - price) <= MIN_CHANGE * price) continue;
      rest[node] = next;
      moved = true;
      for (let slot = first; slot < end; slot++) isOpen[to[slot] as number] = 1;
    }
  }
  raise(flat, before);
  centre(flat, before);
}

/**
 * Raises prices to what pools ask for, round by round, as long as it takes for no pool to gain: where they agree that comes to an
 * end (Bellman and Ford). Leaves them as they are where it does not.
 */
function raise({ rest, through, start, live, to, spot }: FlatGraph, before: Float64Array): void {
  const clamped = rest.slice();
  let open: Iterable<number> = through;
  let isEndless = false;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = new Set<number>();
    for (const node of open) {
      let low = rest[node] as number;
      for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
        const target = to[slot] as number;
        const there = (spot[slot] as number) * ASKED;
        if (
          there * (rest[target] as number) > low &&
          there * (before[target] as number) <= FAR_OFF * (before[node] as number)
        )
          low = there * (rest[target] as number);
      }
      if (low === rest[node]) continue;
      rest[node] = low;
      isEndless ||= low > FAR_OFF * (clamped[node] as number);
      for (let slot = start[node] as number; slot < (live[node] as number); slot++) next.add(to[slot] as number);
    }
    if (next.size === 0) return;
    if (isEndless) break;
    open = next;
  }
  rest.set(clamped);
}

/**
 * The price of a node, between the least of what its pools offer and the most that they ask, at which the logarithms of what
 * they gain, each times its width in value, come to least. Pools beyond these two gain at no price between them.
 */
function leastGain(
  { rest, start, live, to, spot, spotBack, width, twin }: FlatGraph,
  before: Float64Array,
  node: number,
  least: number,
  most: number,
) {
  const own = before[node] as number;
  const kinks: { readonly at: number; readonly weight: number }[] = [];
  let slope = 0;
  for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
    const target = to[slot] as number;
    const other = rest[target] as number;
    const otherOwn = before[target] as number;
    const there = (spot[slot] as number) * ASKED;
    const back = (spotBack[slot] as number) * ASKED;
    if (there * other >= least && there * otherOwn <= FAR_OFF * own) {
      const weight = (width[slot] as number) * own;
      kinks.push({ at: there * other, weight });
      slope -= weight;
    }
    if (back * most >= other && back * own <= FAR_OFF * otherOwn)
      kinks.push({ at: other / back, weight: (width[twin[slot] as number] as number) * otherOwn });
  }
  for (const { at, weight } of kinks.sort((a, b) => a.at - b.at)) {
    slope += weight;
    if (slope >= 0) return at;
  }
  return rest[node] as number;
}

/** Puts prices that have moved into the middle, in the logarithm, of what the pools around leave them that do not gain. */
function centre({ rest, through, start, live, to, spot, spotBack }: FlatGraph, before: Float64Array): void {
  const moved = through.filter((node) => rest[node] !== before[node]);
  for (let sweep = 0; sweep < CENTRING; sweep++)
    for (const node of moved) {
      const price = rest[node] as number;
      let low = 0;
      let high = Number.POSITIVE_INFINITY;
      for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
        const other = rest[to[slot] as number] as number;
        const asked = (spot[slot] as number) * other;
        if (asked > low && asked <= price * MIN_GAIN) low = asked;
        const offered = other / (spotBack[slot] as number);
        if (offered < high && offered * MIN_GAIN >= price) high = offered;
      }
      if (low > 0 && high < Number.POSITIVE_INFINITY && low < high) rest[node] = Math.sqrt(low * high);
    }
}
