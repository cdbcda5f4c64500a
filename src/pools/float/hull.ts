import type { PoolCurve } from "../pool-math.ts";

/** Payment and marginal payment of an exact-in swap, after the fee and before it, and the part that the fee leaves. */
export interface UnsteadyPoint {
  readonly paid: number;
  readonly rate: number;
  readonly gross: number;
  readonly grossRate: number;
  readonly keep: number;
}

/**
 * A curve that only its fee keeps from being concave: over a stretch the fee leaves the most at one of its ends, unless
 * `turn` is within.
 */
export interface Unsteady {
  at(sellAmount: number): UnsteadyPoint;
  /** The amount sold at which the fee is least. */
  readonly turn: number;
  readonly maxSell: number;
  readonly gas: number;
  /** Possible error of `at`, in units of the payment. */
  readonly error: number;
}

interface Point {
  readonly sold: number;
  readonly paid: number;
}

/** Stretches from nothing to the most that can be sold, each so many times the one before it. */
const GROWTH = 2;
const SMALLEST_PART = 2 ** -20;
/** A stretch is halved until the bound is this near to the curve, as a part of what is paid, or so many times. */
const NEAR = 1e-5;
const MAX_HALVINGS = 6;
/** The fee is flat where it turns: half the digits of a double are enough. */
const TURN_HALVINGS = 32;
/** Room for the float errors of the curve itself. */
const WIDER = 1 + 2e-9;

/**
 * A concave curve that nowhere pays less: the upper hull of tangents. Where the rate falls from end to middle to end of a
 * stretch the tangents are the curve's own; elsewhere those of the concave curve before the fee, less the least fee.
 */
export function hullOf(curve: Unsteady): PoolCurve {
  const { maxSell, gas } = curve;
  const ends = new Set([0, maxSell]);
  for (let end = maxSell * SMALLEST_PART; end < maxSell; end *= GROWTH) ends.add(end);
  if (curve.turn > 0 && curve.turn < maxSell) ends.add(curve.turn);
  const sorted = [...ends].sort((a, b) => a - b);
  const points: Point[] = [{ sold: 0, paid: 0 }];
  let from = endAt(curve, 0);
  for (const sold of sorted.slice(1)) {
    const to = endAt(curve, sold);
    cover(curve, from, to, 0, points);
    from = to;
  }
  const hull = upperHull(points);
  const rates = hull.slice(1).map((point, i) => slope(hull[i] as Point, point));

  /** The stretch that an amount falls into. */
  const stretchOf = (sellAmount: number) => {
    let [low, high] = [0, rates.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((hull[middle + 1] as Point).sold > sellAmount) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return {
    marginalRate: (sellAmount) => rates[stretchOf(sellAmount)] as number,
    buyAmountFor(sellAmount) {
      const sold = Math.min(maxSell, Math.max(0, sellAmount));
      const stretch = stretchOf(sold);
      const start = hull[stretch] as Point;
      return start.paid + (sold - start.sold) * (rates[stretch] as number);
    },
    sellAmountAtRate(rate) {
      let [low, high] = [0, rates.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((rates[middle] as number) > rate) low = middle + 1;
        else high = middle;
      }
      return rate <= 0 ? maxSell : (hull[low] as Point).sold;
    },
    maxSell,
    gas,
    concave: true,
  };
}

/** One end of a stretch. */
interface End extends UnsteadyPoint {
  readonly sold: number;
}

function endAt(curve: Unsteady, sold: number): End {
  return { sold, ...curve.at(sold) };
}

/** Adds corners of a line of tangents that lies above the curve from one end to the other. */
function cover(curve: Unsteady, from: End, to: End, halvings: number, points: Point[]): void {
  const half = endAt(curve, (from.sold + to.sold) / 2);
  const isFalling = from.rate >= half.rate && half.rate >= to.rate;
  const corners = isFalling ? tangents(from, to) : tangentsBeforeFee(from, to);
  if (halvings < MAX_HALVINGS && valueAt(corners, half.sold) - half.paid > NEAR * half.paid) {
    cover(curve, from, half, halvings + 1, points);
    cover(curve, half, to, halvings + 1, points);
  } else {
    for (const { sold, paid } of corners) if (sold > 0) points.push({ sold, paid: paid * WIDER + curve.error });
  }
}

type Tangent = Point & { readonly rate: number };

/** Both ends, and where the tangents in them meet. */
function tangents(from: Tangent, to: Tangent): readonly Point[] {
  const width = to.sold - from.sold;
  const across = (to.paid - from.paid - to.rate * width) / (from.rate - to.rate);
  if (across > 0 && across < width) {
    return [from, { sold: from.sold + across, paid: from.paid + from.rate * across }, to];
  }
  return [from, { sold: to.sold, paid: Math.max(to.paid, from.paid + from.rate * width) }];
}

function tangentsBeforeFee(from: End, to: End): readonly Point[] {
  const keep = Math.max(from.keep, to.keep);
  const gross = ({ sold, gross, grossRate }: End) => ({ sold, paid: gross, rate: grossRate });
  return tangents(gross(from), gross(to)).map(({ sold, paid }) => ({ sold, paid: paid * keep }));
}

function valueAt(corners: readonly Point[], sold: number): number {
  for (let i = 1; i < corners.length; i++) {
    const [before, after] = [corners[i - 1] as Point, corners[i] as Point];
    if (sold <= after.sold) return before.paid + slope(before, after) * (sold - before.sold);
  }
  return (corners[corners.length - 1] as Point).paid;
}

function slope(a: Point, b: Point): number {
  return (b.paid - a.paid) / (b.sold - a.sold);
}

/** Points, in order of the amount sold, that no line between two others passes above. */
function upperHull(points: readonly Point[]): readonly Point[] {
  const hull: Point[] = [];
  for (const point of points) {
    const last = hull[hull.length - 1];
    if (last !== undefined && point.sold === last.sold) {
      if (point.paid <= last.paid) continue;
      hull.pop();
    }
    while (hull.length > 1) {
      const [a, b] = [hull[hull.length - 2] as Point, hull[hull.length - 1] as Point];
      if (slope(a, b) > slope(b, point)) break;
      hull.pop();
    }
    hull.push(point);
  }
  return hull;
}

/** Amount between 0 and `maxSell` at which a fee that falls first starts to rise. */
export function turnOf(falls: (sellAmount: number) => boolean, maxSell: number): number {
  if (!falls(0)) return 0;
  let [low, high] = [0, maxSell];
  for (let i = 0; i < TURN_HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (falls(middle)) low = middle;
    else high = middle;
  }
  return high;
}
