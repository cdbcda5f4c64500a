import { stretchOf } from "../float/stretch-of.ts";
import { type CurveOutline, NARROW, type PoolCurve, TRUSTED_DEPTHS } from "../pool-math.ts";
import { GasStretches } from "./gas-stretches.ts";
import {
  A,
  BEGIN,
  BOUGHT,
  ConcentratedPath,
  END,
  type LiquidityState,
  mostLiquidityAhead,
  type PriceScale,
  SOLD,
  SOLD_AFTER,
  STRIDE,
  soldDownTo,
} from "./path.ts";

/** The outline of one direction; undefined when there is no liquidity ahead. Stretches are built as far as its width reaches. */
export function concentratedOutline<S extends LiquidityState>(
  scale: PriceScale<S>,
  state: S,
  zeroForOne: boolean,
): CurveOutline | undefined {
  const path = new ConcentratedPath(scale, state, zeroForOne);
  if (!path.extend()) return undefined;
  const { numbers } = path;
  const begin = numbers[BEGIN] as number;
  const spot = begin * begin;
  if (!(spot > 0) || !Number.isFinite(spot)) return undefined;
  // With as much liquidity from the first price on as there is in any stretch ahead a curve is one hyperbola.
  const depth = (numbers[A] as number) / begin;
  const isTrusted = (numbers[SOLD_AFTER] as number) >= TRUSTED_DEPTHS * depth;
  const root = begin * Math.sqrt(NARROW);
  let last = 0;
  while ((numbers[last + END] as number) >= root && path.extend()) last = numbers.length - STRIDE;
  return {
    spot,
    depth: isTrusted ? depth : Number.NaN,
    deepest: isTrusted
      ? depth
      : mostLiquidityAhead(state, zeroForOne) / Math.sqrt(scale.keep(state, zeroForOne)) / begin,
    width: soldDownTo(numbers, last, root),
    gas: scale.gas(state, 0, 1),
  };
}

/**
 * The float view of one direction; undefined when there is no liquidity ahead. `toBuy`: the scale of swaps whose output is
 * named, where these cost less: their curve is the ceiling.
 */
export function concentratedCurve<S extends LiquidityState>(
  scale: PriceScale<S>,
  state: S,
  zeroForOne: boolean,
  toBuy?: PriceScale<S>,
): PoolCurve | undefined {
  const path = new ConcentratedPath(scale, state, zeroForOne);
  if (!path.extend()) return undefined;
  const ceiling = toBuy && concentratedCurve(toBuy, state, zeroForOne);
  if (ceiling === undefined) return new ConcentratedCurve(scale, state, zeroForOne, path);
  return new CurveBelow(scale, state, zeroForOne, path, ceiling);
}

/** All that there is to read of it lies in one array: a search asks thousands of curves, each but a few times. */
class ConcentratedCurve<S extends LiquidityState> implements PoolCurve {
  readonly concave = true;
  readonly gas: number;
  readonly #scale: PriceScale<S>;
  readonly #path: ConcentratedPath<S>;
  readonly #numbers: readonly number[];
  readonly #state: S;
  readonly #zeroForOne: boolean;
  /** Position of the last stretch found: a search asks again near its last point. */
  #recent = 0;
  #gasStretches: GasStretches<S> | undefined = undefined;

  /** `path`: of this direction, one stretch of it built at least. */
  constructor(scale: PriceScale<S>, state: S, zeroForOne: boolean, path: ConcentratedPath<S>) {
    this.#scale = scale;
    this.#path = path;
    this.#numbers = path.numbers;
    this.#state = state;
    this.#zeroForOne = zeroForOne;
    this.gas = scale.gas(state, 0, 1);
  }

  marginalRate(sellAmount: number): number {
    const at = this.#stretchOf(sellAmount);
    const root = this.#rootAfter(at, this.#soldIn(at, sellAmount));
    return root * root;
  }

  buyAmountFor(sellAmount: number): number {
    const numbers = this.#numbers;
    const at = this.#stretchOf(sellAmount);
    const sold = this.#soldIn(at, sellAmount);
    return (numbers[at + BOUGHT] as number) + sold * (numbers[at + BEGIN] as number) * this.#rootAfter(at, sold);
  }

  sellAmountAtRate(rate: number): number {
    if (rate <= 0) return this.maxSell;
    const root = Math.sqrt(rate);
    const at = this.#downTo(root);
    return at === this.#numbers.length ? this.#soldInAll() : soldDownTo(this.#numbers, at, root);
  }

