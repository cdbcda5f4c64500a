import type { PoolCurve } from "../pool-math.ts";
import { amountAtRate } from "./amount-at-rate.ts";

/** Writes payment and marginal payment of an exact-in swap into `point`: bought units, and bought units per sold one. */
export type PointAt = (sellAmount: number, point: Float64Array) => void;

interface Points {
  /** Asked for amounts from 0 to `maxSell`. */
  readonly at: PointAt;
  readonly maxSell: number;
  readonly gas: number;
  readonly concave: boolean;
}

/** A point of the curve. Its slack is the marginal rate to the power of -1/2: of a hyperbola it grows evenly with what is sold. */
interface Point {
  readonly sold: number;
  readonly paid: number;
  readonly slack: number;
}

/** A stretch of amounts, with the parabola through three points of it that tells the amount of a slack. */
interface Stretch {
  readonly from: Point;
  readonly middle: Point;
  readonly to: Point;
  readonly slope: number;
  readonly bend: number;
  /** Whether the parabola is taken; otherwise one of the parts is looked at. */
  readonly isEven: boolean;
  first: Stretch | undefined;
  second: Stretch | undefined;
}

/** Largest deviation of a stretch from the hyperbola through its ends, in its middle and over its whole payment. */
const EVEN = 4e-3;
/** Relative resolution of payments. */
const ROUNDING = 1e-14;
/** Stretches are parted evenly in the logarithm, but below this part of the most that can be sold evenly in what is sold. */
const FEW = 2 ** -14;
/** A stretch that is shorter than this part of the most that can be sold is not parted. */
const SHORTEST = 2 ** -44;
/** A step that is so small a part of the amount and of its stretch was the last one: it leaves less than a hundredth of it. */
const CLOSE = 1e-7;
/** Relative resolution of rates in floats. */
const NEAR = 1e-14;
const MAX_STEPS = 6;

/**
 * The float view of a pool for which an amount tells what is paid and the marginal rate, but a rate not the amount. The
 * amount at a rate is looked up in stretches, which are parted and kept only where somebody asks. What they tell is no more
 * than where Newton's method begins; it ends after a point or two of the curve itself, so that an answer is as good as the
 * curve, to a part in 10^9 of the rate, and the same whatever was asked for before.
 */
export function pointCurve({ at, maxSell, gas, concave }: Points): PoolCurve {
  const point = new Float64Array(2);
  const found = new Float64Array(3);
  const clamp = (amount: number) => Math.min(maxSell, Math.max(0, amount));
  const marginalRate = (sellAmount: number): number => {
    at(clamp(sellAmount), point);
    return point[1] as number;
  };
  const buyAmountFor = (sellAmount: number): number => {
    at(clamp(sellAmount), point);
    return point[0] as number;
  };

  const pointAt = (sold: number): Point => {
    at(sold, point);
    return { sold, paid: point[0] as number, slack: slackOf(point[1] as number) };
  };
  const few = FEW * maxSell;
  const stretchOf = (from: Point, to: Point): Stretch => {
    const middle = pointAt(Math.sqrt((from.sold + few) * (to.sold + few)) - few);
    const width = to.sold - from.sold;
    const slope = (middle.sold - from.sold) / (middle.slack - from.slack);
    const bend = ((to.sold - middle.sold) / (to.slack - middle.slack) - slope) / (to.slack - from.slack);
    const off = bend * (middle.slack - from.slack) * (to.slack - middle.slack);
    const first = 1 / from.slack;
    const last = 1 / to.slack;
    const unpaid = to.paid - from.paid - width * first * last;
    const isEven =
      to.sold <= 2 * from.sold + few &&
      from.slack < middle.slack &&
      middle.slack < to.slack &&
      Math.abs(off) <= EVEN * width &&
      // The payment of the whole stretch shows errors that a few of its points may miss.
      Math.abs(unpaid) <= EVEN * width * (first * first - last * last) + ROUNDING * to.paid;
    return { from, middle, to, slope, bend, isEven, first: undefined, second: undefined };
  };
  let whole: Stretch | undefined;

  const tradeAtRate = (rate: number, trade: Float64Array): void => {
    whole ??= stretchOf(pointAt(0), pointAt(maxSell));
    const slack = slackOf(rate);
    if (rate > 0 && slack <= whole.from.slack) {
      put(trade, 0, 0, 0);
      return;
    }
    if (rate <= 0 || slack >= whole.to.slack) {
      put(trade, maxSell, buyAmountFor(maxSell), 0);
      return;
    }
    let stretch = whole;
    while (!stretch.isEven && stretch.to.sold - stretch.from.sold > SHORTEST * maxSell) {
      const { from, middle, to } = stretch;
      if (slack > middle.slack) {
        stretch.second ??= stretchOf(middle, to);
        stretch = stretch.second;
      } else {
        stretch.first ??= stretchOf(from, middle);
        stretch = stretch.first;
      }
    }
    const { from, middle, to, slope, bend } = stretch;
    const between = from.slack + middle.slack;
    let sold = from.sold + (slack - from.slack) * (slope + bend * (slack - middle.slack));
    for (let step = 0; stretch.isEven && step < MAX_STEPS; step++) {
      at(sold, point);
      const paid = point[0] as number;
      const reached = point[1] as number;
      const short = slack - slackOf(reached);
      const wanted = sold + short * (slope + bend * (2 * slack - short - between));
      const next = Math.min(to.sold, Math.max(from.sold, wanted));
      const more = next - sold;
      if (Math.abs(more) <= CLOSE * Math.min(sold, to.sold - from.sold) || Math.abs(short) <= NEAR * slack) {
        put(trade, next, paid + (more * (rate + reached)) / 2, (slope + bend * (2 * slack - between)) * (slack / 2));
        return;
      }
      sold = next;
    }
    const amount = amountAtRate(marginalRate, rate, from.sold, to.sold);
    put(trade, amount, buyAmountFor(amount), ((to.sold - from.sold) / (to.slack - from.slack)) * (slack / 2));
  };

  return {
    marginalRate,
    buyAmountFor,
    sellAmountAtRate(rate) {
      tradeAtRate(rate, found);
      return found[0] as number;
    },
    tradeAtRate,
    maxSell,
    gas,
    concave,
  };
}

function slackOf(rate: number): number {
  return rate > 0 ? 1 / Math.sqrt(rate) : Number.POSITIVE_INFINITY;
}

function put(trade: Float64Array, sellAmount: number, buyAmount: number, slope: number): void {
  trade[0] = sellAmount;
  trade[1] = buyAmount;
  trade[2] = slope;
}
