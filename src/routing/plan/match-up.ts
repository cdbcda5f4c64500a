import type { Piece, Producer, Want } from "./piece.ts";

/** What is left to each other, and the others. */
export interface Matched<W extends Want, P extends Producer> {
  readonly pieces: readonly Piece<W, P>[];
  readonly wants: readonly W[];
  readonly producers: readonly P[];
}

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
  const wants = [...allWants].sort((a, b) => b.amount - a.amount);
  const producers = [...allProducers].sort((a, b) => b.buys - a.buys);
  const pieces: Piece<W, P>[] = [];
  // The largest of both stay.
  if (wants.length < 2 || producers.length < 2) return { pieces, wants, producers };

  const serveBy = (producer: P): void => {
    const most = producer.dear > cheapest ? 1 : wants.length - 1;
    const sizes = wants.map(({ amount }) => amount);
    const found = subsetNear(sizes, producer.buys, most, () => producer.play);
    if (found === undefined) return;
    for (const want of takeOut(wants, found)) pieces.push({ want, producer, gives: want.amount });
    takeOut(producers, [producers.indexOf(producer)]);
  };
  const supply = (want: W): void => {
    const sizes = producers.map(({ buys }) => buys);
    const found = subsetNear(sizes, want.amount, producers.length - 1, (i) => (producers[i] as P).play);
    if (found === undefined) return;
    const makers = takeOut(producers, found);
    const made = makers.reduce((sum, { buys }) => sum + buys, 0);
    const play = makers.reduce((sum, producer) => sum + producer.play, 0);
    // What is missing or over goes to those that have play: one that is nearly full has none, whatever it makes.
    for (const producer of makers)
      pieces.push({ want, producer, gives: producer.buys + ((want.amount - made) * producer.play) / play });
    takeOut(wants, [wants.indexOf(want)]);
  };

  const small = [
    ...wants.slice(1).map((want) => ({ size: want.amount, match: () => wants.includes(want) && supply(want) })),
    ...producers.slice(1).map((producer) => {
      return { size: producer.buys, match: () => producers.includes(producer) && serveBy(producer) };
    }),
  ];
  for (const { match } of small.sort((a, b) => a.size - b.size)) if (wants.length > 1 && producers.length > 1) match();
  return { pieces, wants, producers };
}

/** Takes out what stands at these positions. */
function takeOut<T>(list: T[], positions: readonly number[]): T[] {
  return positions.toSorted((a, b) => b - a).flatMap((i) => list.splice(i, 1));
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
  for (let first = 0; first < sizes.length; first++) {
    const play = playOf(first);
    taken.length = 0;
    let left = size;
    for (let i = first; i < sizes.length && taken.length < most && left > play; i++) {
      const one = sizes[i] as number;
      if (one > left + play) {
        if (i === first) break;
        continue;
      }
      taken.push(i);
      left -= one;
    }
    const off = Math.abs(left) / play;
    if (taken.length === 0 || !(off < least)) continue;
    const before = best;
    best = taken;
    taken = before;
    least = off;
  }
  return best.length === 0 ? undefined : best;
}
