import { MAX_SQRT_RATIO, MIN_SQRT_RATIO } from "../../math/tick-math.ts";
import type { PoolCurve } from "../pool-math.ts";
import { concentratedGas } from "./gas.ts";
import type { ConcentratedState, Tick } from "./state.ts";
import { countUpTo } from "./ticks.ts";

/** A stretch of constant liquidity in floating point, with what was sold and bought before it. */
interface Segment {
  readonly liquidity: number;
  /** Square root prices (token 1 per token 0) at its beginning and end; they fall when token 0 is sold. */
  readonly from: number;
  readonly to: number;
  readonly soldBefore: number;
  readonly boughtBefore: number;
  readonly soldAfter: number;
}

const Q96 = 2 ** 96;
const LOG_SQRT_1_0001 = Math.log(1.0001) / 2;
const sqrtPriceAt = (tick: number) => Math.exp(tick * LOG_SQRT_1_0001);
const LOWEST = Number(MIN_SQRT_RATIO) / Q96;
const HIGHEST = Number(MAX_SQRT_RATIO) / Q96;

/** The float view of one direction; undefined when there is no liquidity ahead. */
export function concentratedCurve(state: ConcentratedState, zeroForOne: boolean): PoolCurve | undefined {
  const keep = 1 - state.feePpm / 1e6;
  const segments = segmentsOf(state, zeroForOne, keep);
  const first = segments[0];
  const last = segments[segments.length - 1];
  if (first === undefined || last === undefined) return undefined;
  const maxSell = last.soldAfter;

  /** The segment in which `sold` ends; the last one for everything beyond. */
  const segmentAt = (sold: number): Segment => {
    let low = 0;
    let high = segments.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((segments[middle] as Segment).soldAfter < sold) low = middle + 1;
      else high = middle;
    }
    return segments[low] as Segment;
  };
  const clamp = (sold: number) => Math.min(maxSell, Math.max(0, sold));
  const priceAfter = (segment: Segment, net: number) =>
    zeroForOne
      ? (segment.liquidity * segment.from) / (segment.liquidity + net * segment.from)
      : segment.from + net / segment.liquidity;
  const rateAt = (sqrtPrice: number) => keep * (zeroForOne ? sqrtPrice * sqrtPrice : 1 / (sqrtPrice * sqrtPrice));

  return {
    marginalRate(sellAmount) {
      const sold = clamp(sellAmount);
      const segment = segmentAt(sold);
      return rateAt(priceAfter(segment, (sold - segment.soldBefore) * keep));
    },
    buyAmountFor(sellAmount) {
      const sold = clamp(sellAmount);
      const segment = segmentAt(sold);
      const net = (sold - segment.soldBefore) * keep;
      const price = priceAfter(segment, net);
      return segment.boughtBefore + (zeroForOne ? net * segment.from * price : net / (segment.from * price));
    },
    sellAmountAtRate(rate) {
      if (rate <= 0) return maxSell;
      const price = zeroForOne ? Math.sqrt(rate / keep) : Math.sqrt(keep / rate);
      const passed = (to: number) => (zeroForOne ? to >= price : to <= price);
      let low = 0;
      let high = segments.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (passed((segments[middle] as Segment).to)) low = middle + 1;
        else high = middle;
      }
      const segment = segments[low];
      if (segment === undefined) return maxSell;
      if (zeroForOne ? price >= segment.from : price <= segment.from) return segment.soldBefore;
      return segment.soldBefore + soldBetween(segment.liquidity, segment.from, price, zeroForOne) / keep;
    },
    maxSell,
    gas: Number(concentratedGas({ ticksCrossed: 0, wordsRead: 1 })),
    concave: true,
  };
}

/** What moving the price costs without fee. */
function soldBetween(liquidity: number, from: number, to: number, zeroForOne: boolean): number {
  return zeroForOne ? (liquidity * (from - to)) / (from * to) : liquidity * (to - from);
}

/** The stretches with liquidity ahead of the price, in the order in which a swap meets them. */
function segmentsOf(state: ConcentratedState, zeroForOne: boolean, keep: number): readonly Segment[] {
  const segments: Segment[] = [];
  let from = Number(state.sqrtPriceX96) / Q96;
  if (from === 0) return segments;
  let liquidity = state.liquidity;
  let soldBefore = 0;
  let boughtBefore = 0;
  const step = zeroForOne ? -1 : 1;
  for (let at = countUpTo(state.ticks, state.tick) - (zeroForOne ? 1 : 0); ; at += step) {
    const tick: Tick | undefined = state.ticks[at];
    const edge = tick === undefined ? (zeroForOne ? LOWEST : HIGHEST) : sqrtPriceAt(tick.index);
    const to = zeroForOne ? Math.min(from, edge) : Math.max(from, edge);
    if (liquidity > 0n && to !== from) {
      const active = Number(liquidity);
      const net = soldBetween(active, from, to, zeroForOne);
      const soldAfter = soldBefore + net / keep;
      segments.push({ liquidity: active, from, to, soldBefore, boughtBefore, soldAfter });
      soldBefore = soldAfter;
      boughtBefore += zeroForOne ? net * from * to : net / (from * to);
    }
    if (tick === undefined) return segments;
    from = to;
    liquidity += zeroForOne ? -tick.liquidityNet : tick.liquidityNet;
  }
}
