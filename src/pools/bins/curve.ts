import { stretchOf } from "../float/stretch-of.ts";
import type { PoolCurve, StraightLevel } from "../pool-math.ts";
import { countUpTo } from "./bin-list.ts";
import { floatFeeInBin, termsAt } from "./fee.ts";
import { type BinsKind, binsGas } from "./gas.ts";
import { floatOf, priceOf } from "./price.ts";
import type { BinsState } from "./state.ts";
import { MAX_STOPS } from "./swap.ts";

/** A bin in floats: a straight level, and what it pays in all. */
interface FloatBin extends StraightLevel {
  readonly pays: number;
}

/** More of either token than any pool is asked to move, as for swaps. */
const MAX_MOVED = 2 ** 127;

/** The float view of one direction at a time: straight within each bin. Undefined where nothing can be sold. */
export function binsCurve(state: BinsState, xForY: boolean, time: bigint): PoolCurve | undefined {
  const bins = floatBinsOf(state, xForY, time);
  return bins.length === 0 ? undefined : new BinsCurve(bins, state);
}

function floatBinsOf({ binStep, activeId, bins, fee }: BinsState, xForY: boolean, time: bigint): readonly FloatBin[] {
  const terms = termsAt(fee, activeId, time);
  const active = priceOf(binStep, activeId);
  if (terms === undefined || active === undefined) return [];
  const [price, growth] = [floatOf(active), 1 + binStep / 10_000];
  const step = xForY ? -1 : 1;
  const found: FloatBin[] = [];
  let [sold, bought] = [0, 0];
  for (let at = xForY ? countUpTo(bins, activeId) - 1 : countUpTo(bins, activeId - 1); ; at += step) {
    const bin = bins[at];
    if (bin === undefined) return found;
    const pays = Number(xForY ? bin.reserveY : bin.reserveX);
    if (pays === 0) continue;
    const part = floatFeeInBin(terms, binStep, bin.id, xForY);
    if (part === undefined || found.length === MAX_STOPS) return found;
    const inY = price * growth ** (bin.id - activeId);
    const rate = (xForY ? inY : 1 / inY) * (1 - part);
    const sells = pays / rate;
    sold += sells;
    bought += pays;
    if (!(sold < MAX_MOVED && bought < MAX_MOVED)) return found;
    found.push({ sells, rate, pays });
  }
}

/** The bins that no line between two points of the curve passes above: a concave ladder that pays no less anywhere. */
function hullOf(bins: readonly FloatBin[]): readonly FloatBin[] {
  const hull: FloatBin[] = [];
  for (const bin of bins) {
    let [sells, pays] = [bin.sells, bin.pays];
    for (let last = hull.at(-1); last !== undefined && last.rate < pays / sells; last = hull.at(-1)) {
      sells += last.sells;
      pays += last.pays;
      hull.pop();
    }
    hull.push({ sells, pays, rate: pays / sells });
  }
  return hull;
}

/** Straight levels one after another. The fee may fall on the way to the bin that volatility counts from, and so the rate rise. */
class BinsCurve implements PoolCurve {
  readonly levels: readonly StraightLevel[];
  readonly concave: boolean;
  readonly gas: number;
  readonly gasToBuy: number;
  readonly maxSell: number;
  readonly ceiling?: PoolCurve;
  /** Amounts sold and paid by the end of each bin, and its gas: as in PoolCurve. */
  readonly #stretches: number[] = [];
  readonly #bins: readonly FloatBin[];

  constructor(bins: readonly FloatBin[], kind: BinsKind) {
    this.#bins = bins;
    this.gas = Number(binsGas(1, false, kind));
    this.gasToBuy = Number(binsGas(1, true, kind));
    this.levels = bins;
    let [sold, paid] = [0, 0];
    bins.forEach((bin, index) => {
      sold += bin.sells;
      paid += bin.pays;
      this.#stretches.push(sold, paid, Number(binsGas(index + 1, false, kind)));
    });
    this.maxSell = sold;
    this.concave = bins.every(({ rate }, index) => index === 0 || rate <= (bins[index - 1] as FloatBin).rate);
    if (!this.concave) this.ceiling = new BinsCurve(hullOf(bins), kind);
  }

  marginalRate(sellAmount: number): number {
    return (this.#bins[this.#binAt(sellAmount)] as FloatBin).rate;
  }

  buyAmountFor(sellAmount: number): number {
    const index = this.#binAt(sellAmount);
    const sold = Math.min(this.maxSell, Math.max(0, sellAmount));
    const [start, before] = index === 0 ? [0, 0] : [this.#end(index - 1), this.#stretches[3 * index - 2] as number];
    return Math.min(
      this.#stretches[3 * index + 1] as number,
      before + (sold - start) * (this.#bins[index] as FloatBin).rate,
    );
  }

  sellAmountAtRate(rate: number): number {
    if (!this.concave) return this.#firstBelow(rate);
    let [low, high] = [0, this.#bins.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#bins[middle] as FloatBin).rate >= rate) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : this.#end(low - 1);
  }

  gasFor(sellAmount: number): number {
    return this.#stretches[3 * this.#binAt(sellAmount) + 2] as number;
  }

  gasStretches(): readonly number[] {
    return this.#stretches;
  }

  /** Amount at which a rate that also rises first falls to `rate`: just inside of a bin that pays no more. */
  #firstBelow(rate: number): number {
    const index = this.#bins.findIndex((bin) => bin.rate <= rate);
    if (rate <= 0 || index === -1) return this.maxSell;
    if (index > 0) return this.#end(index - 1) * (1 + Number.EPSILON);
    return (this.#bins[0] as FloatBin).rate < rate ? 0 : this.#end(0);
  }

  /** The bin that an exact-in swap ends in, or the last one. */
  #binAt(sellAmount: number): number {
    return stretchOf(this.#stretches, sellAmount) / 3;
  }

  #end(index: number): number {
    return this.#stretches[3 * index] as number;
  }
}
