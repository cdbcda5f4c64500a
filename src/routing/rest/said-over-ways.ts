import type { Elimination } from "./elimination.ts";
import type { SaidOfLinks } from "./said-of-links.ts";

/** What two links say together about the one between their ends: way by way, as the two last said it. */
export interface SaidOverWays {
  /** 1 for a way whose node was left from where its link ends to where it begins: its bound of side 1 comes first. */
  readonly isTurned: Uint8Array;
  /** The first band in which a way says anything. */
  readonly since: Uint8Array;
  /** Whether it says nothing else in those after it. */
  readonly isPlain: Uint8Array;
  /** The two bounds of each way in the last band: no band says more. */
  readonly last: Float64Array;
  /** Writes what a way says in a band, from `since` on, into `bounds`. */
  readonly sayIn: (way: number, band: number) => void;
  readonly bounds: Float64Array;
  /** Follows the links of a way: `first` leads from where its own link begins, `second` to where that ends. */
  readonly hear: (way: number, first: number, second: number) => void;
  /** The number that stands for a way as the sayer of a bound, below those of all others. */
  readonly sayerOf: (way: number, band: number, side: number) => number;
  /** Where the two bounds stand of which such a sayer's is the product, among those of links. */
  readonly partsOf: (sayer: number) => readonly [number, number];
}

/** The number of a way's sayers begins below this. */
const FIRST_SAYER = -3;

export function createSaidOverWays(
  { ways, over }: Elimination,
  { least, since, isSteady, placeIn }: SaidOfLinks,
  bands: number,
): SaidOverWays {
  const count = ways.length / 2;
  const waySince = new Uint8Array(count).fill(bands);
  const isPlain = new Uint8Array(count);
  const bounds = new Float64Array(2);
  const last = new Float64Array(2 * count);
  /** The links of each way: the first leads from where the way's link begins, the second to where it ends. */
  const pairs = ways.slice();
  const isTurned = new Uint8Array(count);
  for (let i = 0; i < over.length; i += 2) {
    const way = over[i] as number;
    isTurned[way] = (over[i + 1] as number) & 1;
    if (isTurned[way] === 1) pairs.subarray(2 * way, 2 * way + 2).reverse();
  }
  return {
    isTurned,
    since: waySince,
    isPlain,
    last,
    bounds,
    sayIn(way, band) {
      if (isPlain[way] === 1 || band === bands - 1) {
        bounds[0] = last[2 * way] as number;
        bounds[1] = last[2 * way + 1] as number;
        return;
      }
      const first = placeIn(pairs[2 * way] as number, band);
      const second = placeIn(pairs[2 * way + 1] as number, band);
      bounds[0] = (least[first + 1] as number) * (least[second] as number);
      bounds[1] = (least[second + 1] as number) * (least[first] as number);
    },
    hear(way, first, second) {
      waySince[way] = Math.max(since[first] as number, since[second] as number);
      isPlain[way] = (isSteady[first] as number) & (isSteady[second] as number);
      last[2 * way] = (least[2 * first + 1] as number) * (least[2 * second] as number);
      last[2 * way + 1] = (least[2 * second + 1] as number) * (least[2 * first] as number);
    },
    sayerOf: (way, band, side) => FIRST_SAYER - (2 * (bands * way + band) + side),
    partsOf(sayer) {
      const code = FIRST_SAYER - sayer;
      const side = code & 1;
      const band = (code >> 1) % bands;
      const way = Math.floor((code >> 1) / bands);
      const first = placeIn(pairs[2 * way] as number, band);
      const second = placeIn(pairs[2 * way + 1] as number, band);
      return [first + 1 - side, second + side];
    },
  };
}
