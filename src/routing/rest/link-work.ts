import type { Elimination } from "./elimination.ts";
import type { SaidOfLinks } from "./said-of-links.ts";
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
  { first, side, asked, worth, classes, limits, sort }: WidthBands,
  { firstWay }: Elimination,
  { read, keep }: SaidOfLinks,
  ways: SaidOverWays,
  bands: number,
): LinkWork {
  const { since, isPlain, isTurned, last, bounds, sayIn } = ways;
  /** The numbers of the link at hand in every band. */
  const leastIn = new Float64Array(2 * bands);
  const wideIn = new Float64Array(2 * bands);
  /** The greatest bounds said in each band, and who says them: a slot by its place, or a way, -1 - its number. */
  const greatest = new Float64Array(2 * bands);
  const sayer = new Int32Array(2 * bands);

  /** The bound in the band before. */
  const before = (i: number): number => (i < 2 ? 0 : (leastIn[i - 2] as number));
  /** The first slot of a link that is in no band before one. */
  const beginOf = (link: number, band: number): number => {
    let at = first[link] as number;
    if (band === 0) return at;
    const end = first[link + 1] as number;
    const limit = limits[band - 1] as number;
    while (at < end && (classes[at] as number) < limit) at++;
    return at;
  };
  const widthOf = (by: number, i: number): number =>
    by >= 0 ? (worth[by] as number) : ways.widthIn(-1 - by, i >> 1, i & 1);
  const hear = (i: number, bound: number, by: number) => {
    if (!(bound > (greatest[i] as number))) return;
    greatest[i] = bound;
    sayer[i] = by;
  };
  /** Collects the greatest bounds of every band from one on, as far as they say more than the bands before. */
  const collect = (link: number, from: number) => {
    for (let i = 2 * from; i < 2 * bands; i++) greatest[i] = before(2 * from + (i & 1));
    const end = first[link + 1] as number;
    for (let at = beginOf(link, from), band = from; at < end; at++) {
      while (band < bands && (classes[at] as number) >= (limits[band] as number)) band++;
      if (band === bands) break;
      hear(2 * band + (side[at] as number), asked[at] as number, at);
    }
    const endWay = firstWay[link + 1] as number;
    for (let way = firstWay[link] as number; way < endWay; way++) {
      const begin = Math.max(since[way] as number, from);
      if (begin === bands) continue;
      // No band says more of a way than the last one.
      const isMore = (last[2 * way] as number) > (greatest[2 * begin] as number);
      if (!isMore && !((last[2 * way + 1] as number) > (greatest[2 * begin + 1] as number))) continue;
      const end = isPlain[way] === 1 ? begin + 1 : bands;
      for (let band = begin; band < end; band++) {
        sayIn(way, band);
        hear(2 * band, bounds[0] as number, -1 - way);
        hear(2 * band + 1, bounds[1] as number, -1 - way);
      }
    }
  };
  /**
   * Where no bounds contradict each other the greatest so far stay, whatever their order: so far as that goes. Returns
   * the first band in which some do.
   */
  const workAtOnce = (link: number, from: number): number => {
    collect(link, from);
    for (let band = from; band < bands; band++) {
      for (let i = 2 * band; i < 2 * band + 2; i++) {
        const isMore = (greatest[i] as number) > before(i);
        leastIn[i] = isMore ? (greatest[i] as number) : before(i);
        wideIn[i] = isMore ? widthOf(sayer[i] as number, i) : i < 2 ? 0 : (wideIn[i - 2] as number);
      }
      if ((leastIn[2 * band] as number) * (leastIn[2 * band + 1] as number) > 1) return band;
    }
    return bands;
  };

  /** The numbers of a band as they grow. */
  const now = new Float64Array(2);
  const nowWide = new Float64Array(2);
  /** The ways that say more of the link at hand than the bands before. */
  const telling: number[] = [];
  /** Adds a bound to those of a band, which stay what the bands before made them where it contradicts these. */
  const add = (i: number, bound: number, by: number) => {
    const own = i & 1;
    const other = 1 - own;
    if (!(bound > (now[own] as number))) return;
    const wider = before(i - own + other);
    if (bound * (now[other] as number) > 1) {
      if (bound * wider > 1 || !(widthOf(by, i) > (nowWide[other] as number))) return;
      now[other] = wider;
      nowWide[other] = Number.POSITIVE_INFINITY;
    }
    now[own] = bound;
    nowWide[own] = widthOf(by, i);
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
      for (let own = 0; own < 2; own++) {
        now[own] = before(2 * band + own);
        nowWide[own] = band === 0 ? 0 : (wideIn[2 * band - 2 + own] as number);
      }
      const limit = limits[band] as number;
      for (; at < end && (classes[at] as number) < limit; at++)
        add(2 * band + (side[at] as number), asked[at] as number, at);
      for (const way of telling) {
        if ((since[way] as number) > band) continue;
        const begun = isTurned[way] as number;
        sayIn(way, band);
        add(2 * band + begun, bounds[begun] as number, -1 - way);
        add(2 * band + 1 - begun, bounds[1 - begun] as number, -1 - way);
      }
      leastIn.set(now, 2 * band);
      wideIn.set(nowWide, 2 * band);
    }
  };
  const contradicted = new Uint8Array(firstWay.length - 1).fill(bands);
  const work = (link: number, from: number): number => {
    sort(link);
    read(link, from, leastIn, wideIn);
    const until = workAtOnce(link, from);
    if (until < bands) workInTurn(link, until);
    if ((contradicted[link] as number) >= from) contradicted[link] = until;
    return keep(link, leastIn, wideIn);
  };
  return { work, contradicted };
}
