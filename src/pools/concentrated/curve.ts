import { MAX_SQRT_RATIO, MAX_TICK, MIN_SQRT_RATIO, MIN_TICK } from "../../math/tick-math.ts";
import { type CurveOutline, NARROW, type PoolCurve, TRUSTED_DEPTHS } from "../pool-math.ts";
import { swapFeePpm } from "./fee.ts";
import { concentratedGas } from "./gas.ts";
import type { ConcentratedState, Tick } from "./state.ts";
import { MOST_STEPS } from "./swap.ts";
import { countUpTo, WORD_TICKS, wordEdge } from "./ticks.ts";

/** A stretch of constant liquidity in floating point, with what was sold and bought before it. */
interface Segment {
  readonly liquidity: number;
  /** Square root prices (token 1 per token 0) at its beginning and end; they fall when token 0 is sold. */
  readonly from: number;
  readonly to: number;
  readonly soldBefore: number;
  readonly boughtBefore: number;
  readonly soldAfter: number;
  /** Ticks that a swap crosses before it, the tick that it begins at, and the words of ticks read by then. */
  readonly ticksCrossed: number;
  readonly start: number;
  readonly wordsRead: number;
}

const Q96 = 2 ** 96;
const LOG_SQRT_1_0001 = Math.log(1.0001) / 2;
const sqrtPriceAt = (tick: number) => Math.exp(tick * LOG_SQRT_1_0001);
const LOWEST = Number(MIN_SQRT_RATIO) / Q96;
const HIGHEST = Number(MAX_SQRT_RATIO) / Q96;
const GAS = Number(concentratedGas({ ticksCrossed: 0, wordsRead: 1 }));

/** The outline of one direction; undefined when there is no liquidity ahead. Looks no further than its width reaches. */
export function concentratedOutline(state: ConcentratedState, zeroForOne: boolean): CurveOutline | undefined {
  const keep = 1 - swapFeePpm(state, zeroForOne) / 1e6;
  const path = createPath(state, zeroForOne, keep);
  if (!path.extend()) return undefined;
  const { segments } = path;
  const first = segments[0] as Segment;
  const spot = keep * (zeroForOne ? first.from * first.from : 1 / (first.from * first.from));
  if (!(spot > 0) || !Number.isFinite(spot)) return undefined;
  const depth = (zeroForOne ? first.liquidity / first.from : first.liquidity * first.from) / keep;
  const price = zeroForOne ? first.from * Math.sqrt(NARROW) : first.from / Math.sqrt(NARROW);
  let last = first;
  while ((zeroForOne ? last.to >= price : last.to <= price) && path.extend())
    last = segments[segments.length - 1] as Segment;
  return {
    spot,
    depth: first.soldAfter >= TRUSTED_DEPTHS * depth ? depth : Number.NaN,
    width: soldUpTo(last, price, zeroForOne, keep),
    gas: GAS,
  };
}

/** The float view of one direction; undefined when there is no liquidity ahead. */
export function concentratedCurve(state: ConcentratedState, zeroForOne: boolean): PoolCurve | undefined {
  const keep = 1 - swapFeePpm(state, zeroForOne) / 1e6;
  const path = createPath(state, zeroForOne, keep);
  const { segments } = path;
  if (!path.extend()) return undefined;
  const last = () => segments[segments.length - 1] as Segment;

  let recent = 0;

  /** The first segment that is not left behind; undefined when all are. */
  const find = (leavesBehind: (segment: Segment) => boolean): Segment | undefined => {
    // A search asks again near where it asked before.
    const near = segments[recent];
    if (near !== undefined && !leavesBehind(near) && (recent === 0 || leavesBehind(segments[recent - 1] as Segment)))
      return near;
    while (leavesBehind(last()) && path.extend());
    let low = 0;
    let high = segments.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (leavesBehind(segments[middle] as Segment)) low = middle + 1;
      else high = middle;
    }
    recent = low;
    return segments[low];
  };
  /** Where a sale ends: the segment, and what has been sold in it without the fee. */
  const endOf = (sellAmount: number): { readonly segment: Segment; readonly net: number } => {
    const segment = find(({ soldAfter }) => soldAfter < sellAmount);
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
      const segment = find(({ to }) => (zeroForOne ? to >= price : to <= price));
      return segment === undefined ? last().soldAfter : soldUpTo(segment, price, zeroForOne, keep);
    },
    tradeAtRate(rate, trade) {
      const price = zeroForOne ? Math.sqrt(rate / keep) : Math.sqrt(keep / rate);
      const segment = find(({ to }) => (zeroForOne ? to >= price : to <= price));
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
    gas: GAS,
    gasFor(sellAmount) {
      const { segment, net } = endOf(sellAmount);
      const tick = Math.floor(Math.log(priceAfter(segment, net)) / LOG_SQRT_1_0001);
      const edges = [segment.start, tick].map((at) => wordEdge(at, state.tickSpacing, zeroForOne)) as [number, number];
      const words = state.byTicks ? 0 : Math.abs(edges[1] - edges[0]) / (WORD_TICKS * state.tickSpacing);
      return Number(concentratedGas({ ticksCrossed: segment.ticksCrossed, wordsRead: segment.wordsRead + words }));
    },
    concave: true,
  };
}

