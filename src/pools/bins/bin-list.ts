import { MAX_UINT128 } from "../../math/full-math.ts";
import type { Bin } from "./state.ts";

/** Number of bins (ascending) with an id of at most `id`: the position of the first one above it. */
export function countUpTo(bins: readonly Bin[], id: number): number {
  let low = 0;
  let high = bins.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((bins[middle] as Bin).id <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The bins with one of them changed by two amounts, which may be below zero; without it once it holds nothing. Undefined
 * where no bin can hold what that leaves.
 */
export function withChange(bins: readonly Bin[], id: number, x: bigint, y: bigint): readonly Bin[] | undefined {
  const at = countUpTo(bins, id - 1);
  const found = bins[at]?.id === id ? bins[at] : undefined;
  const reserveX = (found?.reserveX ?? 0n) + x;
  const reserveY = (found?.reserveY ?? 0n) + y;
  if (reserveX < 0n || reserveY < 0n || reserveX > MAX_UINT128 || reserveY > MAX_UINT128) return undefined;
  const left = reserveX === 0n && reserveY === 0n ? [] : [{ id, reserveX, reserveY }];
  return [...bins.slice(0, at), ...left, ...bins.slice(found ? at + 1 : at)];
}
