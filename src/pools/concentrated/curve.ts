import { type CurveOutline, NARROW, type PoolCurve, TRUSTED_DEPTHS } from "../pool-math.ts";
import { stretchOf } from "../stretch-of.ts";
import { swapFeePpm } from "./fee.ts";
import { concentratedGas } from "./gas.ts";
import { GasStretches } from "./gas-stretches.ts";
import { ConcentratedPath, mostLiquidityAhead, type Segment, soldBetween, soldUpTo } from "./path.ts";
import type { ConcentratedState } from "./state.ts";

/** Gas of a swap that crosses no tick. */
const leastGas = (state: ConcentratedState) => Number(concentratedGas({ ticksCrossed: 0, wordsRead: 1, next: state }));

/** The outline of one direction; undefined when there is no liquidity ahead. Stretches are built as far as its width reaches. */
export function concentratedOutline(state: ConcentratedState, zeroForOne: boolean): CurveOutline | undefined {
  const keep = 1 - swapFeePpm(state, zeroForOne) / 1e6;
  const path = new ConcentratedPath(state, zeroForOne, keep);
  if (!path.extend()) return undefined;
  const { segments } = path;
  const first = segments[0] as Segment;
  const spot = keep * (zeroForOne ? first.from * first.from : 1 / (first.from * first.from));
  if (!(spot > 0) || !Number.isFinite(spot)) return undefined;
  // With as much liquidity from the first price on as there is in any stretch ahead a curve is one hyperbola.
  const depthWith = (liquidity: number) => (zeroForOne ? liquidity / first.from : liquidity * first.from) / keep;
  const depth = depthWith(first.liquidity);
  const isTrusted = first.soldAfter >= TRUSTED_DEPTHS * depth;
  const price = zeroForOne ? first.from * Math.sqrt(NARROW) : first.from / Math.sqrt(NARROW);
  let last = first;
  while ((zeroForOne ? last.to >= price : last.to <= price) && path.extend())
    last = segments[segments.length - 1] as Segment;
  return {
    spot,
    depth: isTrusted ? depth : Number.NaN,
    deepest: isTrusted ? depth : depthWith(mostLiquidityAhead(state, zeroForOne)),
    width: soldUpTo(last, price, zeroForOne, keep),
    gas: leastGas(state),
  };
}

/** The float view of one direction; undefined when there is no liquidity ahead. */
export function concentratedCurve(state: ConcentratedState, zeroForOne: boolean): PoolCurve | undefined {
  const keep = 1 - swapFeePpm(state, zeroForOne) / 1e6;
  const path = new ConcentratedPath(state, zeroForOne, keep);
  const { segments } = path;
  if (!path.extend()) return undefined;
  const gas = new GasStretches(state, path, zeroForOne, keep);
  const last = () => segments[segments.length - 1] as Segment;

  let recent = 0;

  /** The place of the first segment of those whose ends these are that ends no lower, or higher; behind the last when all are. */
  const find = (ends: readonly number[], goal: number, higher: boolean): number => {
    const endsThere = (i: number) => (ends[i] as number) > goal || (!higher && ends[i] === goal);
    // A search asks again near where it asked before.
    if (recent < ends.length && endsThere(recent) && (recent === 0 || !endsThere(recent - 1))) return recent;
    while (!endsThere(ends.length - 1) && path.extend());
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (endsThere(middle)) high = middle;
      else low = middle + 1;
    }
    recent = low;
    return low;
  };
  const segmentOf = (sellAmount: number) => segments[find(path.soldAfter, sellAmount, false)];
  const segmentAt = (price: number) => segments[find(path.reached, zeroForOne ? -price : price, true)];
  /** Where a sale ends: the segment, and what has been sold in it without the fee. */
  const endOf = (sellAmount: number): { readonly segment: Segment; readonly net: number } => {
    const segment = segmentOf(sellAmount);
    if (segment !== undefined) return { segment, net: Math.max(0, sellAmount - segment.soldBefore) * keep };
    return { segment: last(), net: (last().soldAfter - last().soldBefore) * keep };
  };
  let most: number | undefined;
  const maxSell = (): number => {
    if (most !== undefined) return most;
    while (path.extend());
    most = last().soldAfter;
    return most;
  };
  const priceAfter = (segment: Segment, net: number) =>
    zeroForOne
      ? (segment.liquidity * segment.from) / (segment.liquidity + net * segment.from)
      : segment.from + net / segment.liquidity;

  return {
    marginalRate(sellAmount) {
      const { segment, net } = endOf(sellAmount);
      const price = priceAfter(segment, net);
      return keep * (zeroForOne ? price * price : 1 / (price * price));
    },
    buyAmountFor(sellAmount) {
      const { segment, net } = endOf(sellAmount);
      const price = priceAfter(segment, net);
      return segment.boughtBefore + (zeroForOne ? net * segment.from * price : net / (segment.from * price));
    },
    sellAmountAtRate(rate) {
      if (rate <= 0) return maxSell();
      const price = zeroForOne ? Math.sqrt(rate / keep) : Math.sqrt(keep / rate);
      const segment = segmentAt(price);
      return segment === undefined ? last().soldAfter : soldUpTo(segment, price, zeroForOne, keep);
    },
    tradeAtRate(rate, trade) {
      const price = zeroForOne ? Math.sqrt(rate / keep) : Math.sqrt(keep / rate);
      const segment = segmentAt(price);
      if (segment === undefined) {
        const { liquidity, from, to, soldAfter, boughtBefore } = last();
        const net = soldBetween(liquidity, from, to, zeroForOne);
        trade[0] = soldAfter;
        trade[1] = boughtBefore + (zeroForOne ? net * from * to : net / (from * to));
        trade[2] = 0;
        return;
      }
      const { liquidity, from, soldBefore, boughtBefore } = segment;
      if (zeroForOne ? price >= from : price <= from) {
        trade[0] = soldBefore;
        trade[1] = boughtBefore;
        trade[2] = 0;
        return;
      }
      const net = soldBetween(liquidity, from, price, zeroForOne);
      trade[0] = soldBefore + net / keep;
      trade[1] = boughtBefore + (zeroForOne ? net * from * price : net / (from * price));
      trade[2] = (0.5 * (zeroForOne ? liquidity / price : liquidity * price)) / keep;
    },
    stretches(least) {
      const root = Math.sqrt(keep);
      const at = (price: number) => (zeroForOne ? root * price : root / price);
      while (at(last().to) > least && path.extend());
      const all: number[] = [];
      for (const { liquidity, from, to } of segments) {
        if (at(from) <= least) break;
        all.push(at(from), at(to), liquidity / root);
      }
      return all;
    },
    get maxSell() {
      return maxSell();
    },
    takes: (sellAmount) => segmentOf(sellAmount) !== undefined,
    gas: leastGas(state),
    gasFor(sellAmount) {
      const stretches = gas.upTo(sellAmount);
      return stretches[stretchOf(stretches, sellAmount) + 2] as number;
    },
    gasStretches: (sellAmount) => gas.upTo(sellAmount),
    concave: true,
  };
}
