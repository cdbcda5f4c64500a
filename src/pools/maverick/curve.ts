import { stretchOf } from "../float/stretch-of.ts";
import type { PoolCurve } from "../pool-math.ts";
import { maverickGas, triedFirst } from "./gas.ts";
import { ONE, priced } from "./price.ts";
import type { MaverickState } from "./state.ts";
import { MAX_MOVED, soldIn } from "./step.ts";
import { termsOf, ticksAhead } from "./swap.ts";

/** One tick in floats: roots of the marginal rates at its begin and end, and a as in PoolCurve.stretches. */
interface FloatTick {
  readonly begin: number;
  readonly end: number;
  readonly a: number;
  /** Amounts sold and bought before it, and sold by its end. */
  readonly sold: number;
  readonly bought: number;
  readonly soldAfter: number;
  readonly gas: number;
}

/** The float view of one direction: a hyperbola in each tick. Undefined where nothing can be sold. */
export function maverickCurve(state: MaverickState, sellsA: boolean): PoolCurve | undefined {
  const curve = new MaverickCurve(floatTicksOf(state, sellsA));
  return curve.maxSell === 0 ? undefined : curve;
}

function floatTicksOf(state: MaverickState, sellsA: boolean): readonly FloatTick[] {
  const terms = termsOf(state, sellsA);
  const [scaleIn, scaleOut] = (sellsA ? state.scales : state.scales.toReversed()).map(Number) as [number, number];
  const [keep, units] = [Math.sqrt(1 - Number(terms.fee) / 1e18), Math.sqrt(scaleIn / scaleOut)];
  const most = Number(MAX_MOVED) / scaleIn;
  const found: FloatTick[] = [];
  let [sold, bought, met, before] = [0, 0, 0, Number.POSITIVE_INFINITY];
  for (const tick of ticksAhead(state, sellsA)) {
    met++;
    const held = sellsA ? tick.reserveB : tick.reserveA;
    const place = priced(state.tickSpacing, tick);
    if (place === undefined || soldIn(place, 0n, terms) === undefined) break;
    if (held === 0n || place.liquidity === 0n) continue;
    const root = Number(place.sqrtPrice) / Number(ONE);
    // Liquidity is rounded down, so that a tick may seem to begin with a better price than the one before ends with.
    const begin = Math.min(before, keep * units * (sellsA ? 1 / root : root));
    const a = Number(place.liquidity) / keep / units / scaleOut;
    const pays = Number(held) / scaleOut;
    const end = begin - pays / a;
    if (!(end > 0 && end < begin)) break;
    const whole = sold + (a * (begin - end)) / (begin * end);
    const soldAfter = Math.min(most, whole);
    const emptyTicks = Math.max(0, Math.abs(tick.index - state.activeTick) + 1 - met);
    const gas = maverickGas({ ticks: met, emptyTicks, exactOut: false, movable: state.movable === true });
    const last = whole > most ? (a * begin) / (a + (most - sold) * begin) : end;
    found.push({ begin, end: last, a, sold, bought, soldAfter, gas: Number(gas) });
    if (whole > most) break;
    [sold, bought, before] = [soldAfter, bought + pays, end];
  }
  return found;
}

class MaverickCurve implements PoolCurve {
  readonly concave = true;
  readonly maxSell: number;
  readonly gas: number;
  readonly gasToBuy: number;
  readonly #ticks: readonly FloatTick[];
  /** As in PoolCurve. */
  readonly #gasStretches: readonly number[];

  constructor(ticks: readonly FloatTick[]) {
    this.#ticks = ticks;
    // A part of a base unit cannot be sold.
    this.maxSell = Math.floor(ticks.at(-1)?.soldAfter ?? 0);
    this.gas = ticks[0]?.gas ?? 0;
    this.gasToBuy = Number(triedFirst(BigInt(this.gas)));
    this.#gasStretches = ticks.flatMap(({ soldAfter, bought, a, begin, end, gas }) => [
      ...[soldAfter, bought + a * (begin - end), gas],
    ]);
  }

  marginalRate(sellAmount: number): number {
    const tick = this.#tickAt(sellAmount);
    return rootAfter(tick, soldInTick(tick, sellAmount)) ** 2;
  }

  buyAmountFor(sellAmount: number): number {
    const tick = this.#tickAt(sellAmount);
    const sold = soldInTick(tick, sellAmount);
    return tick.bought + sold * tick.begin * rootAfter(tick, sold);
  }

  sellAmountAtRate(rate: number): number {
    const tick = this.#endsBelow(rate);
    return tick === undefined ? this.maxSell : Math.min(this.maxSell, soldDownTo(tick, Math.sqrt(rate)));
  }

  tradeAtRate(rate: number, trade: Float64Array): void {
    const tick = this.#endsBelow(rate);
    const root = Math.sqrt(Math.max(0, rate));
    const last = tick ?? (this.#ticks.at(-1) as FloatTick);
    const down = tick === undefined ? last.end : Math.min(last.begin, root);
    trade[0] = this.sellAmountAtRate(rate);
    trade[1] = last.bought + last.a * (last.begin - down);
    trade[2] = tick === undefined || down === last.begin ? 0 : (0.5 * last.a) / down;
  }

  stretches(least: number): readonly number[] {
    return this.#ticks.flatMap(({ begin, end, a }) => (begin > least ? [begin, end, a] : []));
  }

  gasFor(sellAmount: number): number {
    return this.#tickAt(sellAmount).gas;
  }

  gasStretches(): readonly number[] {
    return this.#gasStretches;
  }

  /** The tick that an exact-in swap ends in, or the last one. */
  #tickAt(sellAmount: number): FloatTick {
    return this.#ticks[stretchOf(this.#gasStretches, sellAmount) / 3] as FloatTick;
  }

  /** The first tick whose rate ends below one. */
  #endsBelow(rate: number): FloatTick | undefined {
    if (rate <= 0) return undefined;
    const root = Math.sqrt(rate);
    let [low, high] = [0, this.#ticks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ticks[middle] as FloatTick).end < root) high = middle;
      else low = middle + 1;
    }
    return this.#ticks[low];
  }
}

/** Amount of an exact-in swap that one tick takes. */
function soldInTick({ sold, soldAfter }: FloatTick, sellAmount: number): number {
  return Math.max(0, Math.min(sellAmount, soldAfter) - sold);
}

/** The root of the rate once so much is sold in a tick. */
function rootAfter({ a, begin }: FloatTick, sold: number): number {
  return (a * begin) / (a + sold * begin);
}

/** Amount sold once the root of the rate is down to `root`, in a tick that ends below it. */
function soldDownTo({ sold, a, begin }: FloatTick, root: number): number {
  return root >= begin ? sold : sold + (a * (begin - root)) / (begin * root);
}
