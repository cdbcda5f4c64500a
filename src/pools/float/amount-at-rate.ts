const MAX_ROUNDS = 100;
/** Relative tolerance of the rate. */
const NEAR = 1e-12;

/**
 * The amount sold, from `least` to `most`, at which a marginal rate that falls as a whole has fallen to `rate`: `least` when
 * it starts below, `most` when it stays above. Between two amounts that hold it in between by the straight line between
 * their rates, bent where one end stays (Illinois), and halved where that gains too little.
 */
export function amountAtRate(
  marginalRate: (sellAmount: number) => number,
  rate: number,
  least: number,
  most: number,
): number {
  let [low, high] = [least, most];
  let above = marginalRate(low) / rate - 1;
  let below = marginalRate(high) / rate - 1;
  if (above <= 0) return least;
  if (below >= 0) return most;
  for (let round = 0; round < MAX_ROUNDS && high - low > 1e-15 * high; round++) {
    const straight = low + ((high - low) * above) / (above - below);
    const middle = round % 3 === 2 || !(straight > low && straight < high) ? (low + high) / 2 : straight;
    const off = marginalRate(middle) / rate - 1;
    if (off > 0) {
      [low, above] = [middle, off];
      below /= 2;
    } else {
      if (off > -NEAR) return middle;
      [high, below] = [middle, off];
      above /= 2;
    }
  }
  return high;
}