  tradeAtRate(rate: number, trade: Float64Array): void {
    const numbers = this.#numbers;
    const root = Math.sqrt(rate);
    let at = this.#downTo(root);
    const isAll = at === numbers.length;
    if (isAll) at -= STRIDE;
    const begin = numbers[at + BEGIN] as number;
    const a = numbers[at + A] as number;
    const down = isAll ? (numbers[at + END] as number) : Math.min(begin, root);
    trade[0] = isAll ? this.#soldInAll() : (numbers[at + SOLD] as number) + (a * (begin - down)) / (begin * down);
    trade[1] = (numbers[at + BOUGHT] as number) + a * (begin - down);
    trade[2] = isAll || down === begin ? 0 : (0.5 * a) / down;
  }

  stretches(least: number): readonly number[] {
    const numbers = this.#numbers;
    while ((numbers[numbers.length - STRIDE + END] as number) > least && this.#path.extend());
    const all: number[] = [];
    for (let at = 0; at < numbers.length && (numbers[at + BEGIN] as number) > least; at += STRIDE)
      all.push(numbers[at + BEGIN] as number, numbers[at + END] as number, numbers[at + A] as number);
    return all;
  }

  get maxSell(): number {
    while (this.#path.extend());
    return this.#soldInAll();
  }

  takes(sellAmount: number): boolean {
    return this.#upTo(sellAmount) < this.#numbers.length;
  }

  gasFor(sellAmount: number): number {
    const stretches = this.gasStretches(sellAmount);
    return stretches[stretchOf(stretches, sellAmount) + 2] as number;
  }

  gasStretches(sellAmount: number): readonly number[] {
    this.#gasStretches ??= new GasStretches(this.#scale, this.#state, this.#path, this.#zeroForOne);
    return this.#gasStretches.upTo(sellAmount);
  }

  /** Amount that all built stretches sell. */
  #soldInAll(): number {
    const numbers = this.#numbers;
    return numbers[numbers.length - STRIDE + SOLD_AFTER] as number;
  }

  /** The stretch that an exact-in swap ends in, or the last one. */
  #stretchOf(sellAmount: number): number {
    return Math.min(this.#upTo(sellAmount), this.#numbers.length - STRIDE);
  }

  /** Amount of an exact-in swap that one stretch sells. */
  #soldIn(at: number, sellAmount: number): number {
    const before = this.#numbers[at + SOLD] as number;
    return Math.max(0, Math.min(sellAmount, this.#numbers[at + SOLD_AFTER] as number) - before);
  }

  /** The root of the rate once so much is sold in a stretch. */
  #rootAfter(at: number, sold: number): number {
    const begin = this.#numbers[at + BEGIN] as number;
    const a = this.#numbers[at + A] as number;
    return (a * begin) / (a + sold * begin);
  }

  /** The first stretch by whose end so much is sold; behind the last one where it is more than all take. */
  #upTo(sellAmount: number): number {
    const numbers = this.#numbers;
    const recent = this.#recent;
    const isRecent = (numbers[recent + SOLD_AFTER] as number) >= sellAmount;
    if (isRecent && (recent === 0 || (numbers[recent + SOLD] as number) < sellAmount)) return recent;
    while (!((numbers[numbers.length - STRIDE + SOLD_AFTER] as number) >= sellAmount) && this.#path.extend());
    let low = 0;
    let high = numbers.length / STRIDE;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((numbers[STRIDE * middle + SOLD_AFTER] as number) >= sellAmount) high = middle;
      else low = middle + 1;
    }
    return this.#found(STRIDE * low);
  }

  /** The first stretch that ends below a root of a rate; behind the last one where none does. */
  #downTo(root: number): number {
    const numbers = this.#numbers;
    const recent = this.#recent;
    const isRecent = (numbers[recent + END] as number) < root;
    if (isRecent && (recent === 0 || (numbers[recent - STRIDE + END] as number) >= root)) return recent;
    while (!((numbers[numbers.length - STRIDE + END] as number) < root) && this.#path.extend());
    let low = 0;
    let high = numbers.length / STRIDE;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((numbers[STRIDE * middle + END] as number) < root) high = middle;
      else low = middle + 1;
    }
    return this.#found(STRIDE * low);
  }

  #found(at: number): number {
    if (at < this.#numbers.length) this.#recent = at;
    return at;
  }
}

/** A curve with one that never pays less, by whose stretches it is bundled and bounded. */
class CurveBelow<S extends LiquidityState> extends ConcentratedCurve<S> {
  readonly ceiling: PoolCurve;

  constructor(
    ...[scale, state, zeroForOne, path, ceiling]: [...ConstructorParameters<typeof ConcentratedCurve<S>>, PoolCurve]
  ) {
    super(scale, state, zeroForOne, path);
    this.ceiling = ceiling;
  }

  override stretches(least: number): readonly number[] {
    return this.ceiling.stretches?.(least) ?? [];
  }
}
