import { MAX_UINT128 } from "../../math/full-math.ts";
import { capacityOf, payoutFor, remainderOf } from "../levels/ladder.ts";
import type { Level } from "../levels/state.ts";

/** Quote of a contract for one amount. Base units of the sold and of the bought token. */
export interface Sample {
  readonly sold: bigint;
  readonly paid: bigint;
}

/** Least payment of a level in base units: below it rounding alone would lower the rate of all later levels. */
const MIN_PAID = 10_000n;

/**
 * The levels between samples, which stand in the order of what is sold: concave, and nowhere above the chord between two
 * samples. Where a sample pays a better rate than those before it, by more than rounding does, the levels stay below it.
 */
export function levelsOf(samples: readonly Sample[]): readonly Level[] {
  const fine = samples.filter(({ paid }) => paid >= MIN_PAID);
  const levels: Level[] = [];
  let [sold, paid] = [0n, 0n];
  for (const sample of fine.length > 0 ? fine : samples) {
    if (sample.sold > MAX_UINT128 || sample.paid > MAX_UINT128) break;
    const level = behind(levels, { takerAmount: sample.sold - sold, makerAmount: sample.paid - paid });
    if (level.makerAmount <= 0n) break;
    levels.push(level);
    sold = sample.sold;
    paid = levels.reduce((sum, { makerAmount }) => sum + makerAmount, 0n);
  }
  return levels;
}

/** A level as it may stand behind others, of which it takes those in that it is better than by no more than their rounding. */
function behind(levels: Level[], next: Level): Level {
  let level = next;
  for (let last = levels.at(-1); last !== undefined; last = levels.at(-1)) {
    const { takerAmount: taker, makerAmount: maker } = last;
    if (level.makerAmount * taker <= maker * level.takerAmount) return level;
    const isRounding = level.makerAmount * taker <= (maker + 1n) * level.takerAmount;
    if (!isRounding) return { ...level, makerAmount: (level.takerAmount * maker) / taker };
    levels.pop();
    level = { takerAmount: taker + level.takerAmount, makerAmount: maker + level.makerAmount - 1n };
  }
  return level;
}

/** A quote may be lower than a ladder by so many base units, and by a part in so many: contracts round at every step. */
const ROUNDING = { units: 2n, parts: 1_000n } as const;

/**
 * Levels that pay just `paid` for `sold`: for less the chord to that, for more no more than they did, or that. Undefined where
 * they take less, or paid more by more than rounding: then they are not what they were read as.
 */
export function withSample(levels: readonly Level[], { sold, paid }: Sample): readonly Level[] | undefined {
  if (sold > capacityOf(levels).takerAmount) return undefined;
  const promised = payoutFor(levels, sold);
  if (paid + ROUNDING.units < promised - promised / ROUNDING.parts) return undefined;
  let over = paid > promised ? paid - promised : 0n;
  const rest = remainderOf(levels, sold, promised).map(({ takerAmount, makerAmount }) => {
    const less = makerAmount < over ? makerAmount : over;
    over -= less;
    return { takerAmount, makerAmount: makerAmount - less };
  });
  return [{ takerAmount: sold, makerAmount: paid }, ...rest];
}
