/** Who says a bound that is none; and one that stays what the bands before made it, whatever else is said. */
export const NOBODY = -1;
export const WIDER = -2;

/** What the bands of pools up to each one say of links: two bounds, and who says them. */
export interface SaidOfLinks {
  /** Two bounds at each place: the least price of the node that leaves first, in units of that of the other, and the least of the other. */
  readonly least: Float64Array;
  /** Who says so, at the same places: a slot, NOBODY, WIDER, or a way as in SaidOverWays. */
  readonly sayer: Int32Array;
  /** The first band that says anything of a link; as many as there are bands where none does. */
  readonly since: Uint8Array;
  /** Whether the bands after that say nothing else. */
  readonly isSteady: Uint8Array;
  /** Where the numbers of a link are, in a band that says anything of it. Those of the last band are at twice the link. */
  readonly placeIn: (link: number, band: number) => number;
  /** Reads what is said of a link in the bands before one; 0 where that is nothing. */
  readonly read: (link: number, until: number, least: Float64Array, sayer: Int32Array) => void;
  /** Keeps what all bands say of a link; returns the first in which a bound is another than before, or their number. */
  readonly keep: (link: number, least: Float64Array, sayer: Int32Array) => number;
}

export function createSaidOfLinks(links: number, bands: number): SaidOfLinks {
  const since = new Uint8Array(links).fill(bands);
  const isSteady = new Uint8Array(links).fill(1);
  // What the last band says; behind it what each one does, for links that are not steady.
  const least = new Float64Array(2 * (bands + 1) * links);
  const sayer = new Int32Array(2 * (bands + 1) * links);
  const placeIn = (link: number, band: number): number =>
    2 * (isSteady[link] === 1 ? link : links + bands * link + band);
  const end = 2 * bands;
  return {
    least,
    sayer,
    since,
    isSteady,
    placeIn,
    read(link, until, leastIn, sayerIn) {
      const begin = Math.min(until, since[link] as number);
      for (let i = 0; i < 2 * begin; i++) {
        leastIn[i] = 0;
        sayerIn[i] = NOBODY;
      }
      for (let band = begin; band < until; band++) {
        const place = placeIn(link, band);
        for (let side = 0; side < 2; side++) {
          leastIn[2 * band + side] = least[place + side] as number;
          sayerIn[2 * band + side] = sayer[place + side] as number;
        }
      }
    },
    keep(link, leastIn, sayerIn) {
      let begin = 0;
      while (begin < bands && leastIn[2 * begin] === 0 && leastIn[2 * begin + 1] === 0) begin++;
      let steady = 1;
      for (let i = 2 * begin; i < end - 2; i++)
        if (leastIn[i] !== leastIn[i + 2] || sayerIn[i] !== sayerIn[i + 2]) steady = 0;
      const before = since[link] as number;
      let differs = begin === before ? bands : Math.min(begin, before);
      for (let band = before; band < differs; band++) {
        const place = placeIn(link, band);
        const i = 2 * band;
        if (leastIn[i] !== least[place] || leastIn[i + 1] !== least[place + 1]) differs = band;
      }
      since[link] = begin;
      isSteady[link] = steady;
      for (let side = 0; side < 2; side++) {
        least[2 * link + side] = leastIn[end - 2 + side] as number;
        sayer[2 * link + side] = sayerIn[end - 2 + side] as number;
      }
      if (steady === 0)
        for (let i = 2 * begin, place = 2 * (links + bands * link + begin); i < end; i++, place++) {
          least[place] = leastIn[i] as number;
          sayer[place] = sayerIn[i] as number;
        }
      return differs;
    },
  };
}
