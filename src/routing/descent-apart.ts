import { ATTEMPTS, type Bottom, FIRST_TRUST, LONGEST_STEP, MOST_ROUNDS, promiseOf, type Slope } from "./descent.ts";

/** The least that a step is trusted to go. */
const LEAST_TRUST = 1e-9;
/**
 * How far a variable may go after a step that has led down, times as far as before; after one that has not; and at least
 * where it went too far.
 */
const [MORE, LESS, MUCH_LESS] = [3, 0.5, 0.05];
/** Part of a slope that it has to have on the other side for a step to have gone too far. */
const TURNED = 0.5;

/**
 * Newton steps that are trusted as far in each variable as those before went well there: prices of tokens between which
 * far deeper pools lie than the trade needs turn within a millionth of what others have to go.
 */
export function descendApart({ dual, least, most, isEnough, isClose, over }: Slope, from: Float64Array): Bottom {
  const { gradient } = dual;
  let at = from;
  let value = dual.measure(at);
  const trust = new Float64Array(at.length).fill(FIRST_TRUST);
  for (let round = 0; round < MOST_ROUNDS && !over() && !isEnough(value, at); round++) {
    const steps = dual.steps(at, least, most);
    const slope = gradient.slice();
    const before = value;
    let step = steps(trust);
    if (isClose(promiseOf(step, slope), at)) {
      // A step that is trusted in little promises little.
      if (round === 0) break;
      step = steps(trust.fill(FIRST_TRUST));
      if (isClose(promiseOf(step, slope), at)) break;
    }
    let moved = false;
    for (let attempt = 0; attempt < ATTEMPTS && !moved; attempt++) {
      if (attempt > 0) step = steps(trust);
      const next = at.map((one, i) => {
        const wanted = one - Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, step[i] as number));
        return Math.max(least[i] as number, Math.min(most[i] as number, wanted));
      });
      value = dual.measure(next);
      moved = value < before;
      adjust(trust, step, slope, gradient, moved);
      if (moved) at = next;
    }
    if (moved) continue;
    value = dual.measure(at);
    break;
  }
  return { value, at };
}

/** Learns from a step how far to trust the next one, in each variable alone. */
function adjust(
  trust: Float64Array,
  step: Float64Array,
  before: Float64Array,
  after: Float64Array,
  moved: boolean,
): void {
  for (let i = 0; i < trust.length; i++) {
    const [was, is, most] = [before[i] as number, after[i] as number, trust[i] as number];
    if (was * is < 0 && Math.abs(is) > TURNED * Math.abs(was)) {
      // The bottom lies between.
      const part = Math.max(MUCH_LESS, was / (was - is));
      trust[i] = Math.max(LEAST_TRUST, part * Math.min(most, Math.abs(step[i] as number)));
    } else trust[i] = moved ? Math.min(LONGEST_STEP, MORE * most) : Math.max(LEAST_TRUST, LESS * most);
  }
}
