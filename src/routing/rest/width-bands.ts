import type { FlatGraph } from "../edges/flat-graph.ts";

/** Part of what a pool asks for that prices keep to: what is missing is no gain yet, and rounding earns nothing. */
const ASKED = 1 - 5e-10;
/** Gain at which a pool stands too far off to have a say. */
const FAR_OFF = 1.01;
/** Widths are told apart by their powers of two, from LOGS to -LOGS. */
const LOGS = 512;
/** The class of slots that have no say: behind all others. */
export const NO_SAY = 2 * LOGS + 1;

/**
 * The slots of each link by the powers of two of their widths at some prices, the widest first, and where bands of them
 * end: each has about as many slots of all links as all that are wider. Those of a power of two stay together.
 */
export interface WidthBands {
  /** Where the slots of each link begin; one more at the end. What follows is by place. */
  readonly first: Int32Array;
  readonly slots: Int32Array;
  /** The arc of each slot, 0 or 1 of its link. */
  readonly side: Uint8Array;
  /** The least price of what a slot sells that its pool asks for, in units of that of what it buys. */
  readonly asked: Float64Array;
  /** The power of two of its width, in value, the widest first. */
  readonly classes: Int16Array;
  /** The class at which each band ends. */
  readonly limits: Int32Array;
  /** The first band that each class is in, and was in before bands were divided last; their number where it is in none. */
  readonly bandOf: Uint8Array;
  readonly bandBefore: Uint8Array;
  /**
   * Takes in what has changed about a slot. The slots of its link may be in no order then. Returns the class at which it
   * has another say than before, the widest of them; that of no say where nothing has changed.
   */
  readonly weigh: (slot: number, prices: Float64Array) => number;
  /** The width of a slot, in value. */
  readonly worthOf: (slot: number) => number;
  /** Puts the slots of a link in their order. */
  readonly sort: (link: number) => void;
  /** Works out where bands end; whether that is where they did. */
  readonly divide: () => boolean;
}

/** `arcOf`: the arc of each slot, twice its link or one more, -1 for those that count for nothing. */
export function createWidthBands(flat: FlatGraph, arcOf: Int32Array, links: number, bands: number): WidthBands {
  const { spot, width, from, to } = flat;
  const { first, slots, turns, inTurn } = slotsOfLinks(flat, arcOf, links);
  const count = slots.length;
  const placeOf = new Int32Array(spot.length);
  slots.forEach((slot, place) => {
    placeOf[slot] = place;
  });
  const side = Uint8Array.from(slots, (slot) => (arcOf[slot] as number) & 1);
  const asked = new Float64Array(count);
  /** The width of each slot, in value: by slot. */
  const worth = new Float64Array(spot.length);
  const classes = new Int16Array(count).fill(NO_SAY);
  /** How many slots there are of each class, and that have a say. */
  const counts = new Int32Array(NO_SAY + 1);
  let all = 0;
  const limits = new Int32Array(bands).fill(-1);
  const bandOf = new Uint8Array(NO_SAY + 1).fill(bands);
  const bandBefore = bandOf.slice();
  const isSorted = new Uint8Array(links).fill(1);

  return {
    first,
    slots,
    side,
    asked,
    classes,
    limits,
    bandOf,
    bandBefore,
    weigh(slot, prices) {
      const place = placeOf[slot] as number;
      const price = prices[from[slot] as number] as number;
      const value = (spot[slot] as number) * (prices[to[slot] as number] as number);
      const before = classes[place] as number;
      const ask = (spot[slot] as number) * ASKED;
      const wide = (width[slot] as number) * price;
      const log = Math.floor(Math.log2(wide));
      const hasSay = value > 0 && value <= FAR_OFF * price;
      const now = hasSay ? LOGS - Math.max(-LOGS, Math.min(LOGS, log)) : NO_SAY;
      worth[slot] = wide;
      if (now === before && asked[place] === ask) return NO_SAY;
      asked[place] = ask;
      if (now === before) return now;
      counts[before]! -= 1;
      counts[now]! += 1;
      all += (before === NO_SAY ? 1 : 0) - (now === NO_SAY ? 1 : 0);
      classes[place] = now;
      isSorted[(arcOf[slot] as number) >> 1] = 0;
      return Math.min(before, now);
    },
    worthOf: (slot) => worth[slot] as number,
    sort(link) {
      if (isSorted[link] === 1) return;
      isSorted[link] = 1;
      const begin = first[link] as number;
      const asks = asked.slice(begin, first[link + 1]);
      const keys = new Float64Array(asks.length);
      for (let i = 0; i < keys.length; i++)
        keys[i] = (classes[begin + i] as number) * count + (turns[slots[begin + i] as number] as number);
      keys.sort();
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i] as number;
        const slot = inTurn[key % count] as number;
        slots[begin + i] = slot;
        side[begin + i] = (arcOf[slot] as number) & 1;
        asked[begin + i] = asks[(placeOf[slot] as number) - begin] as number;
        classes[begin + i] = Math.floor(key / count);
      }
      for (let i = 0; i < keys.length; i++) placeOf[slots[begin + i] as number] = begin + i;
    },
    divide() {
      let isSame = true;
      let end = 0;
      let wider = 0;
      bandBefore.set(bandOf);
      for (let band = 0; band < bands; band++) {
        const most = all >> (bands - 1 - band);
        const begin = end;
        while (wider < most) wider += counts[end++] as number;
        if (limits[band] !== end) isSame = false;
        limits[band] = end;
        bandOf.fill(band, begin, end);
      }
      bandOf.fill(bands, end);
      return isSame;
    },
  };
}

/** The slots of each link, where those of each begin, and the order in which slots come that are as wide, both ways. */
function slotsOfLinks(
  { start, live, through, spot }: FlatGraph,
  arcOf: Int32Array,
  links: number,
): Record<"slots" | "first" | "turns" | "inTurn", Int32Array> {
  const turns = new Int32Array(spot.length);
  const first = new Int32Array(links + 1);
  let count = 0;
  for (const node of through)
    for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
      turns[slot] = count++;
      first[((arcOf[slot] as number) >> 1) + 1]! += 1;
    }
  for (let link = 0; link < links; link++) first[link + 1]! += first[link] as number;
  const slots = new Int32Array(count);
  const inTurn = new Int32Array(count);
  const next = first.slice();
  for (const node of through)
    for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
      const link = (arcOf[slot] as number) >> 1;
      slots[next[link] as number] = slot;
      inTurn[turns[slot] as number] = slot;
      next[link]! += 1;
    }
  return { slots, first, turns, inTurn };
}
