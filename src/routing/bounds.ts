import type { Elimination } from "./elimination.ts";
import type { FlatGraph } from "./flat-graph.ts";
import { createWidthBands, NO_SAY } from "./width-bands.ts";

/** Each band of slots is about as many as all that are wider. */
const BANDS = 8;
/** Numbers that say what the bands up to one say of a link: two bounds, and how wide the narrowest pools are that say so. */
const NUMBERS = 4;

/** What pools say about the ratio of the prices of two nodes, link by link. */
export interface Bounds {
  readonly bands: number;
  /**
   * What the bands up to one say of a link: the least price of the node that leaves first, in units of that of the other,
   * and (`side` 1) the least price of the other.
   */
  readonly least: (link: number, band: number, side: 0 | 1) => number;
  /** Whether a band may say something else of a link than the one before. */
  readonly saysMore: (link: number, band: number) => boolean;
  /** The same as `least` for the last band: the first two of so many `numbers` of each link. */
  readonly last: Float64Array;
  readonly numbers: number;
  /**
   * Follows the prices that say what pools are worth, and which stand too far off to have a say. `touched`: the slots
   * whose edges have changed since the last call; all where it is absent.
   */
  readonly follow: (prices: Float64Array, touched?: readonly number[]) => void;
}

/**
 * What a pool asks for is a bound on the ratio of two prices. What wide pools say is worked out before others are looked
 * at; bounds that contradict each other are a cycle of pools that earns: that with the narrower pool is left out. What
 * bounds of a node that leaves say together about those around it adds to theirs. A link is worked out again where one
 * of its pools has changed, or one of the links that say something about it: to the bit the same as all of them anew.
 */
