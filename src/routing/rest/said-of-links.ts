/** What the bands of pools up to each one say of links: two bounds, and how wide the narrowest pools are that say so. */
export interface SaidOfLinks {
  /** Two bounds at each place: the least price of the node that leaves first, in units of that of the other, and the least of the other. */
  readonly least: Float64Array;
  /** The widths of the pools that say so, in value, at the same places. */
  readonly wide: Float64Array;
  /** The first band that says anything of a link; as many as there are bands where none does. */
  readonly since: Uint8Array;
  /** Whether the bands after that say nothing else. */
  readonly isSteady: Uint8Array;
  /** Where the numbers of a link are, in a band that says anything of it. Those of the last band are at twice the link. */
  readonly placeIn: (link: number, band: number) => number;
  /** Reads what is said of a link in the bands before one; 0 where that is nothing. */
  readonly read: (link: number, until: number, least: Float64Array, wide: Float64Array) => void;
  /** Keeps what all bands say of a link; returns the first in which that is something else than before, or their number. */
  readonly keep: (link: number, least: Float64Array, wide: Float64Array) => number;
}

export function createSaidOfLinks(links: number, bands: number): SaidOfLinks {
  const since = new Uint8Array(links).fill(bands);
  const isSteady = new Uint8Array(links).fill(1);
  // What the last band says; behind it what each one does, for links that are not steady.
  const least = new Float64Array(2 * (bands + 1) * links);
  const wide = new Float64Array(2 * (bands + 1) * links);
  const placeIn = (link: number, band: number): number =>
    2 * (isSteady[link] === 1 ? link : links + bands * link + band);
  const end = 2 * bands;
  return {
    least,
    wide,
    since,
    isSteady,
    placeIn,
    read(link, until, leastIn, wideIn) {
      const begin = Math.min(until, since[link] as number);
      leastIn.fill(0, 0, 2 * begin);
      wideIn.fill(0, 0, 2 * begin);
      for (let band = begin; band < until; band++) {
        const place = placeIn(link, band);
        for (let side = 0; side < 2; side++) {
          leastIn[2 * band + side] = least[place + side] as number;
          wideIn[2 * band + side] = wide[place + side] as number;
        }
      }
    },
    keep(link, leastIn, wideIn) {
      let begin = 0;
      while (begin < bands && leastIn[2 * begin] === 0 && leastIn[2 * begin + 1] === 0) begin++;
      let steady = 1;
      for (let i = 2 * begin; i < end - 2; i++)
        if (leastIn[i] !== leastIn[i + 2] || wideIn[i] !== wideIn[i + 2]) steady = 0;
      const before = since[link] as number;
      let differs = bands;
      for (let band = bands - 1; band >= Math.min(begin, before); band--) {
        const place = placeIn(link, band);
        for (let side = 0; side < 2; side++) {
          const i = 2 * band + side;
          const isKnown = band >= before;
          if (leastIn[i] !== (isKnown ? least[place + side] : 0) || wideIn[i] !== (isKnown ? wide[place + side] : 0))
            differs = band;
        }
      }
      if (differs === bands) return bands;
      since[link] = begin;
      isSteady[link] = steady;
      for (let side = 0; side < 2; side++) {
        least[2 * link + side] = leastIn[end - 2 + side] as number;
        wide[2 * link + side] = wideIn[end - 2 + side] as number;
      }
      if (steady === 0) {
        least.set(leastIn, 2 * (links + bands * link));
        wide.set(wideIn, 2 * (links + bands * link));
      }
      return differs;
    },
  };
}
