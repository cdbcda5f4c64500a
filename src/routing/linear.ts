/**
 * The solution of matrix * x = right for a symmetric positive matrix of `size` rows, by Cholesky's decomposition.
 * Overwrites the matrix.
 */
export function solvePositive(matrix: Float64Array, right: Float64Array, size: number): Float64Array {
  const x = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * size + j] as number;
      for (let k = 0; k < j; k++) sum -= (matrix[i * size + k] as number) * (matrix[j * size + k] as number);
      if (i === j) matrix[i * size + i] = Math.sqrt(Math.max(sum, Number.MIN_VALUE));
      else matrix[i * size + j] = sum / (matrix[j * size + j] as number);
    }
  }
  for (let i = 0; i < size; i++) {
    let sum = right[i] as number;
    for (let k = 0; k < i; k++) sum -= (matrix[i * size + k] as number) * (x[k] as number);
    x[i] = sum / (matrix[i * size + i] as number);
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = x[i] as number;
    for (let k = i + 1; k < size; k++) sum -= (matrix[k * size + i] as number) * (x[k] as number);
    x[i] = sum / (matrix[i * size + i] as number);
  }
  return x;
}
