import type { Elimination } from "./elimination.ts";
import { createNarrowest } from "./narrowest.ts";
import { NOBODY, type SaidOfLinks, WIDER } from "./said-of-links.ts";
import type { SaidOverWays } from "./said-over-ways.ts";
import type { WidthBands } from "./width-bands.ts";

export interface LinkWork {
  /**
   * Works out what pools and ways say of a link, from a band on, and keeps it; returns the first band in which that is
   * something else than before, or their number.
   */
  readonly work: (link: number, from: number) => number;
  /** The first band of each link in which bounds contradict each other; the number of bands where none do. */
  readonly contradicted: Uint8Array;
}

/**
 * In each band the greatest bounds stay of all that is said up to it; of two that contradict each other those of wider
 * bands, then of wider pools.
 */
export function createLinkWork(
  pools: WidthBands,
  { firstWay }: Elimination,
  said: SaidOfLinks,
  ways: SaidOverWays,
  bands: number,
): LinkWork {
  const { first, slots, side, asked, classes, limits, sort } = pools;
  const { read, keep } = said;
  const { since, isPlain, isTurned, last, bounds, sayIn, sayerOf } = ways;
  const widthOf = createNarrowest(pools, said, ways);
  /** What is said of the link at hand in every band, and who says so. */
  const leastIn = new Float64Array(2 * bands);
  const sayerIn = new Int32Array(2 * bands);

  /** The bound in the band before. */
  const before = (i: number): number => (i < 2 ? 0 : (leastIn[i - 2] as number));
  const sayerBefore = (i: number): number => (i < 2 ? NOBODY : (sayerIn[i - 2] as number));
  /** The first slot of a link that is in no band before one. */
  const beginOf = (link: number, band: number): number => {
    let at = first[link] as number;
    if (band === 0) return at;
    const end = first[link + 1] as number;
    const limit = limits[band - 1] as number;
    while (at < end && (classes[at] as number) < limit) at++;
    return at;
  };
  /** Whether a way may say more in a band than has been heard: no band says more of it than the last one. */
  const mayAdd = (way: number, band: number): boolean =>
    (last[2 * way] as number) > (leastIn[2 * band] as number) ||
    (last[2 * way + 1] as number) > (leastIn[2 * band + 1] as number);
  /** Takes a bound that is said in a band for this one and those after it, as far as it is greater or as great and said sooner. */
  const hear = (i: number, bound: number, by: number) => {
    if (!(bound > (leastIn[i] as number))) return;
    leastIn[i] = bound;
    sayerIn[i] = by;
    for (let next = i + 2; next < 2 * bands && !((leastIn[next] as number) > bound); next += 2) {
      leastIn[next] = bound;
      sayerIn[next] = by;
    }
  };
  /**
   * Where no bounds contradict each other the greatest so far stay, whatever their order: so far as that goes, from a band
   * on. Returns the first band in which some do.
   */
  const workAtOnce = (link: number, from: number): number => {
    for (let i = 2 * from; i < 2 * bands; i++) {
      leastIn[i] = before(2 * from + (i & 1));
      sayerIn[i] = sayerBefore(2 * from + (i & 1));
    }
    const end = first[link + 1] as number;
    for (let at = beginOf(link, from), band = from; at < end; at++) {
      while (band < bands && (classes[at] as number) >= (limits[band] as number)) band++;
      if (band === bands) break;
      hear(2 * band + (side[at] as number), asked[at] as number, slots[at] as number);
    }
    const endWay = firstWay[link + 1] as number;
    for (let way = firstWay[link] as number; way < endWay; way++) {
      const begin = Math.max(since[way] as number, from);
      if (begin === bands || !mayAdd(way, begin)) continue;
      const end = isPlain[way] === 1 ? begin + 1 : bands;
      for (let band = begin; band < end; band++) {
        sayIn(way, band);
        hear(2 * band, bounds[0] as number, sayerOf(way, band, 0));
        hear(2 * band + 1, bounds[1] as number, sayerOf(way, band, 1));
      }
    }
    let band = from;
    while (band < bands && !((leastIn[2 * band] as number) * (leastIn[2 * band + 1] as number) > 1)) band++;
    return band;
  };

  /** The ways that say more of the link at hand than the bands before. */
  const telling: number[] = [];
  /** Adds a bound to those of a band, which stay what the bands before made them where it contradicts these. */
  const add = (i: number, bound: number, by: number) => {
    if (!(bound > (leastIn[i] as number))) return;
    const other = i ^ 1;
    if (bound * (leastIn[other] as number) > 1) {
      const wider = before(other);
      if (bound * wider > 1 || !(widthOf(by) > widthOf(sayerIn[other] as number))) return;
      leastIn[other] = wider;
      sayerIn[other] = WIDER;
    }
    leastIn[i] = bound;
    sayerIn[i] = by;
  };
  /** One bound after the other, of those that say more than the bands before. */
  const workInTurn = (link: number, from: number) => {
    const end = first[link + 1] as number;
    const endWay = firstWay[link + 1] as number;
    const [low, lowBack] = [before(2 * from), before(2 * from + 1)];
    telling.length = 0;
    for (let way = firstWay[link] as number; way < endWay; way++)
      if ((last[2 * way] as number) > low || (last[2 * way + 1] as number) > lowBack) telling.push(way);
    let at = beginOf(link, from);
    for (let band = from; band < bands; band++) {
      for (let i = 2 * band; i < 2 * band + 2; i++) {
        leastIn[i] = before(i);
        sayerIn[i] = sayerBefore(i);
      }
      const limit = limits[band] as number;
      for (; at < end && (classes[at] as number) < limit; at++)
        add(2 * band + (side[at] as number), asked[at] as number, slots[at] as number);
      for (const way of telling) {
        if ((since[way] as number) > band || !mayAdd(way, band)) continue;
        const begun = isTurned[way] as number;
        sayIn(way, band);
        add(2 * band + begun, bounds[begun] as number, sayerOf(way, band, begun));
        add(2 * band + 1 - begun, bounds[1 - begun] as number, sayerOf(way, band, 1 - begun));
      }
    }
  };
  const contradicted = new Uint8Array(firstWay.length - 1).fill(bands);
  const work = (link: number, from: number): number => {
    sort(link);
    read(link, from, leastIn, sayerIn);
    const until = workAtOnce(link, from);
    if (until < bands) workInTurn(link, until);
    contradicted[link] = until;
    return keep(link, leastIn, sayerIn);
  };
  return { work, contradicted };
}
