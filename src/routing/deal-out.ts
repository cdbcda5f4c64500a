/** One who wants an amount of a token, in floats. */
export interface Want {
  readonly amount: number;
}

/** What makes a token, and how much of it. */
export interface Producer {
  readonly buys: number;
  /** How dear another touch of it is beside those of others. */
  readonly dear: number;
}

/** What a producer gives to one who wants it. */
export interface Piece<W extends Want, P extends Producer> {
  readonly want: W;
  readonly producer: P;
  readonly gives: number;
}

/** Part of a flow that is left out rather than given a touch of its own. */
const NOTHING = 1e-9;

/**
 * Deals a token out to those that want it, in few pieces. Producers that are dear to touch again go to one each where they
 * fit, those that are not make up for what is then missing. Of these, too, whole ones go first; the smallest are split,
 * since what a pool takes in parts costs it more than all at once where it keeps its fee.
 */
export function dealOut<W extends Want, P extends Producer>(
  wants: readonly W[],
  producers: readonly P[],
): Piece<W, P>[] {
  const pieces: Piece<W, P>[] = [];
  const all = producers.reduce((sum, { buys }) => sum + buys, 0);
  const cheapest = producers.reduce((least, { dear }) => Math.min(least, dear), Number.POSITIVE_INFINITY);
  const open = wants.map((want) => ({ want, missing: want.amount }));
  const offers = producers.map((producer) => ({ producer, left: producer.buys }));
  offers.sort((a, b) => b.producer.dear - a.producer.dear || b.left - a.left);

  /** Whether there was something to give. */
  const give = (to: (typeof open)[number], offer: (typeof offers)[number]): boolean => {
    const gives = Math.min(to.missing, offer.left);
    if (gives <= NOTHING * Math.min(all, to.want.amount)) return false;
    pieces.push({ want: to.want, producer: offer.producer, gives });
    to.missing -= gives;
    offer.left -= gives;
    return true;
  };

  const dear = offers.filter(({ producer }) => producer.dear > cheapest);
  const cheap = offers.slice(dear.length);
  for (const offer of dear) {
    const roomiest = () => open.reduce((most, one) => (one.missing > most.missing ? one : most));
    while (open.length > 0 && give(roomiest(), offer));
  }
  open.sort((a, b) => b.missing - a.missing);
  for (const one of open) {
    for (const offer of cheap) if (offer.left <= one.missing) give(one, offer);
    for (const offer of cheap.toReversed()) give(one, offer);
  }
  return pieces;
}
