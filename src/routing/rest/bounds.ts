import type { FlatGraph } from "../edges/flat-graph.ts";
import type { Elimination } from "./elimination.ts";
import { createLinkWork } from "./link-work.ts";
import { createSaidOfLinks } from "./said-of-links.ts";
import { createSaidOverWays } from "./said-over-ways.ts";
import { createWidthBands, NO_SAY } from "./width-bands.ts";

/** Each band of slots is about as many as all that are wider. */
const BANDS = 8;

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
  /** The same as `least` for the last band, two numbers of each link. */
  readonly last: Float64Array;
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
 * of its pools has changed, or one of the links that say something about it, or where its bounds contradict each other:
 * to the bit the same as all of them anew.
 */
export function createBounds(flat: FlatGraph, elimination: Elimination): Bounds {
  const { arcOf, order, start, to, over, firstOver } = elimination;
  const { size, through, live, twin } = flat;
  const nodes = order.length;
  const links = to.length;
  const pools = createWidthBands(flat, arcOf, links, BANDS);
  const { classes, bandOf, bandBefore } = pools;
  const said = createSaidOfLinks(links, BANDS);
  const { least, since, isSteady, placeIn } = said;
  const ways = createSaidOverWays(elimination, said, BANDS);
  const { work, contradicted } = createLinkWork(pools, elimination, said, ways, BANDS);
  const known = new Float64Array(size);
  /** The widest class of the slots of a link that have changed, and the links that have such slots. */
  const widest = new Int16Array(links).fill(NO_SAY);
  const changed: number[] = [];
  /** The links whose bounds contradict each other. */
  const unsure: number[] = [];
  /** The first band that may say something else of a link than before, and 1 for the places in the order with such links. */
  const dirty = new Uint8Array(links).fill(BANDS);
  const isDirty = new Uint8Array(nodes);
  const placeOf = new Int32Array(links);
  for (let place = 0; place < nodes; place++) placeOf.fill(place, start[place], start[place + 1]);
  const mark = (link: number, band: number) => {
    if (band >= (dirty[link] as number)) return;
    dirty[link] = band;
    isDirty[placeOf[link] as number] = 1;
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
          const arc = over[i + 1] as number;
          ways.hear(over[i] as number, (arc & 1) === 0 ? one : other, (arc & 1) === 0 ? other : one);
          mark(arc >> 1, band);
        }
        i += 2;
      }
  };
  return {
    bands: BANDS,
    saysMore: (link, band) =>
      isSteady[link] === 1 ? band === (since[link] as number) : band >= (since[link] as number),
    last: least,
    least: (link, band, side) => (band < (since[link] as number) ? 0 : (least[placeIn(link, band) + side] as number)),
    follow(prices, touched) {
      const look = (slot: number) => {
        const own = pools.weigh(slot, prices);
        const link = (arcOf[slot] as number) >> 1;
        if (own >= (widest[link] as number)) return;
        if (widest[link] === NO_SAY) changed.push(link);
        widest[link] = own;
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
      const first = (own: number) => Math.min(bandOf[own] as number, bandBefore[own] as number);
      for (const link of changed.splice(0)) {
        mark(link, first(widest[link] as number));
        widest[link] = NO_SAY;
      }
      // Which of two that contradict each other is left out depends on widths anywhere.
      for (const link of unsure.splice(0)) mark(link, contradicted[link] as number);
      // Pools that are as they were may be in another band.
      for (let link = 0; !isSame && link < links; link++)
        for (let place = pools.first[link] as number; place < (pools.first[link + 1] as number); place++) {
          const own = classes[place] as number;
          if (bandOf[own] !== bandBefore[own]) mark(link, first(own));
        }
      for (let place = 0; place < nodes; place++) {
        if (isDirty[place] === 0) continue;
        isDirty[place] = 0;
        const end = start[place + 1] as number;
        let differs = false;
        for (let link = start[place] as number; link < end; link++) {
          if (dirty[link] === BANDS) continue;
          dirty[link] = work(link, dirty[link] as number);
          if (dirty[link] !== BANDS) differs = true;
          if (contradicted[link] !== BANDS) unsure.push(link);
        }
        if (!differs) continue;
        tell(place);
        dirty.fill(BANDS, start[place], end);
      }
    },
  };
}
