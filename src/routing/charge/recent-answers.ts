/** How far the logarithm of a rate may have fallen for a curve's last answer to tell what it earns at most. */
const NEAR = 0.02;
/** How many times as steep as it was there a curve may get so near. */
const STEEPER = 4;

/** What curves without a depth answered last where they did not earn a touch: most of them are asked in vain. */
export interface RecentAnswers {
  /** About the most that a curve earns at the logarithm of a rate, in sold units; not a number where that is not known. */
  mostAt(i: number, rate: number): number;
  /** Remembers what it sells and pays there, in sold units, and how what it sells grows with that logarithm as it falls. */
  note(i: number, rate: number, sold: number, paid: number, slope: number): void;
}

export function recentAnswers(count: number): RecentAnswers {
  const rates = new Float64Array(count).fill(Number.NaN);
  const [earned, bought, bends] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  return {
    mostAt(i, rate) {
      const fallen = Math.max(0, (rates[i] as number) - rate);
      if (!(fallen <= NEAR)) return Number.NaN;
      return (earned[i] as number) + fallen * ((bought[i] as number) + STEEPER * fallen * (bends[i] as number));
    },
    note(i, rate, sold, paid, slope) {
      rates[i] = rate;
      earned[i] = paid - sold;
      bought[i] = paid;
      bends[i] = 0.5 * (paid + slope);
    },
  };
}
