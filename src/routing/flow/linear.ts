/** Part of a row's diagonal below which what elimination leaves of it is rounding. */
const LEAST_PIVOT = 1e-14;

/**
 * The solution of matrix * x = right for a symmetric positive matrix of `size` rows, by Cholesky's decomposition.
 * Overwrites the matrix; the solution is written into `x`. Of each row only what lies right of its first entry is worked
 * on: the factor has no more. On the diagonal stands one over the factor, since divisions take longest. A variable of which
 * elimination leaves nothing but rounding is taken to be 0.
 */
export function solvePositive(
  matrix: Float64Array,
  right: Float64Array,
  size: number,
  x: Float64Array,
  first: Int32Array,
): Float64Array {
  for (let i = 0; i < size; i++) {
    const row = i * size;
    let start = 0;
    while (start < i && matrix[row + start] === 0) start++;
    first[i] = start;
    const least = LEAST_PIVOT * (matrix[row + i] as number);
    for (let j = start; j <= i; j++) {
      const other = j * size;
      let sum = matrix[row + j] as number;
      for (let k = Math.max(start, first[j] as number); k < j; k++)
        sum -= (matrix[row + k] as number) * (matrix[other + k] as number);
      if (i === j) matrix[row + i] = sum > least ? 1 / Math.sqrt(sum) : 0;
      else matrix[row + j] = sum * (matrix[other + j] as number);
    }
  }
  for (let i = 0; i < size; i++) {
    let sum = right[i] as number;
    for (let k = first[i] as number; k < i; k++) sum -= (matrix[i * size + k] as number) * (x[k] as number);
    x[i] = sum * (matrix[i * size + i] as number);
  }
  for (let i = size - 1; i >= 0; i--) {
    const value = (x[i] as number) * (matrix[i * size + i] as number);
    x[i] = value;
    for (let k = first[i] as number; k < i; k++) x[k]! -= (matrix[i * size + k] as number) * value;
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
