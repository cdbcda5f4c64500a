import { type Matched, matchUp } from "./match-up.ts";
import type { Piece, Producer, Want } from "./piece.ts";

/** Part of a flow that is left out rather than given a touch of its own. */
const NOTHING = 1e-9;

/**
 * Deals a token out to those that want it, in few pieces. Where some producers make about what some want, these are left
 * to each other. Of the others those that are dear to touch again go to one each where they fit, those that are not make
 * up for what is then missing, the largest of them for what is wanted most: what a pool takes in parts costs it more than
 * all at once where it keeps its fee, least where one part is nearly all.
 */
export function dealOut<W extends Want, P extends Producer>(
  wants: readonly W[],
  producers: readonly P[],
): Piece<W, P>[] {
  const cheapest = producers.reduce((least, { dear }) => Math.min(least, dear), Number.POSITIVE_INFINITY);
  const matched = matchUp(wants, producers, cheapest);
  return dealt(isWithinPlay(matched) ? matched : { pieces: [], wants, producers }, producers, cheapest);
}

/** Whether those that are not left to each other can make up for what matches have them make more. */
function isWithinPlay({ pieces, wants, producers }: Matched<Want, Producer>): boolean {
  if (pieces.length === 0) return true;
  const missing = wants.reduce((sum, { amount }) => sum + amount, 0);
  const made = producers.reduce((sum, { buys }) => sum + buys, 0);
  const play = producers.reduce((sum, producer) => sum + producer.play, 0);
  return !(missing - made > play + NOTHING * missing);
}

function dealt<W extends Want, P extends Producer>(
  matched: Matched<W, P>,
  producers: readonly P[],
  cheapest: number,
): Piece<W, P>[] {
  const all = producers.reduce((sum, { buys }) => sum + buys, 0);
  const pieces = [...matched.pieces];
  const open = matched.wants.map((want) => ({ want, missing: want.amount }));
  const offers = matched.producers.map((producer) => ({ producer, left: producer.buys }));
  offers.sort((a, b) => b.producer.dear - a.producer.dear || b.left - a.left);
  const missing = open.reduce((sum, one) => sum + one.missing, 0);
  if (offers.length > 0 && Number.isFinite(missing)) {
    // What others play with, here and behind this token, is made by the one that can do so best.
    const readiest = offers.reduce((most, one) => (one.producer.play > most.producer.play ? one : most));
    readiest.left += missing - offers.reduce((sum, { left }) => sum + left, 0);
  }

  /** Whether there was something to give. */
  const give = (to: (typeof open)[number], offer: (typeof offers)[number]): boolean => {
    const gives = Math.min(to.missing, offer.left);
    // Of a flow that is none, whose amounts are no numbers, nothing is dealt out.
    if (!(gives > NOTHING * Math.min(all, to.want.amount))) return false;
    pieces.push({ want: to.want, producer: offer.producer, gives });
    to.missing -= gives;
    offer.left -= gives;
    return true;
  };

  const dear = offers.filter(({ producer }) => producer.dear > cheapest);
  const cheap = offers.slice(dear.length);
  for (const offer of dear) {
    /** The want that it fits with least to spare; where it fits with none, the one that misses most. */
    const tightest = () =>
      open.reduce((best, one) => {
        const fits = one.missing >= offer.left;
        if (fits !== best.missing >= offer.left) return fits ? one : best;
        return fits === one.missing < best.missing ? one : best;
      });
    while (open.length > 0 && give(tightest(), offer));
  }
  open.sort((a, b) => b.missing - a.missing);
  /** The offers before this one have nothing left. */
  let first = 0;
  for (const one of open) {
    for (let i = first; i < cheap.length && one.missing > 0; i++) give(one, cheap[i] as (typeof offers)[number]);
    while (cheap[first]?.left === 0) first++;
  }
  return pieces;
}
