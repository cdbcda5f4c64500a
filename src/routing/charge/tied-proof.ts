import type { Measured, PriceProof } from "../bound/measure.ts";
import type { Session } from "../session/session.ts";
import { LEAST_LEFT } from "./narrowed-ties.ts";
import { asksFor, crossingTies, isOfEveryRoute, numbersOfTies, partBorne, type Tie } from "./ties.ts";

/** How often all multipliers and the charge are set in turn. */
const SWEEPS = 2;
/** A slope that counts as none. */
const FLAT = 1e-12;

/** A change of a slope, at some multiplier. */
interface Kink {
  readonly at: number;
  readonly slope: number;
}

/**
 * What prices prove with a charge for each touch and multipliers of ties: of any route that touches edges R,
 *
 *   sum over R of what they earn  <=  most touches * charge + sum over all edges of max(0, earned - charge + met - borne)
 *
 * less the multipliers that nobody bears, since R meets what is borne there. Both are set in turn to what proves most. No
 * edge that is not among the earners is let have more taken off than the charge leaves of it, and the charge falls no lower
 * than ties were narrowed for.
 */
export function tiedProof(
  session: Session,
  { proof, earners, unnamed }: Measured,
  startingCharge: number,
  ties: readonly Tie[],
): PriceProof {
  const { graph, maxFills } = session;
  const { from, to } = graph;
  const numberOf = numbersOfTies(ties);
  /** By tie the earners that it asks for, and those that bear it with their parts. */
  const asked: number[][] = ties.map(() => []);
  const bearing: { readonly i: number; readonly part: number }[][] = ties.map(() => []);
  earners.forEach(({ slot }, i) => {
    const [a, b] = [from[slot] as number, to[slot] as number];
    for (const k of [numberOf(a, false), numberOf(b, true)])
      if (k !== undefined && asksFor(ties[k] as Tie, slot)) asked[k]?.push(i);
    for (const k of [numberOf(a, true), numberOf(b, false)]) {
      const part = k === undefined ? 0 : partBorne(ties[k] as Tie, slot);
      if (k !== undefined && part > 0) bearing[k]?.push({ i, part });
    }
  });
  const crossing = crossingTies(session, ties);
  const multipliers = new Float64Array(ties.length);
  /** What each earner is worth to a route, with what ties take off its charge and add to it. */
  const worth = Float64Array.from(earners, ({ profit }) => profit);
  const raise = (k: number, by: number): void => {
    multipliers[k]! += by;
    for (const i of asked[k] as readonly number[]) worth[i]! += by;
    for (const { i, part } of bearing[k] as readonly { i: number; part: number }[]) worth[i]! -= part * by;
  };
  const highestAcross = (k: number) =>
    (crossing[k] as readonly number[]).reduce((most, other) => Math.max(most, multipliers[other] as number), 0);
  let charge = startingCharge;

  /** Sets one multiplier where the sum is least. */
  const settle = (k: number): void => {
    raise(k, -(multipliers[k] as number));
    const most = charge - unnamed - highestAcross(k);
    if (most <= 0) return;
    let slope = isOfEveryRoute(ties[k] as Tie) ? -1 : 0;
    const kinks: Kink[] = [{ at: most, slope: Number.POSITIVE_INFINITY }];
    for (const i of asked[k] as readonly number[]) {
      const short = charge - (worth[i] as number);
      if (short <= 0) slope += 1;
      else kinks.push({ at: short, slope: 1 });
    }
    for (const { i, part } of bearing[k] as readonly { i: number; part: number }[]) {
      const over = (worth[i] as number) - charge;
      if (over <= 0) continue;
      slope -= part;
      kinks.push({ at: over / part, slope: part });
    }
    if (slope >= -FLAT) return;
    for (const kink of kinks.sort((a, b) => a.at - b.at)) {
      slope += kink.slope;
      if (slope < -FLAT) continue;
      raise(k, kink.at);
      return;
    }
  };
  const settleCharge = (): void => {
    const least = multipliers.reduce((most, one, k) => Math.max(most, one + highestAcross(k)), 0) + unnamed;
    const last = Float64Array.from(worth).sort()[worth.length - maxFills] ?? 0;
    charge = Math.max(least, last, LEAST_LEFT * startingCharge);
  };
  ties.forEach(({ multiplier }, k) => {
    raise(k, multiplier);
  });
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let k = 0; k < ties.length; k++) settle(k);
    settleCharge();
  }
  let earned = maxFills * charge;
  for (const one of worth) earned += Math.max(0, one - charge);
  ties.forEach((tie, k) => {
    if (isOfEveryRoute(tie)) earned -= multipliers[k] as number;
  });
  return { ...proof, earned, unavoidable: 0 };
}
