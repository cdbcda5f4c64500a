/**
 * The float view of prices that bend around targets: a reserve V below its target V0 is worth the target's price times
 * 1 - k + k * (V0 / V)^2 of the other token a unit. DODO's and EulerSwap's pools are traded so.
 */

/** The sold reserve's way back to its target. */
interface WayBack {
  /** Bought per sold unit at the target. */
  readonly price: number;
  readonly held: number;
  readonly target: number;
  readonly k: number;
  /** Amount of the whole way, and its payment. */
  readonly amount: number;
  readonly pays: number;
}

/** The bought reserve's way down from its target. */
interface WayDown {
  /** Bought per sold unit at the target. */
  readonly price: number;
  /** Reserve that is left after the way back. */
  readonly held: number;
  readonly target: number;
  readonly k: number;
}

/** A direction of a pool, before fees. */
export interface TargetWays {
  /** Absent where every trade leads away from the targets. */
  readonly back: WayBack | undefined;
  readonly down: WayDown;
}

/** Relative resolution of amounts in floats. */
const NEAR = 1e-13;

/** Payment for `amount` of the way back. Without a bend it begins with a reserve of nothing as well. */
export function paidOnWayBack({ price, held, target, k }: WayBack, amount: number): number {
  return k === 0 ? price * amount : price * amount * (1 - k + (k * target * target) / (held * (held + amount)));
}

/** Writes the payment for an amount and its marginal rate into `point`, before fees. */
export function tradeAroundTargets({ back, down }: TargetWays, amount: number, point: Float64Array): void {
  if (back !== undefined && amount <= back.amount) {
    point[0] = Math.min(back.pays, paidOnWayBack(back, amount));
    point[1] = back.price * worthAt(back, back.held + amount);
    return;
  }
  const fair = down.price * (amount - (back?.amount ?? 0));
  const left = leftOf(down, fair);
  point[0] = (back?.pays ?? 0) + left.paid;
  // A way without a bend keeps its price to its end; nothing is paid beyond one.
  const isOnWay = left.held > 0 || (down.k === 0 && fair < down.held * (1 + NEAR));
  point[1] = isOnWay ? down.price / worthAt(down, left.held) : 0;
}

/** Times the target's price that a unit of a reserve is worth. */
function worthAt({ target, k }: Pick<WayDown, "target" | "k">, held: number): number {
  return k === 0 ? 1 : 1 - k + k * (target / held) ** 2;
}

/**
 * Reserve that is left of one once `fair` has been paid for at the price of its target: the positive root of
 * (1 - k) x² + b x - k V0² for b = k V0² / V + fair - (1 - k) V. The payment has a root of its own, that of
 * (1 - k) p² - (b + 2 (1 - k) V) p + fair V: neither loses the digits of a difference.
 */
function leftOf({ held, target, k }: WayDown, fair: number): { readonly held: number; readonly paid: number } {
  if (fair <= 0 || held <= 0) return { held, paid: 0 };
  if (k === 0) return { held: Math.max(0, held - fair), paid: Math.min(held, fair) };
  const linear = (k * target * target) / held + fair + (1 - k) * held;
  const paid = (2 * fair * held) / (linear + Math.sqrt(Math.max(0, linear * linear - 4 * (1 - k) * fair * held)));
  const b = (k * target * target) / held + fair - (1 - k) * held;
  const root = Math.sqrt(b * b + 4 * (1 - k) * k * target * target);
  return { held: b > 0 ? (2 * k * target * target) / (b + root) : (root - b) / (2 * (1 - k)), paid };
}
