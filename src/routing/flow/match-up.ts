import type { Piece, Producer, Want } from "./piece.ts";

/** What is left to each other, and the others. */
export interface Matched<W extends Want, P extends Producer> {
  readonly pieces: readonly Piece<W, P>[];
  readonly wants: readonly W[];
  readonly producers: readonly P[];
}

/** Those that are left, the largest first, and their sizes. */
interface Ranked<T> {
  readonly ones: T[];
  readonly sizes: number[];
}

/** No producer has more play than such a part of what it makes, by far. */
const MOST_PLAY = 0.5;
/** What the sum of all sizes is wrong by at most, as a part. */
const TRACE = 1e-9;

/**
 * Finds producers that make about what some wants take together, and wants that take about what some producers make
 * together, the small ones first; the largest of both stay for the others. Each of them needs one piece less than where
 * it is mixed with these. A producer that is dearer than the `cheapest` to touch again is left to no more than one want.
 */
export function matchUp<W extends Want, P extends Producer>(
  allWants: readonly W[],
  allProducers: readonly P[],
  cheapest: number,
): Matched<W, P> {
  const pieces: Piece<W, P>[] = [];
  // The largest of both stay.
  if (allWants.length < 2 || allProducers.length < 2) return { pieces, wants: allWants, producers: allProducers };
  const wants = ranked(allWants, ({ amount }) => amount);
  const producers = ranked(allProducers, ({ buys }) => buys);
  const gone = new Set<W | P>();
  const takeOut = <T extends W | P>(from: Ranked<T>, positions: readonly number[]): T[] =>
    positions.toReversed().map((i) => {
      from.sizes.splice(i, 1);
      const [one] = from.ones.splice(i, 1) as [T];
      gone.add(one);
      return one;
    });
  const serveBy = (producer: P): void => {
    const most = producer.dear > cheapest ? 1 : wants.ones.length - 1;
    const found = subsetNear(wants.sizes, producer.buys, most, () => producer.play);
    if (found === undefined) return;
    for (const want of takeOut(wants, found)) pieces.push({ want, producer, gives: want.amount });
    takeOut(producers, [producers.ones.indexOf(producer)]);
  };
  const playOf = (i: number) => (producers.ones[i] as P).play;
  const supply = (want: W): void => {
    const found = subsetNear(producers.sizes, want.amount, producers.ones.length - 1, playOf);
    if (found === undefined) return;
    const makers = takeOut(producers, found);
    const made = makers.reduce((sum, { buys }) => sum + buys, 0);
    const play = makers.reduce((sum, producer) => sum + producer.play, 0);
    // What is missing or over goes to those that have play: one that is nearly full has none, whatever it makes.
    for (const producer of makers)
      pieces.push({ want, producer, gives: producer.buys + ((want.amount - made) * producer.play) / play });
    takeOut(wants, [wants.ones.indexOf(want)]);
  };

  const small: { readonly one: W | P; readonly size: number; readonly match: () => void }[] = [
    ...wants.ones.slice(1).map((one) => ({ one, size: one.amount, match: () => supply(one) })),
    ...producers.ones.slice(1).map((one) => ({ one, size: one.buys, match: () => serveBy(one) })),
  ];
  for (const { one, match } of small.sort((a, b) => a.size - b.size)) {
    if (wants.ones.length < 2 || producers.ones.length < 2) break;
    if (!gone.has(one)) match();
  }
  return { pieces, wants: wants.ones, producers: producers.ones };
}

function ranked<T>(all: readonly T[], sizeOf: (one: T) => number): Ranked<T> {
  const ones = all.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  return { ones, sizes: ones.map(sizeOf) };
}

/**
 * Positions of at most so many of `sizes`, which fall, whose sum is about `size`: no further off than the largest of them
 * has play, as a part of that as near as any that is found by taking what fits from some position on.
 */
function subsetNear(
  sizes: readonly number[],
  size: number,
  most: number,
  playOf: (i: number) => number,
): readonly number[] | undefined {
  let best: number[] = [];
  let taken: number[] = [];
  let least = 1;
  let start = sizes.length;
  /** What all sizes come to from a position on that are not far too large. */
  let rest = 0;
  while (start > 0 && !(MOST_PLAY * (sizes[start - 1] as number) > size)) rest += sizes[--start] as number;
  const trace = TRACE * rest;
  for (let first = start; first < sizes.length; first++) {
    const play = playOf(first);
    const largest = sizes[first] as number;
    const isFar = largest > size + play || size - rest > least * play + trace;
    rest -= largest;
    if (isFar) continue;
    taken.length = 0;
    let left = size;
    for (let i = first; i < sizes.length && taken.length < most && left > play; i++) {
      const one = sizes[i] as number;
      if (one > left + play) continue;
      taken.push(i);
      left -= one;
    }
    const off = Math.abs(left) / play;
    if (!(off < least)) continue;
    const before = best;
    best = taken;
    taken = before;
    least = off;
  }
  return best.length === 0 ? undefined : best;
}
