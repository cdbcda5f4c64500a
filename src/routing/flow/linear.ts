import { FRESH, type Memory } from "../session/workspace.ts";

/**
 * Columns of the entries right of the diagonal, of a symmetric matrix and of its factor: first the end of each row,
 * then the columns, row after row. Only these are worked on, and they are few if nodes of few edges come first.
 */
export type Entries = Int32Array;

/** The entries of a matrix of `size` rows that has them at these pairs of places, and of its factor; a place of `size` is none. */
export function entriesAt(
  size: number,
  from: ArrayLike<number>,
  to: ArrayLike<number>,
  memory: Memory = FRESH,
): Entries {
  const words = Math.ceil(size / 32);
  /** Row by row a bit for each column. */
  const bits = memory.ints(size * words).fill(0);
  for (let i = 0; i < from.length; i++) {
    const a = Math.min(from[i] as number, to[i] as number);
    const b = Math.max(from[i] as number, to[i] as number);
    if (a < b && b < size) bits[a * words + (b >> 5)]! |= 1 << (b & 31);
  }
  const entries = memory.ints((size * (size + 1)) / 2 + size);
  let end = size;
  for (let k = 0; k < size; k++) {
    const begin = end;
    for (let word = k >> 5; word < words; word++)
      for (let left = bits[k * words + word] as number; left !== 0; left &= left - 1)
        entries[end++] = 32 * word + 31 - Math.clz32(left & -left);
    entries[k] = end;
    if (end === begin) continue;
    // A row that another is subtracted from gets its entries, and passes them on through the first of these.
    const next = entries[begin] as number;
    for (let word = next >> 5; word < words; word++) bits[next * words + word]! |= bits[k * words + word] as number;
    bits[next * words + (next >> 5)]! &= ~(1 << (next & 31));
  }
  return entries;
}

/**
 * The potentials x of a network of `size` nodes that are tied to each other by slopes and to the ground by others, none of
 * them negative: ground[i] * x[i] + sum over j of slopes[i, j] * (x[i] - x[j]) = right[i]. Of `slopes` only the entries, right
 * of the diagonal, are read; they and `ground` are overwritten, the solution is written into `x`. Nothing is subtracted: a
 * pivot is the sum of what its node is tied by (Grassmann, Taksar, Heyman, *Regenerative analysis and steady state
 * distributions for Markov chains*, 1985), so that each number of the factor is as good as floats are, however steep one
 * slope is beside another. A node that nothing ties stays at 0.
 */
export function solveGrounded(
  slopes: Float64Array,
  ground: Float64Array,
  right: Float64Array,
  size: number,
  x: Float64Array,
  entries: Entries,
): Float64Array {
  for (let k = 0; k < size; k++) x[k] = right[k] as number;
  for (let k = 0, begin = size; k < size; k++) {
    const row = k * size;
    const end = entries[k] as number;
    const held = ground[k] as number;
    const value = x[k] as number;
    let pivot = held;
    for (let a = begin; a < end; a++) pivot += slopes[row + (entries[a] as number)] as number;
    const inverse = pivot > 0 ? 1 / pivot : 0;
    for (let a = begin; a < end; a++) {
      const i = entries[a] as number;
      const part = (slopes[row + i] as number) * inverse;
      const other = i * size;
      for (let b = a + 1; b < end; b++) {
        const j = entries[b] as number;
        slopes[other + j]! += part * (slopes[row + j] as number);
      }
      ground[i]! += part * held;
      x[i]! += part * value;
      slopes[row + i] = part;
    }
    x[k] = value * inverse;
    begin = end;
  }
  for (let k = size - 1; k >= 0; k--) {
    const row = k * size;
    const begin = k === 0 ? size : (entries[k - 1] as number);
    let sum = x[k] as number;
    for (let a = (entries[k] as number) - 1; a >= begin; a--) {
      const j = entries[a] as number;
      sum += (slopes[row + j] as number) * (x[j] as number);
    }
    x[k] = sum;
  }
  return x;
}
