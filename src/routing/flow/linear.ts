/** Part of a row's diagonal below which what elimination leaves of it is rounding. */
const LEAST_PIVOT = 1e-14;

/** How many numbers `solvePositive` may have to note for so many rows. */
export function mostEntries(size: number): number {
  return (size * (size + 3)) / 2;
}

/**
 * The solution of matrix * x = right for a symmetric positive matrix of `size` rows, by Cholesky's decomposition. Only what
 * lies on the diagonal and right of it is read, and overwritten; the solution is written into `x`. Where the factor has
 * entries is noted in `entries`, row after row: these alone are worked on, and they are few where nodes of few edges come
 * first. On the diagonal stands one over the factor, since divisions take longest. A variable of which elimination leaves
 * nothing but rounding is taken to be 0.
 */
export function solvePositive(
  matrix: Float64Array,
  right: Float64Array,
  size: number,
  x: Float64Array,
  entries: Int32Array,
): Float64Array {
  // What of a pivot is rounding waits in `x` until its row's turn.
  for (let k = 0; k < size; k++) x[k] = LEAST_PIVOT * (matrix[k * size + k] as number);
  /** Where the entries of a row end; so much is noted first. */
  let end = size;
  for (let k = 0; k < size; k++) {
    const row = k * size;
    const pivot = matrix[row + k] as number;
    const inverse = pivot > (x[k] as number) ? 1 / Math.sqrt(pivot) : 0;
    matrix[row + k] = inverse;
    const begin = end;
    for (let j = k + 1; j < size; j++) {
      const value = matrix[row + j] as number;
      if (value === 0) continue;
      matrix[row + j] = value * inverse;
      entries[end++] = j;
    }
    entries[k] = end;
    for (let a = begin; a < end; a++) {
      const i = entries[a] as number;
      const factor = matrix[row + i] as number;
      const other = i * size;
      for (let b = a; b < end; b++) {
        const j = entries[b] as number;
        matrix[other + j]! -= factor * (matrix[row + j] as number);
      }
    }
  }
  for (let k = 0; k < size; k++) x[k] = right[k] as number;
  for (let k = 0, a = size; k < size; k++) {
    const row = k * size;
    const value = (x[k] as number) * (matrix[row + k] as number);
    x[k] = value;
    for (; a < (entries[k] as number); a++) {
      const j = entries[a] as number;
      x[j]! -= (matrix[row + j] as number) * value;
    }
  }
  for (let k = size - 1, a = end - 1; k >= 0; k--) {
    const row = k * size;
    const begin = k === 0 ? size : (entries[k - 1] as number);
    let sum = x[k] as number;
    for (; a >= begin; a--) {
      const j = entries[a] as number;
      sum -= (matrix[row + j] as number) * (x[j] as number);
    }
    x[k] = sum * (matrix[row + k] as number);
  }
  return x;
}

/** Turns a symmetric positive matrix of `size` rows into its inverse, by Gauss-Jordan elimination. */
export function invertPositive(matrix: Float64Array, size: number): void {
  for (let k = 0; k < size; k++) {
    const row = k * size;
    const pivot = 1 / (matrix[row + k] as number);
    for (let j = 0; j < size; j++) matrix[row + j]! *= pivot;
    for (let i = 0; i < size; i++) {
      const factor = matrix[i * size + k] as number;
      if (i === k || factor === 0) continue;
      for (let j = 0; j < size; j++) matrix[i * size + j]! -= factor * (matrix[row + j] as number);
      matrix[i * size + k] = -factor * pivot;
    }
    matrix[row + k] = pivot;
  }
}