export function createBounds(
  flat: FlatGraph,
  { arcOf, order, start, to, firstWay, ways, over, firstOver }: Elimination,
): Bounds {
  const { size, through, live, twin } = flat;
  const nodes = order.length;
  const links = to.length;
  const pools = createWidthBands(flat, arcOf, links, BANDS);
  const { first, side, asked, worth, classes, limits } = pools;
  /** The first band that says anything of a link, and whether those after it say nothing else. */
  const since = new Uint8Array(links).fill(BANDS);
  const isSteady = new Uint8Array(links).fill(1);
  /** The numbers of each link in the last band; behind them those of all bands, for links that are not steady. */
  const numbers = new Float64Array(NUMBERS * (BANDS + 1) * links);
  /** Where the numbers of a link are, in a band that says anything of it. */
  const placeIn = (link: number, band: number): number =>
    NUMBERS * (isSteady[link] === 1 ? link : links + BANDS * link + band);
  const known = new Float64Array(size);
  /** The first band that may say something else of a link than before; and the widest class of its slots that have changed. */
  const dirty = new Uint8Array(links).fill(BANDS);
  const widest = new Int16Array(links).fill(NO_SAY);

  /** The numbers of the link at hand as they grow, and its bounds after the bands before. */
  const now = new Float64Array(NUMBERS);
  const wider = new Float64Array(2);
  /** The same in every band. */
  const inBands = new Float64Array(NUMBERS * BANDS);
  /** Of each way: since which band it says anything, and what, there and back, where neither of its links says more later. */
  const count = ways.length / 2;
  const waySince = new Uint8Array(count).fill(BANDS);
  const isPlain = new Uint8Array(count);
  const there = new Float64Array(count);
  const back = new Float64Array(count);
  /** Whether the way leads from the end of its link to its beginning. */
  const isTurned = new Uint8Array(count);
  for (let i = 0; i < over.length; i += 2) isTurned[over[i] as number] = (over[i + 1] as number) & 1;

  /** Whether a bound may say more, if its pools are wide enough. */
  const isOpen = (side: number, least: number): boolean =>
    least > (now[side] as number) && !(least * (wider[1 - side] as number) > 1);
  /** Adds a bound to those of a band, which stay what the bands before made them where it contradicts these. */
  const bound = (side: number, least: number, width: number) => {
    if (!(least > (now[side] as number))) return;
    const other = 1 - side;
    if (least * (now[other] as number) > 1) {
      if (!(width > (now[2 + other] as number)) || least * (wider[other] as number) > 1) return;
      now[other] = wider[other] as number;
      now[2 + other] = Number.POSITIVE_INFINITY;
    }
    now[side] = least;
    now[2 + side] = width;
  };
  /** Tells the links between the nodes that a node leaves behind what its own links say that are others now. */
  const tell = (place: number) => {
    let i = 2 * (firstOver[place] as number);
    const end = start[place + 1] as number;
    if (i === 2 * (firstOver[place + 1] as number)) return;
    for (let one = start[place] as number; one < end; one++)
      for (let other = one + 1; other < end; other++) {
        const band = Math.min(dirty[one] as number, dirty[other] as number);
        if (band < BANDS) {
          const way = over[i] as number;
          const link = (over[i + 1] as number) >> 1;
          if (band < (dirty[link] as number)) dirty[link] = band;
          waySince[way] = Math.max(since[one] as number, since[other] as number);
          isPlain[way] = (isSteady[one] as number) & (isSteady[other] as number);
          there[way] = (numbers[NUMBERS * one + 1] as number) * (numbers[NUMBERS * other] as number);
          back[way] = (numbers[NUMBERS * other + 1] as number) * (numbers[NUMBERS * one] as number);
        }
        i += 2;
      }
  };
  /** How wide the narrowest pool on a way is, `there` or back. */
  const wayWidth = (way: number, band: number, isThere: boolean): number => {
    const first = placeIn(ways[2 * way] as number, band);
    const second = placeIn(ways[2 * way + 1] as number, band);
    const [away, home] = isThere ? [second, first] : [first, second];
    return Math.min(numbers[home + 3] as number, numbers[away + 2] as number);
  };
  /** Works out a link from a band on. */
  const work = (link: number, from: number) => {
    pools.sort(link);
    for (let band = 0; band < from; band++) {
      const place = placeIn(link, band);
      const isSaid = band >= (since[link] as number);
      for (let i = 0; i < NUMBERS; i++) inBands[NUMBERS * band + i] = isSaid ? (numbers[place + i] as number) : 0;
    }
    for (let i = 0; i < NUMBERS; i++) now[i] = from === 0 ? 0 : (inBands[NUMBERS * (from - 1) + i] as number);
    const end = first[link + 1] as number;
    const endWay = firstWay[link + 1] as number;
    let at = first[link] as number;
    if (from > 0) while (at < end && (classes[at] as number) < (limits[from - 1] as number)) at++;
    for (let band = from; band < BANDS; band++) {
      wider[0] = now[0] as number;
      wider[1] = now[1] as number;
      const limit = limits[band] as number;
      for (; at < end && (classes[at] as number) < limit; at++)
        bound(side[at] as number, asked[at] as number, worth[at] as number);
      for (let way = firstWay[link] as number; way < endWay; way++) {
        if ((waySince[way] as number) > band) continue;
        const turned = isTurned[way] as number;
        let one = there[way] as number;
        let other = back[way] as number;
        if (isPlain[way] === 0 && band < BANDS - 1) {
          const first = placeIn(ways[2 * way] as number, band);
          const second = placeIn(ways[2 * way + 1] as number, band);
          one = (numbers[first + 1] as number) * (numbers[second] as number);
          other = (numbers[second + 1] as number) * (numbers[first] as number);
        }
        if (isOpen(turned, one)) bound(turned, one, wayWidth(way, band, true));
        if (isOpen(1 - turned, other)) bound(1 - turned, other, wayWidth(way, band, false));
      }
      for (let i = 0; i < NUMBERS; i++) inBands[NUMBERS * band + i] = now[i] as number;
    }
  };
  /** Puts what was worked out in its place; the first band in which it is something else than before. */
  const keep = (link: number): number => {
    let begin = 0;
    while (begin < BANDS && inBands[NUMBERS * begin] === 0 && inBands[NUMBERS * begin + 1] === 0) begin++;
    let steady = 1;
    for (let i = NUMBERS * begin; i < NUMBERS * (BANDS - 1); i++) if (inBands[i] !== inBands[i + NUMBERS]) steady = 0;
    const before = since[link] as number;
    let differs = BANDS;
    for (let band = BANDS - 1; band >= Math.min(begin, before); band--) {
      const place = placeIn(link, band);
      for (let i = 0; i < NUMBERS; i++) {
        const known = band < before ? 0 : (numbers[place + i] as number);
        if (inBands[NUMBERS * band + i] !== known) differs = band;
      }
    }
    if (differs === BANDS) return BANDS;
    since[link] = begin;
    isSteady[link] = steady;
    for (let i = 0; i < NUMBERS; i++) numbers[NUMBERS * link + i] = now[i] as number;
    if (steady === 0) numbers.set(inBands, NUMBERS * (links + BANDS * link));
    return differs;
  };
  return {
    bands: BANDS,
    saysMore: (link, band) =>
      isSteady[link] === 1 ? band === (since[link] as number) : band >= (since[link] as number),
    last: numbers,
    numbers: NUMBERS,
    least: (link, band, side) => (band < (since[link] as number) ? 0 : (numbers[placeIn(link, band) + side] as number)),
    follow(prices, touched) {
      const look = (slot: number) => {
        const own = pools.weigh(slot, prices);
        const link = (arcOf[slot] as number) >> 1;
        if (own < (widest[link] as number)) widest[link] = own;
      };
      for (let i = 0; i < through.length; i++) {
        const node = through[i] as number;
        if (touched !== undefined && prices[node] === known[node]) continue;
        known[node] = prices[node] as number;
        for (let slot = flat.start[node] as number; slot < (live[node] as number); slot++) {
          look(slot);
          look(twin[slot] as number);
        }
      }
      for (const slot of touched ?? []) if ((arcOf[slot] as number) >= 0) look(slot);
      const isSame = pools.divide();
      for (let link = 0; link < links; link++) {
        let band = isSame ? BANDS : 0;
        if (widest[link] !== NO_SAY) {
          band = 0;
          while (isSame && band < BANDS && (widest[link] as number) >= (limits[band] as number)) band++;
          widest[link] = NO_SAY;
        }
        dirty[link] = band;
      }
      for (let place = 0; place < nodes; place++) {
        let differs = false;
        for (let link = start[place] as number; link < (start[place + 1] as number); link++) {
          if (dirty[link] === BANDS) continue;
          work(link, dirty[link] as number);
          dirty[link] = keep(link);
          if (dirty[link] !== BANDS) differs = true;
        }
        if (differs) tell(place);
      }
    },
  };
}
