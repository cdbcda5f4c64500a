import type { FlatGraph } from "../edges/flat-graph.ts";

/** Part of what a pool asks for that prices keep to: what is missing is no gain yet, and rounding earns nothing. */
export const ASKED = 1 - 5e-10;

/** The most that a price may be, and one by the least: floats have room beyond for what pools gain. */
export const HIGHEST = 1e100;

/** The price itself, or the next one that floats have room around. */
export function withinFloats(price: number): number {
  return Math.min(HIGHEST, Math.max(1 / HIGHEST, price));
}

/** The least and the most that nodes may be worth, by node, so that no pool gains; 0 and infinite where nothing is known. */
export interface PriceRanges {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/**
 * The least and the most that a node may be worth so that none of its pools among the slots before `end` gains. Where these
 * contradict each other, the widest have their say first.
 */
export function rangeOf(
  flat: FlatGraph,
  { low, high }: PriceRanges,
  node: number,
  end: number,
): readonly [least: number, most: number] {
  const { start, to, spot, spotBack } = flat;
  let least = 0;
  let most = Number.POSITIVE_INFINITY;
  for (let slot = start[node] as number; slot < end; slot++) {
    const target = to[slot] as number;
    const asked = (spot[slot] as number) * (low[target] as number) * ASKED;
    if (asked > least) least = asked;
    const offered = (high[target] as number) / ((spotBack[slot] as number) * ASKED);
    if (offered < most) most = offered;
  }
  if (least <= most) return [least, most];
  [least, most] = [0, Number.POSITIVE_INFINITY];
  for (const slot of widestFirst(flat, node, end)) {
    const target = to[slot] as number;
    const asked = (spot[slot] as number) * (low[target] as number) * ASKED;
    if (asked > least && asked <= most) least = asked;
    const offered = (high[target] as number) / ((spotBack[slot] as number) * ASKED);
    if (offered < most && offered >= least) most = offered;
  }
  return [least, most];
}

/** The middle of a range, in the logarithm; 0 where nothing is known. */
export function middleOf([least, most]: readonly [least: number, most: number]): number {
  if (most === Number.POSITIVE_INFINITY) return least;
  return least === 0 ? most : Math.sqrt(least) * Math.sqrt(most);
}

/** The slots of a node before `end` that lead to nodes with a price, those of the widest pools by value first. */
function widestFirst({ rest, start, to, width, twin }: FlatGraph, node: number, end: number): readonly number[] {
  const slots: number[] = [];
  const widths: number[] = [];
  for (let slot = start[node] as number; slot < end; slot++) {
    const wide = (width[twin[slot] as number] as number) * (rest[to[slot] as number] as number);
    if (!(wide > 0)) continue;
    slots.push(slot);
    widths.push(wide);
  }
  const order = slots.map((_, i) => i).sort((i, j) => (widths[j] as number) - (widths[i] as number));
  return order.map((i) => slots[i] as number);
}