/** All that is sold, fee included, by the time the price is reached: in this segment, before it, or at its end. */
function soldUpTo(segment: Segment, price: number, zeroForOne: boolean, keep: number): number {
  const { liquidity, from, to, soldBefore, soldAfter } = segment;
  if (zeroForOne ? price >= from : price <= from) return soldBefore;
  if (zeroForOne ? price <= to : price >= to) return soldAfter;
  return soldBefore + soldBetween(liquidity, from, price, zeroForOne) / keep;
}

/** What moving the price costs without fee. */
function soldBetween(liquidity: number, from: number, to: number, zeroForOne: boolean): number {
  return zeroForOne ? (liquidity * (from - to)) / (from * to) : liquidity * (to - from);
}

/** The stretches with liquidity ahead of the price, in the order in which a swap meets them; built as far as needed. */
function createPath(state: ConcentratedState, zeroForOne: boolean, keep: number) {
  const segments: Segment[] = [];
  let from = Number(state.sqrtPriceX96) / Q96;
  let liquidity = state.liquidity;
  let soldBefore = 0;
  let boughtBefore = 0;
  let ended = from === 0;
  const step = zeroForOne ? -1 : 1;
  let at = countUpTo(state.ticks, state.tick) - (zeroForOne ? 1 : 0);
  /** The tick that the next segment begins at, and the steps of the swap that are left for it and those behind it. */
  let start = state.tick;
  let stepsLeft = MOST_STEPS;
  let ticksCrossed = 0;
  let wordsRead = 1;

  /** Builds one more segment; false when there is none. */
  const extend = (): boolean => {
    while (!ended) {
      const tick: Tick | undefined = state.ticks[at];
      const first = wordEdge(start, state.tickSpacing, zeroForOne);
      const goal = tick?.index ?? (zeroForOne ? MIN_TICK : MAX_TICK);
      const last = wordEdge(zeroForOne ? goal : goal - 1, state.tickSpacing, zeroForOne);
      const word = WORD_TICKS * state.tickSpacing;
      const steps = state.byTicks ? 1 : 1 + Math.abs(last - first) / word;
      const reached = steps <= stepsLeft;
      const end = reached ? goal : first + step * word * (stepsLeft - 1);
      const edge = tick === undefined ? (zeroForOne ? LOWEST : HIGHEST) : sqrtPriceAt(end);
      const to = zeroForOne ? Math.min(from, edge) : Math.max(from, edge);
      const built = liquidity > 0n && to !== from;
      if (built) {
        const active = Number(liquidity);
        const net = soldBetween(active, from, to, zeroForOne);
        const soldAfter = soldBefore + net / keep;
        const begun = { ticksCrossed, start, wordsRead };
        segments.push({ liquidity: active, from, to, soldBefore, boughtBefore, soldAfter, ...begun });
        soldBefore = soldAfter;
        boughtBefore += zeroForOne ? net * from * to : net / (from * to);
      }
      from = to;
      at += step;
      start = zeroForOne ? goal - 1 : goal;
      stepsLeft -= steps;
      ticksCrossed++;
      wordsRead += steps;
      if (tick === undefined || stepsLeft <= 0) ended = true;
      else liquidity += zeroForOne ? -tick.liquidityNet : tick.liquidityNet;
      if (built) return true;
    }
    return false;
  };
  return { segments, extend };
}
