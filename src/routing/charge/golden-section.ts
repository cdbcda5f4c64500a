const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The least value met by golden section search between two places, which ends once they are no further apart than `close`, or
 * after so many rounds. About the least of all where there is one dip.
 */
export function leastMet(
  from: number,
  to: number,
  { rounds, close }: { readonly rounds: number; readonly close: number },
  valueAt: (place: number) => number,
): number {
  let least = Number.POSITIVE_INFINITY;
  const tried = (place: number): number => {
    const value = valueAt(place);
    least = Math.min(least, value);
    return value;
  };
  let [low, high] = [from, to];
  let [a, b] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
  let [atA, atB] = [tried(a), tried(b)];
  for (let round = 0; round < rounds && high - low > close; round++) {
    if (atA < atB) {
      [high, b, atB] = [b, a, atA];
      a = high - GOLDEN * (high - low);
      atA = tried(a);
    } else {
      [low, a, atA] = [a, b, atB];
      b = low + GOLDEN * (high - low);
      atB = tried(b);
    }
  }
  return least;
}
