/**
 * Index of the gas stretch of an amount, or of the last one if the amount is beyond all: `stretches` as
 * PoolCurve.gasStretches has them.
 */
export function stretchOf(stretches: readonly number[], sellAmount: number): number {
  let [low, high] = [0, stretches.length / 3 - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((stretches[3 * middle] as number) < sellAmount) low = middle + 1;
    else high = middle;
  }
  return 3 * low;
}
